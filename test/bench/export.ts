import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { decompress } from 'fzstd'
import { type AsyncBuffer, asyncBufferFromUrl, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { openOpenData } from '../../api/site/open-data/published-export.ts'
import { addOpenDataRoutes } from '../../api/site/open-data/routes.ts'
import type { Progress } from '../../bin/runtime/output.ts'
import { dataPaths, readSettings } from '../../config/settings.ts'
import { exportOpenData } from '../../warehouse/export/export.ts'
import { selectTables } from '../../warehouse/export/exported-tables.ts'
import { type ExportedFile, type Manifest, readExportManifest } from '../../warehouse/export/manifest.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { rollups } from '../../warehouse/tables/rollups.ts'
import { type Measurement, timed } from './measurement.ts'

const AIRPORTS = 50
/** Rows an hour of each airport: itself and its checkpoints. */
const LEVELS = 5
const DAYS = 365
const READ = 'AAK'

/** Hourly waits of a year: what an installation of a year has. */
async function landYear(dataDir: string): Promise<void> {
  const warehouse = await openWarehouse(dataDir)
  try {
    await warehouse.landSelect(
      rollups,
      `SELECT 'security' AS kind, CASE level WHEN 0 THEN 'airport' ELSE 'checkpoint' END AS level,
         'A' || chr((65 + place // 26)::INTEGER) || chr((65 + place % 26)::INTEGER) AS iata, CASE level WHEN 0 THEN '' ELSE 'T' || level % 2 END AS terminal,
         CASE level WHEN 0 THEN '' ELSE 'Checkpoint ' || level END AS checkpoint, 'standard' AS lane, hour, hour + INTERVAL 1 HOUR AS available_at,
         round(4 + hash(place, level, hour) % 300 / 10.0, 1) AS mean, hash(place, hour) % 30 AS p50, 30 + hash(level, hour) % 20 AS p90,
         50 + hash(hour) % 9 AS max, 2 + hash(place, level, hour) % 10 AS samples, 0 AS flagged, 'cbp-awt' AS source, NULL AS known_from
       FROM range(0, ${AIRPORTS}) places(place), range(0, ${LEVELS}) levels(level),
         generate_series('2025-01-01T00:00:00Z'::TIMESTAMPTZ, '2025-01-01T00:00:00Z'::TIMESTAMPTZ + INTERVAL ${DAYS * 24 - 1} HOUR, INTERVAL 1 HOUR) hours(hour)`,
    )
  } finally {
    await warehouse.close()
  }
}

interface Cost {
  requests: number
  bytes: number
}

const compressors = {
  ZSTD: (input: Uint8Array, length: number) => decompress(input, new Uint8Array(length)),
}

/** Reads one airport of a year from a service, as the explorer of `/data` does: the end of each file, then its row groups. */
async function readAirport(origin: string, files: readonly ExportedFile[], cost: Cost): Promise<number> {
  const parts = await Promise.all(
    files.map(async ({ address, bytes, footer_bytes = 0 }) => {
      const counted = async (input: RequestInfo | URL, init?: RequestInit) => {
        const answer = await fetch(input, init)
        cost.requests += 1
        cost.bytes += Number(answer.headers.get('content-length'))
        return answer
      }
      const file = await asyncBufferFromUrl({ url: origin + address, byteLength: bytes, fetch: counted })
      const metadata = await parquetMetadataAsync(file, { initialFetchSize: footer_bytes })
      return rowsIn(file, metadata)
    }),
  )
  return parts.reduce((sum, rows) => sum + rows, 0)
}

async function rowsIn(file: AsyncBuffer, metadata?: Awaited<ReturnType<typeof parquetMetadataAsync>>): Promise<number> {
  const filter = { iata: { $eq: READ }, level: { $eq: 'airport' } }
  const columns = ['hour', 'mean', 'p50', 'p90', 'samples']
  return (await parquetReadObjects({ file, columns, filter, compressors, ...(metadata && { metadata }) })).length
}

/** Reads the same from whole files. */
async function readWhole(origin: string, files: readonly ExportedFile[], cost: Cost): Promise<number> {
  let rows = 0
  for (const { address } of files) {
    const bytes = await (await fetch(origin + address)).arrayBuffer()
    cost.requests += 1
    cost.bytes += bytes.byteLength
    rows += await rowsIn({ byteLength: bytes.byteLength, slice: (start, end) => bytes.slice(start, end) })
  }
  return rows
}

async function serve(dataDir: string) {
  const settings = readSettings({ HOLDSHORT_DATA_DIR: dataDir, HOLDSHORT_OPEN_DATA: 'all' })
  const app = Fastify()
  addOpenDataRoutes(app, openOpenData(settings), { settings })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  return { origin, close: () => app.close() }
}

/** Export of a year of hourly waits, again without a change, and what a remote reader of one airport-year pays. */
export async function benchExport(bar: Progress): Promise<Measurement[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdshort-bench-'))
  try {
    bar.update(0, 4, 'landing')
    await landYear(dataDir)
    const run = () =>
      exportOpenData({
        warehouse: dataPaths(dataDir).warehouse,
        folder: dataPaths(dataDir).open_data,
        tables: selectTables(['all']),
        terms: { simulated: false, own_licence: 'CC-BY-4.0', grants: new Map(), own_use: false },
      })
    bar.update(1, 4, 'exporting')
    const first = await timed(run)
    bar.update(2, 4, 'exporting again')
    const again = await timed(run)
    const manifest = (await readExportManifest(dataPaths(dataDir).open_data)) as Manifest
    const files = manifest.files.filter(({ table, airport }) => table === 'rollups' && airport === undefined)
    const parquetBytes = files.reduce((sum, { bytes }) => sum + bytes, 0)
    bar.update(3, 4, 'reading')
    const { origin, close } = await serve(dataDir)
    try {
      const parts: Cost = { requests: 0, bytes: 0 }
      const whole: Cost = { requests: 0, bytes: 0 }
      // The first read compiles the decoder.
      await readAirport(origin, files.slice(0, 1), { requests: 0, bytes: 0 })
      const some = await timed(() => readAirport(origin, files, parts))
      const all = await timed(() => readWhole(origin, files, whole))
      if (some.result !== DAYS * 24 || all.result !== some.result)
        throw new Error(`${some.result} rows of parts, ${all.result} of whole files`)
      const { rows } = first.result
      const info = (name: string, value: number, unit: string): Measurement => ({ name, value, unit, target: null })
      return [
        info('export: rows', rows, ''),
        info('export: rows a second', rows / first.seconds, '1/s'),
        info('export: Parquet a second', parquetBytes / 1e6 / first.seconds, 'MB/s'),
        info('export: Parquet a row', parquetBytes / rows, 'bytes'),
        info('export: nothing changed', again.seconds, 's'),
        info('airport-year in parts: requests', parts.requests, ''),
        info('airport-year in parts: fetched', parts.bytes / 1e6, 'MB'),
        info('airport-year in parts: time', some.seconds * 1_000, 'ms'),
        info('airport-year of whole files: requests', whole.requests, ''),
        info('airport-year of whole files: fetched', whole.bytes / 1e6, 'MB'),
        info('airport-year of whole files: time', all.seconds * 1_000, 'ms'),
        { name: 'parts: share of the bytes', value: parts.bytes / whole.bytes, unit: 'of 1', target: { at_most: 0.1 } },
      ]
    } finally {
      await close()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}
