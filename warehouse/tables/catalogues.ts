import { airportDirectory } from '../../config/airports/directory.ts'
import { allSources } from '../../config/sources.ts'
import { column } from './questions.ts'
import { rollupsKnownAt } from './rollups.ts'

/** A table that is made from the catalogues of the release, to join with: column, type and meaning. */
interface Catalogue {
  name: string
  about: string
  columns: Record<string, { type: string; meaning: string }>
  rows: () => readonly object[]
  /** Files of the project that the rows are made of. */
  files: readonly string[]
}

/** Tables of `holdshort query` beside those of the warehouse. */
export const CATALOGUES: readonly Catalogue[] = [
  {
    name: 'airports',
    about: 'The airports of the directory, to join with `iata`.',
    columns: {
      iata: column('VARCHAR', 'IATA code.'),
      icao: column('VARCHAR', 'ICAO code.'),
      faa_id: column('VARCHAR', 'Id of the FAA in the US and its territories.'),
      name: column('VARCHAR', 'Name.'),
      city: column('VARCHAR', 'City that it serves.'),
      country: column('VARCHAR', 'ISO 3166-1 alpha-2 code.'),
      region: column('VARCHAR', 'State, province or the like.'),
      latitude: column('DOUBLE', 'Degrees north.'),
      longitude: column('DOUBLE', 'Degrees east.'),
      elevation_ft: column('DOUBLE', 'Feet above the sea.'),
      timezone: column('VARCHAR', 'IANA time zone, for `local_time(observed_at, timezone)`.'),
      size: column('VARCHAR', 'large, medium or small.'),
      scheduled_service: column('BOOLEAN', 'Whether airlines fly there on a schedule.'),
    },
    rows: () => airportDirectory().all,
    files: ['config/airports/directory.json', 'config/airports/search/cities.json'],
  },
  {
    name: 'sources',
    about: 'The sources of the catalogue, to join with `source`.',
    columns: {
      id: column('VARCHAR', 'Id of the source: `source` in the other tables.'),
      name: column('VARCHAR', 'Name.'),
      kind: column('VARCHAR', 'What its readings are about.'),
      airports: column('VARCHAR[]', 'IATA codes of its airports; empty when it covers many.'),
      publisher: column('VARCHAR', 'Kind of publisher, which says how close it is to the queue.'),
      timeliness: column('VARCHAR', 'live, or history: published days later.'),
      cadence_seconds: column('INTEGER', 'Seconds between two runs.'),
      active: column('BOOLEAN', 'Whether it is collected.'),
      why_off: column('VARCHAR', 'Why it is off.'),
      url: column('VARCHAR', 'Address that is requested.'),
      page_url: column('VARCHAR', 'Page that a person would open.'),
      attribution: column('VARCHAR', 'Whom to name.'),
      terms: column('VARCHAR', 'What is known of its terms.'),
      confidence: column('VARCHAR', 'Confidence that it answers as described.'),
      last_verified: column('DATE', 'Day of the newest evidence.'),
    },
    rows: () => allSources(),
    files: ['config/sources.json'],
  },
]

/** Columns that a table with a local instant has in `holdshort query`, with their meaning. */
export const LOCAL_COLUMNS: Record<string, { type: string; sql: string; meaning: (instant: string) => string }> = {
  local_time: {
    type: 'TIMESTAMP',
    sql: 'local_time',
    meaning: (instant) => `\`${instant}\` on the clocks of the airport.`,
  },
  local_hour: { type: 'INTEGER', sql: 'hour(local_time)::INTEGER', meaning: () => 'Hour of `local_time`, 0 to 23.' },
  local_weekday: {
    type: 'INTEGER',
    sql: 'isodow(local_time)::INTEGER',
    meaning: () => 'Day of `local_time`, 1 (Monday) to 7 (Sunday).',
  },
}

/** The explanation of local times in `holdshort query`, as Markdown. */
export const LOCAL_TIME_ABOUT =
  "`local_time(instant, zone)` is the time on the clocks of a zone by Holdshort's own time zone rules, as in `local_time(observed_at, 'America/Vancouver')`; null for an unknown zone. A join by local time is fast only if each side computes it in a subquery first. `AT TIME ZONE 'America/Vancouver'` follows the older rules of DuckDB, which do not know the changes of 2026: use it with `'UTC'` only."

/** A table of `holdshort query` with an instant in brackets: what was known then. */
export const AS_OF: readonly { name: string; about: string; sql: string }[] = [
  {
    name: 'rollups_as_of',
    about: 'The hours as they were known at the instant: also those that were corrected, or vanished, later.',
    sql: rollupsKnownAt('instant', 'rollups', 'rollup_history'),
  },
  {
    name: 'readings_as_of',
    about: 'The readings that were available at the instant, as they are parsed today.',
    sql: 'SELECT * FROM readings WHERE available_at <= instant::TIMESTAMPTZ',
  },
  {
    name: 'forecasts_as_of',
    about: 'The newest forecast of each queue that was issued by the instant.',
    sql: `SELECT * FROM forecasts WHERE issued_at <= instant::TIMESTAMPTZ
        AND date >= ((instant::TIMESTAMPTZ - INTERVAL 8 DAY) AT TIME ZONE 'UTC')::DATE
      QUALIFY issued_at = max(issued_at) OVER (PARTITION BY kind, iata, terminal, direction)`,
  },
  {
    name: 'runs_as_of',
    about: 'The requests to sources that had ended at the instant.',
    sql: 'SELECT * FROM runs WHERE finished_at <= instant::TIMESTAMPTZ',
  },
  {
    name: 'states_as_of',
    about: 'The state in which each source, and each fact of an airport, was at the instant, since when and why.',
    sql: `SELECT * FROM state_changes WHERE since <= instant::TIMESTAMPTZ
      QUALIFY row_number() OVER (PARTITION BY subject ORDER BY since DESC) = 1`,
  },
]
