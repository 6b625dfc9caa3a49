import { JOINING_SCRIPTS } from '../../config/hidden-characters.ts'
import { laneOfHistoryCell } from '../../config/lanes.ts'
import { COMPARISONS, MARKUP, MAX_NAME_CHARACTERS } from '../../config/untrusted-text.ts'
import { instantsOfLocal, isZoneSql } from './local-time-sql.ts'
import { quoteName, quoteText } from './sql.ts'

export const IMPORT_KINDS = ['security', 'immigration', 'checkin', 'customs', 'throughput', 'daily_throughput'] as const
export type ImportKind = (typeof IMPORT_KINDS)[number]

/** The columns a CSV may have; a column map assigns the file's headers to them. */
export const IMPORT_COLUMNS = {
  airport: 'required: IATA code; US-ALL for a whole country (daily_throughput)',
  terminal: 'terminal',
  checkpoint: 'checkpoint',
  lane: 'lane, in the words of the source',
  observed_at: 'required: instant with an offset or Z, or a local time with the name of its zone',
  wait_minutes: 'minutes 0–600; empty = no reading',
  wait_low: 'lower bound of a range',
  wait_high: 'upper bound of a range',
  wait_raw: 'the wait in the words of the source',
  status: 'open, closed or unknown',
  passengers: 'people (throughput, daily_throughput)',
  observed_local: 'the day (daily_throughput)',
} as const
export type ImportColumn = keyof typeof IMPORT_COLUMNS

/** Hours until a figure of each kind becomes known: CBP publishes two to three days late. */
export const LAG_HOURS: Record<ImportKind, number> = {
  security: 0,
  checkin: 0,
  customs: 0,
  immigration: 72,
  throughput: 72,
  daily_throughput: 24,
}

/** Where the rows of a file come from: the value of `source`, the id of the import, and when it is done (ISO UTC). */
export interface ImportOrigin {
  source: string
  captureId: string
  now: string
}

/** The hidden characters of `isPlainText`, as DuckDB's regular expressions name them. */
const HIDDEN =
  '[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Zl}\\p{Zp}\\x{034F}\\x{115F}\\x{1160}\\x{2800}\\x{3164}\\x{FE00}-\\x{FE0F}\\x{E0100}-\\x{E01EF}]'

const JOINED = JOINING_SCRIPTS.map((name) => `\\p{${name}}`).join('')
/** SQL of a text without the joiners that are part of the spelling of its words; twice, as neighbouring finds share a letter. */
const withoutJoinersSql = (column: string) =>
  [1, 2].reduce(
    (sql) => `regexp_replace(${sql}, '([${JOINED}]\\p{M}*)[\\x{200C}\\x{200D}]([${JOINED}])', '\\1\\2', 'g')`,
    column,
  )

/** The columns of a file that hold any words. */
const TEXTS = ['terminal', 'checkpoint', 'wait_raw']

/** SQL of a text without markup, as those of feeds land. */
const landedSql = (column: string) => replacedSql(comparedSql(column), MARKUP)
/** A name with its spaces folded, as `textOf` of collectors folds them: CBP writes `Terminal 1  Lindbergh`. */
const nameSql = (column: string) =>
  landedSql(`regexp_replace(nfc_normalize(coalesce(trim(${column}), '')), ' {2,}', ' ', 'g')`)
const comparedSql = (column: string) => replacedSql(column, COMPARISONS)
const replacedSql = (column: string, expressions: typeof MARKUP) =>
  expressions.reduce(
    (sql, [pattern, replacement]) =>
      `regexp_replace(${sql}, ${quoteText(pattern)}, ${quoteText(replacement.replace('$', '\\'))}, 'g')`,
    column,
  )

/** SELECT of the notices about the good rows of a file that lost something of a text. */
export const cleanedNoticesSelect = (from: string, { source, captureId, now }: ImportOrigin): string => `
  SELECT ${quoteText(source)} AS source, 'text_cleaned' AS code, 'warning' AS severity, 'line ' || line AS path,
    concat_ws(' / ', nullif(terminal, ''), nullif(checkpoint, ''), wait_text) AS value,
    'A name had markup of links or elements; it is stored without them.' AS message, iata,
    ${quoteText(now)}::TIMESTAMPTZ AS noticed_at, ${quoteText(captureId)} AS capture_id
  FROM ${from} WHERE fault IS NULL AND has_lost ORDER BY line LIMIT ${MAX_NOTICES}`

const CONTRADICTS = 'contradicts another row'

/**
 * UPDATE that refuses the good rows of a file that contradict another one: rows of one key (`select` has them with their line)
 * that differ in any of `figures`. The right one is unknown.
 */
export function refuseContradictions(
  from: string,
  select: string,
  key: readonly string[],
  figures: readonly string[],
): string {
  const figure = `row(${figures.join(', ')})`
  return `
  UPDATE ${from} t SET fault = '${CONTRADICTS}: lines ' || c.first_line || ' and ' || c.last_line || ' have different figures for one queue and time'
  FROM (
    SELECT unnest(list(line)) AS line, min(line) AS first_line, max(line) AS last_line FROM (${select})
    GROUP BY ${key.join(', ')} HAVING min(${figure}) IS DISTINCT FROM max(${figure})
  ) c WHERE t.line = c.line`
}

/** SELECT of the rows that `refuseContradictions` refused. */
export const contradictingSelect = (from: string) => `FROM ${from} WHERE starts_with(fault, '${CONTRADICTS}')`

/** SELECT of the notices about them; `iata` is SQL of their airport. */
export const contradictionNoticesSelect = (
  from: string,
  iata: string,
  { source, captureId, now }: ImportOrigin,
): string => `
  SELECT ${quoteText(source)} AS source, 'rows_contradict' AS code, 'warning' AS severity, 'line ' || line AS path, NULL AS value,
    'The row ' || fault || '; none of them was imported.' AS message, ${iata} AS iata,
    ${quoteText(now)}::TIMESTAMPTZ AS noticed_at, ${quoteText(captureId)} AS capture_id
  ${contradictingSelect(from)} ORDER BY line LIMIT ${MAX_NOTICES}`

const MAX_NOTICES = 20

/** The fault of a text column that is not a plain text of bounded length. */
const notPlain = (name: string, column: string) =>
  `WHEN length(${column}) > ${MAX_NAME_CHARACTERS} THEN '${name}: is longer than ${MAX_NAME_CHARACTERS} characters'
    WHEN regexp_matches(${withoutJoinersSql(column)}, ${quoteText(HIDDEN)}) THEN '${name}: has control or invisible characters'`

const asMinutes = (name: string) => `TRY_CAST(nullif(trim(${name}), '') AS DOUBLE)`

/** No waits were published before; older instants come from a wrong clock, an empty date or a word like "epoch". */
const EARLIEST = '1980-01-01'
/** More than any country counts in a day. */
const MAX_PASSENGERS = 100_000_000

/** A time of day with the offset behind it, if any: Z, +01, +0130, +01:30. */
const TIME_AND_OFFSET = String.raw`\d\d:\d\d(:\d\d(\.\d+)?)?\s*(\S.*)?$`
/** Offsets of places: from -12:00 to +14:00. The engine takes any hours and minutes for one. */
const OFFSET_OF_A_PLACE = String.raw`[zZ]|[+-](0\d|1[01])(:?[0-5]\d)?(:00)?|-12(:?00)?|\+1[23](:?[0-5]\d)?|\+14(:?00)?`

/** How the forms of ISO 8601 that the engine does not read become one that it does, in this order. */
const ISO_FORMS: [pattern: string, replacement: string][] = [
  ['−', '-'],
  ['^(\\S*\\d)t(\\d)', '\\1T\\2'],
  ['(\\d)z$', '\\1Z'],
  // Basic: 20261120T1100Z.
  ['^(\\d{4})(\\d\\d)(\\d\\d)T', '\\1-\\2-\\3T'],
  ['^(\\d{4})W(\\d\\d)(\\d)T', '\\1-W\\2-\\3T'],
  ['^(\\d{4})(\\d{3})T', '\\1-\\2T'],
  ['T(\\d\\d)(\\d\\d)(\\d\\d)', 'T\\1:\\2:\\3'],
  ['T(\\d\\d)(\\d\\d)', 'T\\1:\\2'],
  // Without minutes, without seconds, with a decimal comma.
  ['T(\\d\\d)(Z|[+-].*)?$', 'T\\1:00\\2'],
  ['T(\\d\\d:\\d\\d)(Z|[+-].*)?$', 'T\\1:00\\2'],
  ['(T\\d\\d:\\d\\d:\\d\\d),(\\d)', '\\1.\\2'],
]

/** SQL: an instant of any form of ISO 8601 as the engine reads it; a text of another form as it is. Midnight at the end of a day stays `T24:00:00`. */
function isoText(column: string): string {
  const text = ISO_FORMS.reduce(
    (sql, [pattern, replacement]) => `regexp_replace(${sql}, ${quoteText(pattern)}, ${quoteText(replacement)})`,
    `trim(${column})`,
  )
  const dayOf = (format: string, length: number) =>
    `strftime(try_strptime(iso[:${length}], ${quoteText(format)}), '%Y-%m-%d') || iso[${length + 1}:]`
  return `(SELECT CASE WHEN regexp_matches(iso, '^\\d{4}-W\\d\\d-\\dT') THEN ${dayOf('%G-W%V-%u', 10)}
    WHEN regexp_matches(iso, '^\\d{4}-\\d{3}T') THEN ${dayOf('%Y-%j', 8)} ELSE iso END FROM (SELECT ${text} AS iso))`
}

/** SQL: the instant of a text of `isoText`; null if it is none. */
const instantOf = (iso: string) =>
  `CASE WHEN regexp_matches(${iso}, 'T24:00:00(\\.0+)?') THEN TRY_CAST(replace(${iso}, 'T24:00:00', 'T00:00:00') AS TIMESTAMPTZ) + INTERVAL 1 DAY
     ELSE TRY_CAST(${iso} AS TIMESTAMPTZ) END`

/** A local time with the name of a zone behind it. */
const LOCAL_AND_ZONE = String.raw`^\s*(.*?\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s*([A-Za-z][A-Za-z].*?)\s*$`

const partOf = (column: string, group: 1 | 2) =>
  `nullif(regexp_extract(${column}, ${quoteText(LOCAL_AND_ZONE)}, ${group}), '')`

/** The local time and the zone of a text that names a zone. The engine's zones have older rules. */
const namedZoneColumns = (column: string) =>
  `TRY_CAST(${partOf(column, 1)} AS TIMESTAMP) AS local, ${partOf(column, 2)} AS zone_word`

/** SELECT of the zones that the instants of a table name. */
export const zoneWordsSelect = (table: string) =>
  `SELECT DISTINCT zone FROM (SELECT ${partOf('observed_at', 2)} AS zone FROM ${table}) WHERE zone IS NOT NULL`

/** The faults of the text of an instant that names a zone; a night that has an hour twice would otherwise be an hour wrong. */
function namedZoneFaults(column: string): string {
  const begin = `'observed_at: "' || ${column} || '"`
  return `WHEN zone_word IS NOT NULL AND NOT is_zone THEN ${begin} names the zone ' || zone_word || ', which is not an IANA zone: write the offset, as in 2026-04-20T18:09:32-04:00'
    WHEN zone_word IS NOT NULL AND local IS NOT NULL AND isfinite(local) AND instants IS NULL THEN ${begin} does not exist: the clocks go forward over it'
    WHEN len(instants) > 1 THEN ${begin} occurs twice, because the clocks go back: write the offset, as in 2026-11-01T01:30:00-04:00'`
}

/** Faults in the text of an instant that the engine accepts. Without an offset it would be taken for UTC. */
function instantFaults(column: string, iso: string): string {
  const offset = `coalesce(trim(regexp_extract(${iso}, ${quoteText(TIME_AND_OFFSET)}, 3)), '')`
  return `WHEN zone_word IS NULL AND ${offset} = '' THEN 'observed_at: "' || ${column} || '" has no offset: write Z for UTC, or the offset, as in 2026-04-20T18:09:32-04:00'
    WHEN zone_word IS NULL AND NOT regexp_full_match(${offset}, ${quoteText(OFFSET_OF_A_PLACE)}) THEN 'observed_at: "' || ${column} || '" has the offset ' || ${offset} || ', which is not between -12:00 and +14:00'`
}

/** CASE that maps the lane words of a file (all distinct ones) to our lanes. */
function laneCase(words: string[]): string {
  const known = words.flatMap((word) => {
    const lane = laneOfHistoryCell(word)
    return lane ? [`WHEN ${quoteText(word)} THEN ${quoteText(lane)}`] : []
  })
  return known.length > 0 ? `CASE coalesce(lane, '') ${known.join(' ')} END` : 'NULL'
}

/** SELECT that gives the raw text rows their types and each bad row a `fault` (null for a good row); `now` is ISO UTC. */
export function typedSelect(
  from: string,
  kind: ImportKind,
  laneWords: string[],
  airports: string[],
  lagHours: number,
  now: string,
): string {
  const numbers = ['wait_minutes', 'wait_low', 'wait_high', 'passengers']
  const notNumber = numbers.map(
    (name) =>
      `WHEN nullif(trim(${name}), '') IS NOT NULL AND ${asMinutes(name)} IS NULL THEN '${name}: "' || ${name} || '" is not a number'`,
  )
  const outside = ['wait_minutes', 'wait_low', 'wait_high'].map(
    (name) =>
      `WHEN ${asMinutes(name)} NOT BETWEEN 0 AND 600 THEN '${name}: ' || ${name} || ' is not between 0 and 600'`,
  )
  const wrongCount = `WHEN ${asMinutes('passengers')} IS NULL OR ${asMinutes('passengers')} NOT BETWEEN 0 AND ${MAX_PASSENGERS} THEN 'passengers: must be a count between 0 and ${MAX_PASSENGERS}'`
  return `
  WITH typed AS (
    SELECT line, row_fault, upper(trim(airport)) AS iata, ${nameSql('terminal')} AS terminal, ${nameSql('checkpoint')} AS checkpoint,
      ${TEXTS.map((name) => `(${landedSql(name)} IS DISTINCT FROM ${comparedSql(name)})`).join(' OR ')} AS has_lost,
      ${laneCase(laneWords)} AS lane_known, lane AS lane_word, observed_at AS observed_word, ${isoText('observed_at')} AS iso_word, ${namedZoneColumns('observed_at')},
      ${numbers.map((name) => `${asMinutes(name)} AS n_${name}`).join(', ')}, nullif(trim(${landedSql('wait_raw')}), '') AS wait_text, lower(trim(status)) AS status_word,
      CASE ${notNumber.join(' ')} ${outside.join(' ')} ${kind === 'throughput' ? wrongCount : ''} END AS number_fault
    FROM (${from})
  ),
  zoned AS (SELECT *, ${isZoneSql('zone_word')} AS is_zone, ${instantsOfLocal('zone_word', 'local')} AS instants FROM typed),
  timed AS (SELECT *, CASE WHEN zone_word IS NULL THEN ${instantOf('iso_word')} ELSE instants[1] END AS observed FROM zoned)
  SELECT * EXCLUDE (local, zone_word, is_zone, instants, row_fault, iso_word), observed + INTERVAL ${lagHours} HOUR AS available_at, CASE
    WHEN row_fault IS NOT NULL THEN row_fault
    WHEN iata IS NULL OR iata NOT IN (SELECT unnest([${airports.map(quoteText).join(', ')}]::VARCHAR[])) THEN 'airport: "' || coalesce(iata, '') || '" is not in the directory'
    ${namedZoneFaults('observed_word')}
    WHEN observed IS NULL AND regexp_full_match(trim(observed_word), '\\d{9,10}(\\.\\d+)?|\\d{12,13}')
      THEN 'observed_at: "' || observed_word || '" is not an instant; for seconds or milliseconds since 1970 use --time-format'
    WHEN observed IS NULL THEN 'observed_at: "' || coalesce(observed_word, '') || '" is not an instant'
    WHEN observed_word IN ('infinity', '-infinity', 'epoch') THEN 'observed_at: "' || observed_word || '" is not an instant'
    ${instantFaults('observed_word', 'iso_word')}
    WHEN observed > ${quoteText(now)}::TIMESTAMPTZ + INTERVAL 10 MINUTE THEN 'observed_at: ' || observed_word || ' is in the future'
    WHEN observed < '${EARLIEST}'::TIMESTAMPTZ THEN 'observed_at: ' || observed_word || ' is before ${EARLIEST}'
    ${notPlain('terminal', 'terminal')} ${notPlain('checkpoint', 'checkpoint')} ${notPlain('wait_raw', 'wait_text')}
    WHEN lane_known IS NULL THEN 'lane: "' || coalesce(lane_word, '') || '" is not a lane we know'
    WHEN status_word NOT IN ('', 'open', 'closed', 'unknown') THEN 'status: "' || status_word || '" must be open, closed or unknown'
    ELSE number_fault END AS fault
  FROM timed`
}

/** SELECT of the good rows with the columns of `readings`, and their line. */
export function readingsSelect(from: string, { source, captureId, now }: ImportOrigin, kind: ImportKind): string {
  return `SELECT line, ${quoteText(kind)} AS kind, ${quoteText(source)} AS source, iata, terminal, checkpoint, lane_known AS lane,
    observed AS observed_at, 'source' AS observed_at_basis, ${quoteText(now)}::TIMESTAMPTZ AS fetched_at, available_at,
    CASE WHEN status_word = 'closed' THEN NULL ELSE n_wait_minutes END AS wait_minutes,
    CASE WHEN status_word = 'closed' THEN NULL ELSE n_wait_low END AS wait_minutes_low,
    CASE WHEN status_word = 'closed' THEN NULL ELSE n_wait_high END AS wait_minutes_high,
    wait_text, CASE WHEN status_word IN ('open', 'closed', 'unknown') THEN status_word
      WHEN coalesce(n_wait_minutes, n_wait_low, n_wait_high) IS NULL THEN 'unknown' ELSE 'open' END AS status,
    []::VARCHAR[] AS flags, ${quoteText(captureId)} AS capture_id
  FROM ${quoteName(from)} WHERE fault IS NULL`
}

/** SELECT of the good rows with the columns of `throughput`, their line and their own instant. */
export function throughputSelect(from: string, { source, captureId }: ImportOrigin): string {
  return `SELECT line, observed AS counted_at, ${quoteText(source)} AS source, iata, terminal, checkpoint, lane_known AS lane, date_trunc('hour', observed) AS hour,
    n_passengers::INTEGER AS passengers, available_at, ${quoteText(captureId)} AS capture_id
  FROM ${quoteName(from)} WHERE fault IS NULL`
}

/** SELECT that gives raw rows of one figure a day their types and each bad row a `fault` (null for a good row). */
export function typedDaysSelect(from: string, airports: string[], lagHours: number, now: string): string {
  return `
  WITH typed AS (
    SELECT line, row_fault, upper(trim(airport)) AS area, observed_local AS day_word, TRY_CAST(trim(observed_local) AS DATE) AS day,
      passengers AS passengers_word, TRY_CAST(nullif(trim(passengers), '') AS DOUBLE) AS n_passengers
    FROM (${from})
  )
  SELECT line, area, n_passengers, timezone('UTC', day::TIMESTAMP) AS day, timezone('UTC', day + INTERVAL 1 DAY) + INTERVAL ${lagHours} HOUR AS available_at, CASE
    WHEN row_fault IS NOT NULL THEN row_fault
    WHEN area IS NULL OR NOT (regexp_full_match(area, '[A-Z]{2}-ALL') OR area IN (SELECT unnest([${airports.map(quoteText).join(', ')}]::VARCHAR[])))
      THEN 'airport: "' || coalesce(area, '') || '" is neither in the directory nor a country as a whole (US-ALL)'
    WHEN day IS NULL THEN 'observed_local: "' || coalesce(day_word, '') || '" is not a date'
    WHEN day > ${quoteText(now.slice(0, 10))}::DATE + 1 THEN 'observed_local: ' || day_word || ' is in the future'
    WHEN day < DATE '${EARLIEST}' THEN 'observed_local: ' || day_word || ' is before ${EARLIEST}'
    WHEN n_passengers IS NULL OR n_passengers NOT BETWEEN 0 AND ${MAX_PASSENGERS} THEN 'passengers: "' || coalesce(passengers_word, '') || '" must be a count between 0 and ${MAX_PASSENGERS}'
    END AS fault
  FROM typed`
}

/** SELECT of the good rows with the columns of `daily_throughput`, and their line. */
export function dailyThroughputSelect(from: string, { source, captureId }: ImportOrigin): string {
  return `SELECT line, ${quoteText(source)} AS source, area, day, n_passengers::INTEGER AS passengers, available_at, ${quoteText(captureId)} AS capture_id
  FROM ${quoteName(from)} WHERE fault IS NULL`
}
