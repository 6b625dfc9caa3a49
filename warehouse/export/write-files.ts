import { mkdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { timezoneOf } from '../../config/airports/directory.ts'
import { readRows } from '../storage/duckdb.ts'
import { sha256Of, sha256OfFile } from '../storage/file-identity.ts'
import { createLocalTime, joinOffset, localTimeOf } from '../storage/local-time-sql.ts'
import { quoteName, quoteText } from '../storage/sql.ts'
import type { Column, Table } from '../tables/define.ts'
import { type ExportedTable, exportOrder } from './exported-tables.ts'
import { type Exclusion, type ExportedFile, TABLES_FOLDER } from './manifest.ts'
import { mayLeave, sourcesInCell, type TermsContext, termsOf } from './terms.ts'

/** The column that every exported row has beside those of its table. */
const SIMULATED_COLUMN = 'simulated'
const SIMULATED_MEANING = 'Whether the row was made by a simulator; it then says nothing about the real airport.'

/** The columns of an exported table with their meaning. */
export function exportedColumns({ columns }: Table): { name: string; type: Column['type']; meaning: string }[] {
  return [
    ...Object.entries(columns).map(([name, { type, meaning }]) => ({ name, type, meaning })),
    { name: SIMULATED_COLUMN, type: 'BOOLEAN', meaning: SIMULATED_MEANING },
  ]
}

const mark = (simulated: boolean) => (simulated ? '-simulated' : '')

/** The path of a month of a table in an export. */
function monthPath({ name }: Table, month: string, simulated: boolean): string {
  const [year, monthOfYear] = month.split('-')
  return `${TABLES_FOLDER}/${name}/year=${year}/month=${monthOfYear}/${name}-${month}${mark(simulated)}.parquet`
}

const csvPath = (iata: string, simulated: boolean) => `${TABLES_FOLDER}/airports/${iata}${mark(simulated)}.csv`

/** The engine's smallest row group; sizes are multiples of it. */
const VECTOR_ROWS = 2_048
const MAX_GROUP_ROWS = 122_880
/** Bytes that a column of a row group costs in the footer, and that a value costs in its row group: measured on hourly waits. */
const FOOTER_BYTES = 105
const VALUE_BYTES = 1

/**
 * Rows of a row group. A reader of one airport fetches the footer, which grows with the number of groups, and about one group,
 * which shrinks with it: the sum is least at the root of their product.
 */
export function groupRows(rows: number): number {
  const best = Math.sqrt((rows * FOOTER_BYTES) / VALUE_BYTES)
  return Math.min(MAX_GROUP_ROWS, Math.max(1, Math.ceil(best / VECTOR_ROWS)) * VECTOR_ROWS)
}

/** A month as it was written below a folder: its file, unless no row of it may leave, and the rows that may not. */
export interface WrittenMonth {
  file: ExportedFile | null
  left_out: Exclusion[]
}

/** Counts of the rows of a month by the value of their source column. */
async function countBySource(connection: DuckDBConnection, from: string) {
  return readRows<{ source: string | null; rows: number }>(
    connection,
    `SELECT source, count(*) AS rows FROM (${from}) GROUP BY source ORDER BY source`,
  )
}

/** Writes a month of a table, whose rows are in `spool`, below a folder: the rows that may leave, in a total order, as one Parquet file. */
export async function writeMonth(
  connection: DuckDBConnection,
  folder: string,
  { table, credit }: ExportedTable,
  month: string,
  spool: string,
  terms: TermsContext,
): Promise<WrittenMonth> {
  const from = `SELECT * FROM read_parquet(${quoteText(spool)})`
  const counts = credit === 'source' ? await countBySource(connection, from) : null
  const left_out = (counts ?? [])
    .filter(({ source }) => !mayLeave(source, terms))
    .map(({ source, rows }) => ({ table: table.name, source, rows, reason: reasonOf(source, terms) }))
  const allowed = counts?.filter(({ source }) => mayLeave(source, terms))
  if (allowed?.length === 0) return { file: null, left_out }
  const columns = Object.keys(table.columns).map(quoteName).join(', ')
  const where =
    left_out.length === 0
      ? ''
      : `WHERE source IN (${allowed!.map(({ source }) => (source === null ? 'NULL' : quoteText(source))).join(', ')})`
  const rows = allowed?.reduce((sum, source) => sum + source.rows, 0) ?? (await countRows(connection, from))
  if (rows === 0) return { file: null, left_out }
  const path = monthPath(table, month, terms.simulated)
  const target = join(folder, path)
  await mkdir(dirname(target), { recursive: true })
  const metadata = `{holdshort_table: ${quoteText(table.name)}, simulated: '${terms.simulated}'}`
  await connection.run(
    `COPY (SELECT ${columns}, ${terms.simulated} AS ${SIMULATED_COLUMN} FROM (${from}) ${where}
       ORDER BY ${exportOrder(table).map(quoteName).join(', ')})
     TO ${quoteText(target)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${groupRows(rows)}, WRITE_BLOOM_FILTER false, KV_METADATA ${metadata})`,
  )
  const [span] = await readRows<{ first: string; last: string }>(
    connection,
    `SELECT min(${quoteName(table.age)}) AS first, max(${quoteName(table.age)}) AS last FROM read_parquet(${quoteText(target)})`,
  )
  const { size } = await stat(target)
  return {
    left_out,
    file: {
      path,
      table: table.name,
      rows,
      bytes: size,
      sha256: await sha256OfFile(target),
      from: span!.first,
      to: span!.last,
      sources: idsOf(allowed?.map(({ source }) => source) ?? []),
    },
  }
}

async function countRows(connection: DuckDBConnection, from: string): Promise<number> {
  return (await readRows<{ rows: number }>(connection, `SELECT count(*) AS rows FROM (${from})`))[0]!.rows
}

function reasonOf(cell: string | null, terms: TermsContext): string {
  if (cell === null) return 'Its source is unknown.'
  const unknown = sourcesInCell(cell).find((source) => termsOf(source, terms).licence === null)!
  const { credit, terms: text } = termsOf(unknown, terms)
  return `No licence to pass on the figures of ${unknown} (${credit}) is known. ${text}`
}

/** The ids of the sources that some cells name. */
const idsOf = (cells: readonly (string | null)[]): string[] =>
  [...new Set(cells.flatMap((cell) => (cell === null ? [] : sourcesInCell(cell))))].sort()

/** The table that the CSV of each airport is taken from, and its level. */
export const CSV_TABLE = 'rollups'
/** Quantiles of whole minutes end in digits of binary fractions, like 11.700000000000001. */
const decimals = (column: string) => `round(${column}, 3)`
/** The columns of a CSV, with the SQL of their cells. */
const CSV_CELLS: Record<string, string> = {
  iata: 'iata',
  kind: 'kind',
  hour: "strftime(hour AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%SZ')",
  local_time: `strftime(${localTimeOf('hour')}, '%Y-%m-%dT%H:%M:%S')`,
  mean: decimals('mean'),
  p50: decimals('p50'),
  p90: decimals('p90'),
  max: decimals('"max"'),
  samples: 'samples',
  source: "coalesce(source, '')",
  simulated: 'simulated',
}

/** The meaning of the CSV columns of an airport, if they are not those of the table. */
export const CSV_MEANINGS: Record<string, string> = {
  local_time: 'Start of the hour on the clock of the airport.',
}
export const CSV_COLUMNS: readonly string[] = Object.keys(CSV_CELLS)

/** Airports whose CSV is made by one statement. */
const AIRPORTS_AT_ONCE = 16

/**
 * Writes below a folder one CSV for each airport: its hourly waits as a whole airport, of all months of the exported files
 * `paths`.
 */
export async function writeAirportCsvs(
  connection: DuckDBConnection,
  folder: string,
  paths: readonly string[],
  simulated: boolean,
): Promise<ExportedFile[]> {
  if (paths.length === 0) return []
  const from = `read_parquet([${paths.map(quoteText).join(', ')}])`
  const airports = await readRows<{ iata: string }>(
    connection,
    `SELECT DISTINCT iata FROM ${from} WHERE level = 'airport' ORDER BY iata`,
  )
  await createLocalTime(
    connection,
    airports.map(({ iata }) => timezoneOf(iata)),
  )
  const files: ExportedFile[] = []
  for (let start = 0; start < airports.length; start += AIRPORTS_AT_ONCE) {
    const batch = airports.slice(start, start + AIRPORTS_AT_ONCE).map(({ iata }) => iata)
    for (const { iata, lines, rows, first, last, sources } of await csvOf(connection, from, batch)) {
      const path = csvPath(iata, simulated)
      const target = join(folder, path)
      const text = `${CSV_COLUMNS.join(',')}\n${lines}\n`
      await mkdir(dirname(target), { recursive: true })
      await writeFile(target, text)
      files.push({
        path,
        table: CSV_TABLE,
        airport: iata,
        rows,
        bytes: Buffer.byteLength(text),
        sha256: sha256Of(text),
        from: first,
        to: last,
        sources: idsOf(sources),
      })
    }
  }
  return files
}

interface CsvRow {
  iata: string
  lines: string
  rows: number
  first: string
  last: string
  sources: (string | null)[]
}

/** The lines of the CSVs of some airports. Every cell is a code, a number, an instant or ids of sources, so none needs quotes. */
async function csvOf(connection: DuckDBConnection, from: string, airports: readonly string[]): Promise<CsvRow[]> {
  const zones = airports.map((iata) => `(${quoteText(iata)}, ${quoteText(timezoneOf(iata))})`)
  const cells = Object.values(CSV_CELLS)
  return readRows<CsvRow>(
    connection,
    `WITH zones(place, zone) AS (VALUES ${zones.join(', ')}),
     hours AS (
       SELECT iata, kind, hour, source, concat_ws(',', ${cells.map((cell) => `(${cell})::VARCHAR`).join(', ')}) AS line
       FROM ${from} JOIN zones ON iata = place ${joinOffset('zone', 'hour')} WHERE level = 'airport'
     )
     SELECT iata, string_agg(line, chr(10) ORDER BY kind, hour) AS lines, count(*) AS rows, min(hour) AS first, max(hour) AS last, list(DISTINCT source) AS sources
     FROM hours GROUP BY iata ORDER BY iata`,
  )
}
