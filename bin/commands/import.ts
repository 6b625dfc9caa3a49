import { type Command, Option } from 'commander'
import { countText } from '../../config/count-text.ts'
import { UsageError } from '../../config/errors.ts'
import { isImported } from '../../config/publishers.ts'
import type { Settings } from '../../config/settings.ts'
import { withoutMarkup } from '../../config/untrusted-text.ts'
import { type LandedForecasts, landOutside, requireOutsideName } from '../../training/outside/land-outside.ts'
import { readForecastFile } from '../../training/scoring/forecast-file.ts'
import { DELIMITERS, type Delimiter } from '../../warehouse/storage/csv-reader.ts'
import { DECIMALS, type Decimal, type ImportReport, importCsv, importedTable } from '../../warehouse/storage/import.ts'
import { TIME_FORMATS, type TimeFormat } from '../../warehouse/storage/import-rows.ts'
import { IMPORT_COLUMNS, IMPORT_KINDS, type ImportColumn, type ImportKind } from '../../warehouse/storage/import-sql.ts'
import { lastDateDeleted } from '../../warehouse/storage/retention.ts'
import { checkSimulatedMark } from '../../warehouse/storage/simulated-mark.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import { openCommandWarehouse } from '../runtime/command-warehouse.ts'
import { settingsFor } from '../runtime/environment.ts'
import { numberFlag } from '../runtime/flags.ts'
import { addDataCommand, type DataFlags } from '../runtime/help.ts'
import { print, printError } from '../runtime/output.ts'
import { rollUpShown } from '../runtime/roll-up.ts'

interface Flags extends DataFlags {
  kind?: ImportKind
  forecaster?: string
  source: string
  map: string[]
  lagHours?: number
  timeFormat: TimeFormat
  delimiter?: Delimiter
  decimal?: Decimal
}

function columnMap(pairs: string[]): Partial<Record<ImportColumn, string>> {
  const names = Object.keys(IMPORT_COLUMNS)
  const headers: Partial<Record<string, string>> = {}
  for (const pair of pairs) {
    const [, ours = '', theirs = ''] = /^([^=]*)=(.*)$/s.exec(pair) ?? []
    if (theirs === '' || !names.includes(ours))
      throw new UsageError(`--map: "${pair}" must be <column>=<header>; the columns are ${names.join(', ')}`)
    if (headers[ours] !== undefined) throw new UsageError(`--map: names ${ours} twice; name it once`)
    headers[ours] = theirs
  }
  return headers
}

/** A year. */
const MAX_LAG_HOURS = 8_784

function delimiterFlag(text: string): Delimiter {
  const sign = DELIMITERS.find((delimiter) => delimiter === text || (delimiter === '\t' && /^(?:tab|\\t)$/i.test(text)))
  if (sign === undefined) throw new UsageError(`--delimiter: "${text}" must be , ; | or tab`)
  return sign
}

const lagFlag = (text: string) => numberFlag('--lag-hours', text, 0, MAX_LAG_HOURS)

function report({
  file,
  delimiter,
  decimal,
  rows,
  new_rows,
  already_there,
  differing_rows,
  bad_rows,
  contradicting_rows,
  bad,
  codes_read_as,
}: ImportReport): string {
  const readAs = [
    ...(delimiter === ',' ? [] : [`${delimiter === '\t' ? 'tabs' : `"${delimiter}"`} between values (--delimiter)`]),
    ...(decimal === 'point' ? [] : ['waits with a decimal comma (--decimal)']),
  ]
  const form = readAs.length > 0 ? [`  read with ${readAs.join(' and ')}`] : []
  const codes = codes_read_as.map(
    ({ code, iata, rows: rowCount, notice }) =>
      `  airport ${code}: read as ${iata} (${countText(rowCount, 'row')})${notice ? `: ${notice}` : ''}`,
  )
  const differing =
    differing_rows === 0
      ? []
      : [
          `  ${countText(differing_rows, 'row')} with another figure than the stored one of the same queue and time, which stays`,
        ]
  const contradicting =
    contradicting_rows === 0
      ? []
      : [
          `  ${countText(contradicting_rows, 'row')} contradict another one of the file: of rows with different figures for one queue and time none is imported`,
        ]
  const lines = [
    ...form,
    ...differing,
    ...contradicting,
    ...codes,
    ...bad.map(({ line, fault }) => `  line ${line}: ${fault}`),
  ]
  if (bad_rows > bad.length) lines.push(`  … and ${bad_rows - bad.length} more`)
  return [
    `${file}: ${countText(rows, 'row')}, ${new_rows} new, ${already_there} already present, ${bad_rows} bad`,
    ...lines,
  ].join('\n')
}

/** `holdshort import`: imports history from CSV files. */
export function register(program: Command): void {
  addDataCommand(program, 'import', 'print the report as JSON')
    .argument(
      '<file...>',
      `CSV with the columns ${Object.keys(IMPORT_COLUMNS).join(', ')}; of forecasts: airport, issued_at, valid_at, p10, p50, p90`,
    )
    .addOption(new Option('--kind <kind>', 'what the rows contain').choices(IMPORT_KINDS))
    .addOption(
      new Option(
        '--forecaster <name>',
        'who made the forecasts of the files: they are a contender, and serve an airport while they are clearly better than its model',
      ).conflicts(['kind', 'map', 'lagHours', 'timeFormat', 'delimiter', 'decimal']),
    )
    .option('--source <name>', 'value of the column `source`; must begin with "import"', 'import')
    .option(
      '--map <column=header>',
      'the header of a column that is named differently in the file; repeatable',
      (pair: string, all: string[]) => [...all, pair],
      [],
    )
    .option(
      '--lag-hours <hours>',
      'hours until these figures became known (default: 72 for immigration and throughput, 24 after the day for daily_throughput, otherwise 0)',
      lagFlag,
    )
    .addOption(
      new Option(
        '--time-format <format>',
        'how observed_at is written: ISO 8601, or seconds or milliseconds since 1970',
      )
        .choices(TIME_FORMATS)
        .default('iso'),
    )
    .addOption(
      new Option(
        '--delimiter <sign>',
        'what stands between two values: , ; | or tab (default: by the header)',
      ).argParser(delimiterFlag),
    )
    .addOption(
      new Option(
        '--decimal <sign>',
        'the decimal sign of waits (default: a comma where ";" is between values and no wait has a point)',
      ).choices(DECIMALS),
    )
    .action(async (files: string[], flags: Flags) => {
      if (flags.forecaster !== undefined) return importForecasts(files, flags.forecaster, flags)
      if (flags.kind === undefined)
        throw new UsageError(`--kind: must be one of ${IMPORT_KINDS.join(', ')}; or give --forecaster`)
      if (!isImported(flags.source)) throw new UsageError('--source: must begin with "import"')
      if (withoutMarkup(flags.source) !== flags.source || /[+,=]/.test(flags.source))
        throw new UsageError('--source: must not have a comma, +, =, <, >, a backtick, ]( or ://')
      const map = columnMap(flags.map)
      const settings = settingsFor(flags)
      await checkSimulatedMark(settings)
      await using warehouse = await openCommandWarehouse(settings)
      const reports: ImportReport[] = []
      try {
        for (const file of files) {
          const { kind, source, timeFormat: time, lagHours, delimiter, decimal } = flags
          const options = { kind, source, time, columnMap: map, lagHours, delimiter, decimal }
          reports.push(await importCsv(warehouse, file, options))
        }
      } finally {
        // Also of the files before one that cannot be read: their rows have landed.
        if (reports.length > 0) {
          await reportLanded(warehouse, reports, flags.json)
          await warnOfRetention(warehouse, settings, flags.kind, flags.source)
        }
      }
    })
}

/** Says on stderr how many rows of a source are of days so old that the next upkeep deletes them, and which setting keeps them. */
async function warnOfRetention(warehouse: Warehouse, settings: Settings, kind: ImportKind, source: string) {
  const { name, retention } = importedTable(kind)
  const last = lastDateDeleted(settings, retention, Date.now())
  const [old] = await warehouse.query<{ rows: number }>(
    `SELECT count(*) AS rows FROM ${name} WHERE source = $source AND date <= $last::DATE`,
    { source, last },
  )
  if (old!.rows === 0) return
  const setting = `HOLDSHORT_${retention.toUpperCase()}_DAYS`
  printError(
    `warning: ${countText(old!.rows, 'row')} of ${source} ${old!.rows === 1 ? 'is' : 'are'} of ${last} or before, and upkeep deletes them (${setting} is ${settings[`${retention}_days`]}); to keep them, set a larger ${setting} before the service runs`,
  )
}

async function reportLanded(warehouse: Warehouse, reports: ImportReport[], json?: boolean): Promise<void> {
  // Many rows at once bypass the log of the file, which then grows until a checkpoint.
  await warehouse.checkpoint()
  const days = await rollUpShown(warehouse)
  print(reports, json, () => [...reports.map(report), `${countText(days, 'day')} rolled up`].join('\n'))
  // A file of another form, or in another language: nothing of it could be read.
  if (reports.some(({ rows, bad_rows }) => bad_rows > 0 && bad_rows === rows)) process.exitCode = 1
}

type LandedFile = LandedForecasts & { file: string; forecaster: string; rows: number; of_past_hours: number }

function landedText({ file, forecaster, rows, new_rows, differing_rows, of_past_hours }: LandedFile): string {
  const text = `${file}: ${countText(rows, 'forecast')} of ${forecaster}, ${new_rows} new; ${of_past_hours} are of hours that had begun and do not count in the contest`
  if (differing_rows === 0) return text
  return `${text}\n  ${countText(differing_rows, 'forecast')} with other quantiles than the stored one of the same issue and hour, which stays`
}

/** Imports forecasts that were made elsewhere; each is known from now on. */
async function importForecasts(files: readonly string[], forecaster: string, flags: Flags): Promise<void> {
  requireOutsideName(forecaster)
  const settings = settingsFor(flags)
  const rows = files.map((file) => ({ file, forecasts: readForecastFile(file) }))
  await checkSimulatedMark(settings)
  await using warehouse = await openCommandWarehouse(settings)
  const now = Date.now()
  const reports: LandedFile[] = []
  for (const { file, forecasts } of rows) {
    const landed = await landOutside(warehouse, forecaster, forecasts, now)
    const late = forecasts.filter(({ valid_ms }) => valid_ms < now).length
    reports.push({ file, forecaster, rows: forecasts.length, ...landed, of_past_hours: late })
  }
  print(reports, flags.json, () => reports.map(landedText))
}
