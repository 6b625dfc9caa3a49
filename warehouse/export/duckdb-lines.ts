import { type Manifest, TABLES_FOLDER } from './manifest.ts'

/** Values of the columns that the example selects by, in the order of preference. */
const PLACES = { iata: 'JFK', icao: 'KJFK', source: 'faa-nas-status' } as const

/**
 * SQL for DuckDB that reads one airport of an export. Without `addresses` it reads the exported folder, which is the working folder;
 * with the addresses of files of a service it reads from there, and only the parts of the files that are needed.
 */
export function duckdbLines(
  { tables, files }: Pick<Manifest, 'tables' | 'files'>,
  addresses?: readonly string[],
): string {
  const exported = tables.filter((table) => table.files > 0)
  const table = exported.find(({ name }) => name === 'rollups') ?? exported[0]
  const columns = table?.columns.map(({ name }) => name) ?? []
  const place = (Object.keys(PLACES) as (keyof typeof PLACES)[]).find((name) => columns.includes(name)) ?? 'source'
  const airports = files.flatMap(({ airport }) => airport ?? [])
  const value = place === 'iata' && airports.length > 0 && !airports.includes(PLACES.iata) ? airports[0] : PLACES[place]
  const from = addresses
    ? `[\n  ${addresses.map((address) => `'${address}'`).join(',\n  ')}\n]`
    : `'${TABLES_FOLDER}/${table?.name ?? 'rollups'}/*/*/*.parquet'`
  return [
    ...(addresses ? ['INSTALL httpfs; LOAD httpfs;'] : []),
    `SELECT * FROM read_parquet(${from})`,
    `WHERE ${place} = '${value}'${table?.name === 'rollups' ? " AND level = 'airport'" : ''}`,
    `ORDER BY ${table?.time_column ?? 'hour'};`,
  ].join('\n')
}
