import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { lowerPriority } from '../../bin/runtime/lower-priority.ts'
import type { Progress } from '../../bin/runtime/output.ts'
import { CLI } from '../../bin/runtime/supervised-child.ts'
import { trainApart } from '../../bin/runtime/train-apart.ts'
import { airportDirectory } from '../../config/airports/directory.ts'
import { readSettings, type Settings } from '../../config/settings.ts'
import { DAY_MS } from '../../config/vocabulary.ts'
import { median } from '../../forecasting/statistics/statistics.ts'
import { exportHistory } from '../../pipeline/simulator/history.ts'
import { publish } from '../../warehouse/publishing/publish.ts'
import { importCsv } from '../../warehouse/storage/import.ts'
import { rollUp } from '../../warehouse/storage/rollup.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import { load } from './load.ts'
import type { Measurement } from './measurement.ts'
import { enterpriseHeaders, serveProcess } from './served-process.ts'

const RATE = 2_000
const MAX_P99_MS = 10
const ROUNDS = 5
const SECONDS = 4
const HISTORY_DAYS = 60
const AIRPORTS = 100

/** A mix of what clients ask: mostly current waits, some forecasts, delays and searches. */
function mixedPaths(): string[] {
  const codes = airportDirectory()
    .all.slice(0, AIRPORTS)
    .map(({ iata }) => iata)
  return codes.flatMap((iata) => [
    `/api/v1/airports/${iata}/wait-times`,
    `/api/v1/airports/${iata}/delays`,
    `/api/v1/airports/${iata}/wait-times`,
    `/api/v1/airports/${iata}/predictions`,
  ])
}

/** Fills a warehouse with readings of the simulated world, so that there is something to train on, and publishes it. */
async function fillWarehouse(warehouse: Warehouse, now: number): Promise<void> {
  const file = join(warehouse.data_dir, 'mixed.csv')
  await exportHistory(
    { seed: 1, kind: 'security', from: now - HISTORY_DAYS * DAY_MS, to: now, step_minutes: 60 },
    createWriteStream(file),
  )
  await importCsv(warehouse, file, { kind: 'security', source: 'import-simulated' })
  await rollUp(warehouse)
  await publish(warehouse, { now, simulated: false })
}

/** Publishes again and again in processes of their own until the signal fires; returns how often. */
async function publishUntil({ data_dir }: Settings, signal: AbortSignal): Promise<number> {
  let times = 0
  while (!signal.aborted) {
    const child = spawn(process.execPath, [CLI, 'run', 'publish', '--data-dir', data_dir], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    if (child.pid !== undefined) lowerPriority('pipeline', child.pid)
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error(`publishing ended with ${code}`)
    times += 1
  }
  return times
}

/** Measures the latency of a steady mixed load: alone, and while a training and publishing run beside it. */
export async function benchMixed(bar: Progress, warehouse: Warehouse, now: number): Promise<Measurement[]> {
  const { data_dir } = warehouse
  const settings = readSettings({ HOLDSHORT_DATA_DIR: data_dir })
  bar.update(0, 3, 'history to train on')
  await fillWarehouse(warehouse, now)
  const headers = await enterpriseHeaders(data_dir)
  const server = await serveProcess(data_dir, headers)
  try {
    const options = { seconds: SECONDS, headers, paths: mixedPaths(), rate: RATE }
    await load(server.url, options)
    const p99Of = async () => {
      const rounds: number[] = []
      for (let round = 0; round < ROUNDS; round++) rounds.push((await load(server.url, options)).p99_ms)
      return rounds
    }
    bar.update(1, 3, 'alone')
    const alone = await p99Of()
    bar.update(2, 3, 'beside a training and publishing')
    const stopping = new AbortController()
    const training = trainApart(settings, stopping.signal).then(
      () => 'over' as const,
      (error) => {
        if (!stopping.signal.aborted) throw error
        return 'under way' as const
      },
    )
    const publishing = publishUntil(settings, stopping.signal)
    const beside = await p99Of()
    stopping.abort()
    const [published, trained] = await Promise.all([publishing, training])
    return [
      { name: `mixed: p99 at ${RATE}/s, alone`, value: median(alone), unit: 'ms', target: null },
      {
        name: `mixed: p99 at ${RATE}/s, training and publishing`,
        value: median(beside),
        unit: 'ms',
        target: { at_most: MAX_P99_MS },
      },
      { name: `mixed: snapshots published, training ${trained}`, value: published, unit: '', target: null },
    ]
  } finally {
    await server.stop()
  }
}
