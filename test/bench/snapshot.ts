import { setTimeout as wait } from 'node:timers/promises'
import { issueKey } from '../../api/accounts/keys/keys.ts'
import { openState } from '../../api/state/open.ts'
import type { Progress } from '../../bin/runtime/output.ts'
import { airportDirectory } from '../../config/airports/directory.ts'
import { dataPaths, readSettings } from '../../config/settings.ts'
import { loadSnapshot } from '../../warehouse/publishing/snapshot/load.ts'
import { writeSnapshot } from '../../warehouse/publishing/snapshot/write.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import { bigSnapshot, markedSnapshot } from './big-snapshot.ts'
import { load } from './load.ts'
import { type Measurement, median, timed } from './measurement.ts'
import { serveProcess } from './served-process.ts'
import { type SwapReport, swapUnderLoad } from './swap.ts'

const SWAPS = 5
const STARTS = 3
const LOAD_SECONDS = 10
/** Different paths requested under load, so that the cache of answers is full when memory is measured. */
const DIFFERENT_PATHS = 4_000
const MAX_SECONDS = 60
const MAX_STALL_MS = 50
const MAX_START_SECONDS = 2
const MAX_MEMORY_MB = 400

/** Issues an enterprise key in the state of a data folder. */
export async function issueEnterpriseKey(dataDir: string): Promise<string> {
  const state = await openState(readSettings({ HOLDSHORT_DATA_DIR: dataDir }))
  try {
    return (await issueKey(state, { tier: 'enterprise' }, Date.now())).key
  } finally {
    await state.close()
  }
}

/**
 * How long a swap delays requests. The median of five is compared with the target, because a busy machine sometimes stalls
 * every process; the same without a swap and the worst of each are reported for information.
 */
function disturbances({ swaps, quiet }: SwapReport): Measurement[] {
  return (['stall', 'slowest'] as const).flatMap((of) => {
    const name = of === 'stall' ? 'stall of the api' : 'slowest answer'
    const swapped = swaps.map((period) => period[of])
    const still = quiet.map((period) => period[of])
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
  const headers = { authorization: `Bearer ${await issueEnterpriseKey(data_dir)}` }
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
    const ready: { id: string; generated_at: string; mark: number }[] = []
    for (let mark = 1; mark <= SWAPS; mark++) {
      const marked = markedSnapshot(content, mark)
      ready.push({ id: await writeSnapshot(snapshots, marked), generated_at: marked.generated_at, mark })
    }
    await wait(3_000)
    bar.update(5, 6, 'swapping under load')
    // Writing made the last one current; switching back to the first is also a swap.
    const swaps = await swapUnderLoad(server, snapshots, ready, headers)
    const peak = await server.memory()
    return [
      { name: 'snapshot: airports', value: new Set(content.forecasts.series.iata).size, unit: '', target: null },
      { name: 'snapshot: hours', value: content.forecasts.p50.length, unit: '', target: null },
      { name: 'snapshot: predict every airport', value: made.seconds, unit: 's', target: null },
      { name: 'snapshot: write', value: written.seconds, unit: 's', target: null },
      { name: 'snapshot: load', value: loaded.seconds, unit: 's', target: null },
      { name: 'snapshot: notice, load and swap in', value: Math.max(...swaps.served), unit: 's', target: null },
      {
        name: 'snapshot: predicted, written, loaded, swapped',
        value: made.seconds + written.seconds + Math.max(...swaps.served),
        unit: 's',
        target: { at_most: MAX_SECONDS },
      },
      { name: 'swap: answers asked, none lost or mixed', value: swaps.answers, unit: '', target: null },
      ...disturbances(swaps),
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
