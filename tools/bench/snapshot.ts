import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Progress } from '../../bin/runtime/output.ts'
import { airportDirectory } from '../../config/airports/directory.ts'
import { dataPaths } from '../../config/settings.ts'
import { isoUtc } from '../../config/vocabulary.ts'
import { median } from '../../forecasting/statistics/statistics.ts'
import { loadSnapshot } from '../../warehouse/publishing/snapshot/load.ts'
import { writeSnapshot } from '../../warehouse/publishing/snapshot/write.ts'
import { writeWhole } from '../../warehouse/storage/files.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import { bigSnapshot } from './big-snapshot.ts'
import { load } from './load.ts'
import { type Measurement, timed } from './measurement.ts'
import { enterpriseHeaders, type ServedProcess, serveProcess } from './served-process.ts'

const SWAPS = 5
const STARTS = 3
const CONNECTIONS = 8
const QUIET_MS = 1_000
/** The bench fails if a published snapshot is not served within this time. */
const TIMEOUT_MS = 20_000
const LOAD_SECONDS = 10
/** Different paths requested under load, so that the cache of answers is full when memory is measured. */
const DIFFERENT_PATHS = 4_000
const MAX_SECONDS = 60
const MAX_STALL_MS = 50
const MAX_START_SECONDS = 2
const MAX_MEMORY_MB = 400

/** How long requests are delayed within a period, in ms: the longest stall of the server's event loop, and the slowest answer. */
interface Disturbance {
  stall: number
  slowest: number
}

/**
 * Switches a running server through prepared snapshots while clients request airports all over the world, each after a period
 * without a switch. `test/api/server.test.ts` tests that no answer mixes two snapshots.
 */
async function swapUnderLoad(
  { url, longestStall }: ServedProcess,
  current: string,
  ids: readonly string[],
  headers: Record<string, string>,
) {
  const served: number[] = []
  const swapTo = async (id: string) => {
    await writeWhole(current, id)
    const start = performance.now()
    for (; ; await wait(5)) {
      const { snapshot } = (await (await fetch(`${url}/health`)).json()) as { snapshot: { id: string } }
      if (snapshot.id === id) break
      if (performance.now() - start > TIMEOUT_MS) throw new Error(`${id} was not served in time`)
    }
    served.push((performance.now() - start) / 1_000)
    await wait(200)
  }
  const { all } = airportDirectory()
  let answers = 0
  let slowest = 0
  const client = async (signal: AbortSignal) => {
    while (!signal.aborted) {
      const start = performance.now()
      const { iata } = all[(answers++ * 7_919) % all.length]!
      const answer = await fetch(`${url}/api/v1/airports/${iata}/predictions`, { headers })
      await answer.arrayBuffer()
      if (answer.status !== 200) throw new Error(`an answer was ${answer.status} during a swap`)
      slowest = Math.max(slowest, performance.now() - start)
    }
  }
  const disturbance = async (work: () => Promise<unknown>): Promise<Disturbance> => {
    await longestStall()
    slowest = 0
    await work()
    return { stall: await longestStall(), slowest }
  }
  const swaps: Disturbance[] = []
  const quiet: Disturbance[] = []
  const stopping = new AbortController()
  const clients = Array.from({ length: CONNECTIONS }, () => client(stopping.signal))
  const script = async () => {
    for (const id of ids) {
      quiet.push(await disturbance(() => wait(QUIET_MS)))
      swaps.push(await disturbance(() => swapTo(id)))
    }
    stopping.abort()
  }
  await Promise.all([script(), ...clients]).finally(() => stopping.abort())
  return { served, swaps, quiet }
}

/**
 * The median of five is compared with the target, because a busy machine sometimes stalls every process; the same without a swap and
 * the worst of each are reported for information.
 */
function disturbances(swaps: Disturbance[], quiet: Disturbance[]): Measurement[] {
  return (['stall', 'slowest'] as const).flatMap((figure) => {
    const name = figure === 'stall' ? 'stall of the api' : 'slowest answer'
    const swapped = swaps.map((period) => period[figure])
    const still = quiet.map((period) => period[figure])
    return [
      { name: `swap: ${name}`, value: median(swapped), unit: 'ms', target: { at_most: MAX_STALL_MS } },
      { name: `swap: ${name}, none swapped`, value: median(still), unit: 'ms', target: null },
      { name: `swap: ${name}, worst`, value: Math.max(...swapped), unit: 'ms', target: null },
      { name: `swap: ${name}, none swapped, worst`, value: Math.max(...still), unit: 'ms', target: null },
    ]
  })
}

/** Measures building, writing, loading, serving and swapping the largest snapshot. */
export async function benchSnapshot(warehouse: Warehouse, now: number, bar: Progress): Promise<Measurement[]> {
  const { data_dir } = warehouse
  const { snapshots } = dataPaths(data_dir)
  const headers = await enterpriseHeaders(data_dir)
  bar.update(0, 6, 'predicting every airport')
  const made = await timed(() => bigSnapshot(warehouse, now))
  const content = made.result
  bar.update(1, 6, 'writing')
  const written = await timed(() => writeSnapshot(snapshots, content))
  const loaded = await timed(() => loadSnapshot(snapshots))
  if (loaded.result?.id !== written.result) throw new Error('another snapshot was loaded than was written')

  bar.update(2, 6, 'starting the api')
  const starts: number[] = []
  for (let start = 1; start < STARTS; start++) {
    const server = await serveProcess(data_dir, headers)
    starts.push(server.first_answer_seconds)
    await server.stop()
  }
  const server = await serveProcess(data_dir, headers)
  starts.push(server.first_answer_seconds)
  try {
    bar.update(3, 6, 'loading the api')
    const codes = airportDirectory().all.slice(0, DIFFERENT_PATHS)
    const paths = codes.map(({ iata }, n) => `/api/v1/airports/${iata}/${n % 2 ? 'predictions' : 'wait-times'}`)
    const before = await server.memory()
    await load(server.url, { seconds: LOAD_SECONDS, headers, paths })
    const after = await server.memory()

    bar.update(4, 6, 'preparing five snapshots')
    const ids: string[] = []
    for (let later = 1; later <= SWAPS; later++)
      ids.push(await writeSnapshot(snapshots, { ...content, generated_at: isoUtc(now + later * 1_000) }))
    await wait(3_000)
    bar.update(5, 6, 'swapping under load')
    // Writing made the last one current; switching back to the first is also a swap.
    const { served, swaps, quiet } = await swapUnderLoad(server, join(snapshots, 'CURRENT'), ids, headers)
    const peak = await server.memory()
    return [
      { name: 'snapshot: airports', value: new Set(content.forecasts.series.iata).size, unit: '', target: null },
      { name: 'snapshot: hours', value: content.forecasts.p50.length, unit: '', target: null },
      { name: 'snapshot: predict every airport', value: made.seconds, unit: 's', target: null },
      { name: 'snapshot: write', value: written.seconds, unit: 's', target: null },
      { name: 'snapshot: load', value: loaded.seconds, unit: 's', target: null },
      { name: 'snapshot: notice, load and swap in', value: Math.max(...served), unit: 's', target: null },
      {
        name: 'snapshot: predicted, written, loaded, swapped',
        value: made.seconds + written.seconds + Math.max(...served),
        unit: 's',
        target: { at_most: MAX_SECONDS },
      },
      ...disturbances(swaps, quiet),
      { name: 'api: start to first answer', value: median(starts), unit: 's', target: { at_most: MAX_START_SECONDS } },
      { name: 'api: memory after its start', value: before.now, unit: 'MB', target: null },
      { name: 'api: memory under load', value: after.now, unit: 'MB', target: { at_most: MAX_MEMORY_MB } },
      {
        name: 'api: memory at its highest, swaps too',
        value: peak.highest,
        unit: 'MB',
        target: { at_most: MAX_MEMORY_MB },
      },
    ]
  } finally {
    await server.stop()
  }
}
