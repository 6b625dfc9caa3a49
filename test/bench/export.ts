import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { decompress } from 'fzstd'
import { parquetReadObjects } from 'hyparquet'
import { openOpenData } from '../../api/site/open-data/published-export.ts'
import { addOpenDataRoutes } from '../../api/site/open-data/routes.ts'
import { type Cost, type Fetch, type RemoteFile, readParts } from '../../api/site/pages/browser/parquet-parts.ts'
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

const filter = { iata: { $eq: READ }, level: { $eq: 'airport' } }
const columns = ['hour', 'mean', 'p50', 'p90', 'samples']

/** Something between a reader and the service. */
interface Link {
  name: string
  round_trip_ms: number
  megabits_a_second: number
}

/** Connections of a browser to one host. */
const CONNECTIONS = 6

const LINKS: readonly Link[] = [
  { name: 'loopback', round_trip_ms: 0, megabits_a_second: Number.POSITIVE_INFINITY },
  { name: '50 ms, 20 Mbit/s', round_trip_ms: 50, megabits_a_second: 20 },
  { name: 'slow 4G (150 ms, 1.6 Mbit/s)', round_trip_ms: 150, megabits_a_second: 1.6 },
]

/** A fetch over a link: each request waits a round trip, and all bytes pass one after the other. */
function fetchOver({ round_trip_ms, megabits_a_second }: Link): Fetch {
  const waiting: (() => void)[] = []
  let busy = 0
  let free_at = 0
  return async (address, init) => {
    while (busy >= CONNECTIONS) await new Promise<void>((resolve) => waiting.push(resolve))
    busy += 1
    try {
      if (round_trip_ms > 0) await sleep(round_trip_ms)
      const answer = await fetch(address, init)
      const body = await answer.arrayBuffer()
      const now = performance.now()
      free_at = Math.max(now, free_at) + (body.byteLength * 8) / (megabits_a_second * 1_000)
      if (free_at - now > 1) await sleep(free_at - now)
      return new Response(body, { status: answer.status, headers: answer.headers })
    } finally {
      busy -= 1
      waiting.shift()?.()
    }
  }
}

/** Reads one airport of a year from parts of its files, by the module that the explorer of `/data` uses. */
async function readAirport(files: readonly RemoteFile[], link: Link, cost: Cost): Promise<number> {
  const over = fetchOver(link)
  const parts = await Promise.all(files.map((file) => readParts(file, { columns, filter }, cost, over)))
  return parts.reduce((sum, rows) => sum + rows.length, 0)
}

/** Reads the same from whole files. */
async function readWhole(files: readonly RemoteFile[], link: Link, cost: Cost): Promise<number> {
  const over = fetchOver(link)
  const compressors = {
    ZSTD: (input: Uint8Array, length: number) => decompress(input, new Uint8Array(length)),
  }
  const parts = await Promise.all(
    files.map(async ({ address }) => {
      const bytes = await (await over(address, {})).arrayBuffer()
      cost.requests += 1
      cost.bytes += bytes.byteLength
      const file = { byteLength: bytes.byteLength, slice: (start: number, end?: number) => bytes.slice(start, end) }
      return (await parquetReadObjects({ file, columns, filter, compressors })).length
    }),
  )
  return parts.reduce((sum, rows) => sum + rows, 0)
}

/** Readings of each kind; the median counts. They alternate, so that neither finds a warmer program. */
const READS = 3

/** What a reader of one airport-year pays over a link: in parts, in parts a second time, and of whole files. */
async function measureLink(origin: string, files: readonly ExportedFile[], link: Link): Promise<Measurement[]> {
  const seconds: Record<string, number[]> = { parts: [], again: [], whole: [] }
  const costs: Record<string, Cost> = {}
  for (let turn = 0; turn < READS; turn += 1) {
    // The ends of files are kept by address: other addresses of the same files are a new reader.
    const fresh = files.map((file) =>
      Object.assign({}, file, { address: `${origin}${file.address}?reader=${encodeURIComponent(link.name)}-${turn}` }),
    )
    const reads: [string, typeof readAirport][] = [
      ['parts', readAirport],
      ['again', readAirport],
      ['whole', readWhole],
    ]
    for (const [name, read] of reads) {
      const cost = { requests: 0, bytes: 0 }
      const { seconds: taken, result } = await timed(() => read(fresh, link, cost))
      if (result !== DAYS * 24) throw new Error(`${result} rows of ${name}`)
      seconds[name]!.push(taken)
      costs[name] = cost
    }
  }
  const NAMES = { parts: 'in parts', again: 'in parts, second question', whole: 'of whole files' }
  return Object.entries(NAMES).flatMap(([name, text]): Measurement[] => {
    const { requests, bytes } = costs[name]!
    const median = seconds[name]!.sort((a, b) => a - b)[Math.floor(READS / 2)]!
    const figures = [
      { name: `airport-year ${text}: requests`, value: requests, unit: '', target: null },
      { name: `airport-year ${text}: fetched`, value: bytes / 1e6, unit: 'MB', target: null },
    ]
    const time = { name: `airport-year ${text}: ${link.name}`, value: median * 1_000, unit: 'ms', target: null }
    return link === LINKS[0] ? [...figures, time] : [time]
  })
}

async function serve(dataDir: string) {
  const settings = readSettings({
    HOLDSHORT_DATA_DIR: dataDir,
    HOLDSHORT_OPEN_DATA: 'all',
    HOLDSHORT_OPEN_DATA_PER_MINUTE: '0',
  })
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
    const warehouse = await openWarehouse(dataDir)
    const run = () =>
      exportOpenData({
        warehouse,
        folder: dataPaths(dataDir).open_data,
        tables: selectTables(['all']),
        terms: { simulated: false, own_licence: 'CC-BY-4.0', grants: new Map(), own_use: false },
      })
    bar.update(1, 4, 'exporting')
    const first = await timed(run)
    bar.update(2, 4, 'exporting again')
    const again = await timed(run)
    await warehouse.close()
    const manifest = (await readExportManifest(dataPaths(dataDir).open_data)) as Manifest
    const files = manifest.files.filter(({ table, airport }) => table === 'rollups' && airport === undefined)
    const parquetBytes = files.reduce((sum, { bytes }) => sum + bytes, 0)
    bar.update(3, 4, 'reading')
    const { origin, close } = await serve(dataDir)
    try {
      // The first reads compile the decoder.
      const [warm] = LINKS
      for (const read of [readAirport, readWhole])
        await read(
          files.map((file) => Object.assign({}, file, { address: `${origin}${file.address}?reader=warm` })),
          warm!,
          { requests: 0, bytes: 0 },
        )
      const links: Measurement[] = []
      for (const link of LINKS) links.push(...(await measureLink(origin, files, link)))
      const fetched = (name: string) => links.find((each) => each.name === `airport-year ${name}: fetched`)!.value
      const { rows } = first.result
      const info = (name: string, value: number, unit: string): Measurement => ({ name, value, unit, target: null })
      return [
        info('export: rows', rows, ''),
        info('export: rows a second', rows / first.seconds, '1/s'),
        info('export: Parquet a second', parquetBytes / 1e6 / first.seconds, 'MB/s'),
        info('export: Parquet a row', parquetBytes / rows, 'bytes'),
        info('export: nothing changed', again.seconds, 's'),
        ...links,
        {
          name: 'parts: share of the bytes',
          value: fetched('in parts') / fetched('of whole files'),
          unit: 'of 1',
          target: { at_most: 0.1 },
        },
      ]
    } finally {
      await close()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}
