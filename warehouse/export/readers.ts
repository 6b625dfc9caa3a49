import { type Manifest, TABLES_FOLDER } from './manifest.ts'

/** A few lines that read an export with a common tool. */
export interface Reader {
  name: string
  language: 'sql' | 'python' | 'r' | 'js'
  code: string
}

/** How far our tests run these lines. */
export const READERS_TESTED =
  'Our tests run the lines for DuckDB over plain files, for hyparquet, and for pandas and R from CSV, as they stand, and those for polars by its engine under Node.js. Of the others they check grammar and addresses only: pandas and R read Parquet with pyarrow and arrow, and DuckDB reads over HTTP with its extension httpfs, which are not installed where they run.'

/** The table, and the file of it, that the examples read. */
function exampleOf({ tables, files }: Pick<Manifest, 'tables' | 'files'>) {
  const table =
    tables.find(({ name, files: count }) => name === 'rollups' && count > 0) ??
    tables.find(({ files: count }) => count > 0)
  const file = files.findLast((each) => each.table === table?.name && each.airport === undefined)
  const place =
    ['iata', 'icao', 'source'].find((name) => table?.columns.some((column) => column.name === name)) ?? 'source'
  const isRollup = table?.name === 'rollups'
  const airports = files.flatMap(({ airport }) => airport ?? [])
  const iata = airports.includes('JFK') ? 'JFK' : (airports[0] ?? 'JFK')
  const value = { iata, icao: 'KJFK', source: 'faa-nas-status' }[place] ?? ''
  return {
    table: table?.name ?? 'rollups',
    path: file?.path ?? `${TABLES_FOLDER}/rollups/`,
    place,
    value,
    csv: files.find(({ airport }) => airport === iata)?.path ?? null,
    isRollup,
    time: table?.time_column ?? 'hour',
  }
}

/**
 * Lines that read one airport of an export, for each common reader. Without `served` they read the exported folder, which is the
 * working folder; with the address of a service they read from it: only the parts of the files that are needed.
 */
export function readers(
  manifest: Pick<Manifest, 'tables' | 'files'>,
  served?: { address: (path: string) => string; paths: string[] },
): Reader[] {
  const { table, path, csv, place, value, isRollup, time } = exampleOf(manifest)
  const remote = served?.paths.map(served.address) ?? []
  const glob = `${TABLES_FOLDER}/${table}/*/*/*.parquet`
  const list = (open: string, close: string) =>
    `${open}\n  ${remote.map((address) => `'${address}'`).join(',\n  ')}\n${close}`
  const conditions = [[place, value], ...(isRollup ? [['level', 'airport']] : [])] as [string, string][]
  const each = (text: (name: string, value: string) => string, between: string) =>
    conditions.map(([name, wanted]) => text(name, wanted)).join(between)
  const one = served?.address(path) ?? path
  const whole = csv === null ? null : (served?.address(csv) ?? csv)
  const fromCsv: Reader[] = whole === null ? [] : csvReaders(whole)
  return [
    {
      name: 'DuckDB',
      language: 'sql',
      code: `${served ? 'INSTALL httpfs; LOAD httpfs;\n' : ''}SELECT * FROM read_parquet(${served ? list('[', ']') : `'${glob}'`})\nWHERE ${each((name, wanted) => `${name} = '${wanted}'`, ' AND ')}\nORDER BY ${time};`,
    },
    {
      name: 'pandas',
      language: 'python',
      code: `import pandas as pd

waits = pd.read_parquet('${one}'${served ? '' : ", engine='pyarrow'"}, filters=[${each((name, wanted) => `('${name}', '==', '${wanted}')`, ', ')}])
print(waits.tail())`,
    },
    {
      name: 'polars',
      language: 'python',
      code: `import polars as pl

waits = (
    pl.scan_parquet(${served ? list('[', ']').replaceAll('\n', '\n    ') : `'${glob}'`})
    .filter(${each((name, wanted) => `pl.col('${name}') == '${wanted}'`, ', ')})
    .collect()
)
print(waits.tail())`,
    },
    {
      name: 'R',
      language: 'r',
      code: served
        ? `library(arrow)
library(dplyr)

waits <- read_parquet('${one}') |>
  filter(${each((name, wanted) => `${name} == '${wanted}'`, ', ')})
print(tail(waits))`
        : `library(arrow)
library(dplyr)

waits <- open_dataset('${TABLES_FOLDER}/${table}') |>
  filter(${each((name, wanted) => `${name} == '${wanted}'`, ', ')}) |>
  collect()
print(tail(waits))`,
    },
    {
      name: 'hyparquet (JavaScript)',
      language: 'js',
      code: `${served ? "import { asyncBufferFromUrl, parquetReadObjects } from 'hyparquet'" : "import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'"}
import { compressors } from 'hyparquet-compressors'

const file = await ${served ? `asyncBufferFromUrl({ url: '${one}' })` : `asyncBufferFromFile('${one}')`}
const waits = await parquetReadObjects({ file, compressors, filter: { ${each((name, wanted) => `${name}: '${wanted}'`, ', ')} } })
console.log(waits.at(-1))`,
    },
    ...fromCsv,
  ]
}

/** Lines that read the hours of one airport from its CSV, with nothing but the library itself. */
const csvReaders = (path: string): Reader[] => [
  {
    name: 'pandas, from CSV',
    language: 'python',
    code: `import pandas as pd

waits = pd.read_csv('${path}', parse_dates=['hour', 'local_time'])
print(waits.groupby(waits.local_time.dt.hour)['mean'].median())`,
  },
  {
    name: 'R, from CSV',
    language: 'r',
    code: `waits <- read.csv('${path}')
waits$hour <- as.POSIXct(waits$hour, format = '%Y-%m-%dT%H:%M:%SZ', tz = 'UTC')
print(aggregate(mean ~ substr(local_time, 12, 13), waits, median))`,
  },
]
