import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { leadHere, openCommandWarehouse } from '../../bin/runtime/command-warehouse.ts'
import { openSharedStores } from '../../bin/runtime/shared-stores.ts'
import { dataPaths, readSettings, type Settings } from '../../config/settings.ts'
import { DAY_MS, HOUR_MS, isoUtc } from '../../config/vocabulary.ts'
import { median } from '../../forecasting/statistics/statistics.ts'
import { refresh } from '../../pipeline/refresh.ts'
import { loadSnapshot } from '../../warehouse/publishing/snapshot/load.ts'
import { openSnapshotFetcher } from '../../warehouse/sharing/snapshots.ts'
import { rollUp } from '../../warehouse/storage/rollup.ts'
import { quoteText } from '../../warehouse/storage/sql.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import { readings } from '../../warehouse/tables/readings.ts'
import { busyAirports } from './mcp-snapshot.ts'
import { timed } from './measurement.ts'

/**
 * `node dist/tools/bench/store-process.js fill|measure <days>`: fills the tables of the installation that the environment names with
 * readings of 72 airports, or works on them as a pipeline does and prints what that took as JSON. Two processes, so that the memory of
 * the second is that of a pipeline.
 */
const STEP_MINUTES = 15
const CYCLES = 20
const REFRESHES = 5
const AIRPORTS = busyAirports(72).map(({ iata }) => iata)

/** The durations of work on one store; milliseconds unless named otherwise, medians if it was done several times. */
export interface StoreReport {
  rows_of_cycle: number
  land: number
  roll_up: number
  first_publication: number
  publish: number
  /** A new machine fetches the snapshot and loads it. */
  first_load: number
  memory_mb: number
}

/** SELECT of readings of two lanes of every airport from one instant to another, at steps of `STEP_MINUTES`. */
const readingsOf = (from: number, to: number) => `
  SELECT 'security' AS kind, 'import-simulated' AS source, iata, '' AS terminal, 'main' AS checkpoint, lane,
    instant AS observed_at, 'source' AS observed_at_basis, instant AS fetched_at, instant AS available_at,
    (4 + hash(iata) % 12) * (0.6 + 0.4 * sin(epoch(instant) / 13751.0)) + hash(iata, lane, instant) % 5 AS wait_minutes,
    NULL AS wait_minutes_low, NULL AS wait_minutes_high, NULL AS wait_text, 'open' AS status, [] AS flags,
    'bench-' || epoch(instant)::BIGINT AS capture_id
  FROM unnest([${AIRPORTS.map(quoteText).join(', ')}]) AS airports(iata), unnest(['standard', 'precheck']) AS lanes(lane),
    generate_series(TIMESTAMPTZ ${quoteText(isoUtc(from))}, TIMESTAMPTZ ${quoteText(isoUtc(to - 1_000))},
      INTERVAL ${STEP_MINUTES} MINUTE) AS instants(instant)`

async function fill(warehouse: Warehouse, days: number, now: number): Promise<void> {
  const end = Math.floor(now / HOUR_MS) * HOUR_MS
  for (let from = end - days * DAY_MS; from < end; from += 30 * DAY_MS)
    await warehouse.landSelect(readings, readingsOf(from, Math.min(end, from + 30 * DAY_MS)))
  await rollUp(warehouse)
}

/** How long a machine without any snapshot needs until it has loaded the newest one. */
async function firstLoad(settings: Settings): Promise<number> {
  const folder = settings.store === 'folder' ? settings.data_dir : await mkdtemp(join(tmpdir(), 'holdshort-reader-'))
  const stores = settings.store === 'folder' ? undefined : await openSharedStores(settings)
  const { seconds } = await timed(async () => {
    if (stores) await openSnapshotFetcher(stores, folder, { count: 2, bytes: 1e9 })()
    if ((await loadSnapshot(dataPaths(folder).snapshots)) === null) throw new Error('no snapshot was published')
  })
  await stores?.close()
  if (stores) await rm(folder, { recursive: true })
  return seconds * 1_000
}

async function measure(settings: Settings, warehouse: Warehouse): Promise<StoreReport> {
  const milliseconds = async (work: () => Promise<unknown>) => (await timed(work)).seconds * 1_000
  const lead = await leadHere(settings)
  const refreshed = () =>
    refresh(
      {
        warehouse,
        now: Date.now,
        simulated: false,
        sources: [],
        beforeCurrent: async (id) => void (await lead.beforeCurrent?.(id)),
        predict: async () => 0,
      },
      { predict: 'never' },
    )
  const first = await refreshed()
  const lands: number[] = []
  const reports: Awaited<ReturnType<typeof refreshed>>['milliseconds'][] = []
  let rows = 0
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    const now = Date.now()
    lands.push(
      await milliseconds(async () => (rows = await warehouse.landSelect(readings, readingsOf(now, now + 2_000)))),
    )
    if (cycle % (CYCLES / REFRESHES) === 0) reports.push((await refreshed()).milliseconds)
  }
  await lead.end()
  return {
    rows_of_cycle: rows,
    land: median(lands),
    roll_up: median(reports.map(({ roll_up }) => roll_up)),
    first_publication: first.milliseconds.publish,
    publish: median(reports.map(({ publish }) => publish)),
    first_load: await firstLoad(settings),
    memory_mb: process.resourceUsage().maxRSS / 1_024,
  }
}

const [task, days] = process.argv.slice(2)
const settings = readSettings(process.env)
await using warehouse = await openCommandWarehouse(settings)
if (task === 'fill') await fill(warehouse, Number(days), Date.now())
else process.stdout.write(JSON.stringify(await measure(settings, warehouse)))
