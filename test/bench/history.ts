import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import type { Progress } from '../../bin/runtime/output.ts'
import { airportDirectory } from '../../config/airports/directory.ts'
import { HOUR_MS, isoUtc } from '../../config/domain.ts'
import { dataPaths } from '../../config/settings.ts'
import { predictAll } from '../../training/predict.ts'
import { trainAll } from '../../training/train-all.ts'
import { importCsv } from '../../warehouse/storage/import.ts'
import { rollUp } from '../../warehouse/storage/rollup.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import { type Measurement, timed } from './measurement.ts'

const ROWS = 1_000_000
const AIRPORTS = 8
const CHECKPOINTS = 20
const STEP_MS = 20 * 60_000
const MAX_IMPORT_SECONDS = 20

/** Wait in minutes of a checkpoint's queue: two peaks a day, a weekly cycle, a level per queue and noise; the same in every run. */
function minutesAt(time_ms: number, queue: number): number {
  const hour = (time_ms / HOUR_MS + queue) % 24
  const peaks = Math.exp(-((hour - 7) ** 2) / 4) + 0.7 * Math.exp(-((hour - 17) ** 2) / 6)
  const week = 1 + 0.3 * Math.sin((2 * Math.PI * time_ms) / (7 * 24 * HOUR_MS))
  const noise = ((Math.imul(time_ms / STEP_MS, 2_654_435_761) ^ Math.imul(queue + 1, 40_503)) >>> 8) % 7
  return Math.round(3 + (queue % 5) + 25 * peaks * week + noise)
}

/** Writes 1,000,000 readings to a CSV file: 8 airports with 20 checkpoints each, every 20 minutes up to `now`. */
async function writeHistory(file: string, now: number): Promise<void> {
  const airports = airportDirectory().all.filter(({ size }) => size === 'large')
  const queues = Array.from({ length: AIRPORTS * CHECKPOINTS }, (_, queue) => {
    const checkpoint = Math.floor(queue / AIRPORTS)
    return `${airports[queue % AIRPORTS]?.iata},T${checkpoint % 3},C${checkpoint},standard,`
  })
  const steps = Math.ceil(ROWS / queues.length)
  const out = createWriteStream(file)
  out.write('airport,terminal,checkpoint,lane,observed_at,wait_minutes\n')
  let remaining = ROWS
  for (let time_ms = (Math.floor(now / STEP_MS) - steps) * STEP_MS; remaining > 0; time_ms += STEP_MS) {
    const time = isoUtc(time_ms)
    const lines = queues.slice(0, remaining).map((queue, k) => `${queue}${time},${minutesAt(time_ms, k)}\n`)
    remaining -= lines.length
    if (!out.write(lines.join(''))) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
}

/** Measures import, rollup, training and prediction on a generated history. The warehouse stays filled for the snapshot bench. */
export async function benchHistory(warehouse: Warehouse, now: number, bar: Progress): Promise<Measurement[]> {
  const file = join(warehouse.data_dir, 'history.csv')
  const modelsDir = dataPaths(warehouse.data_dir).models
  bar.update(0, 5, 'writing 1,000,000 rows')
  await writeHistory(file, now)
  bar.update(1, 5, 'importing')
  const imported = await timed(() => importCsv(warehouse, file, { kind: 'security', source: 'import-bench' }))
  if (imported.result.new_rows !== ROWS) throw new Error(`only ${imported.result.new_rows} of ${ROWS} rows landed`)
  bar.update(2, 5, 'rolling up')
  const rolled = await timed(() => rollUp(warehouse))
  bar.update(3, 5, 'training')
  const trained = await timed(() => trainAll(warehouse, { now, modelsDir }))
  if (trained.result.rows.length !== AIRPORTS) throw new Error(`${trained.result.rows.length} airports were trained`)
  bar.update(4, 5, 'predicting')
  const predicted = await timed(() => predictAll(warehouse, { now, modelsDir }))
  return [
    {
      name: 'import: 1,000,000 rows of CSV',
      value: imported.seconds,
      unit: 's',
      target: { at_most: MAX_IMPORT_SECONDS },
    },
    { name: 'import: rows', value: ROWS / imported.seconds, unit: '1/s', target: null },
    { name: 'rollup: days', value: rolled.result / rolled.seconds, unit: '1/s', target: null },
    { name: 'train and backtest: an airport', value: trained.seconds / AIRPORTS, unit: 's', target: null },
    { name: 'predict by models: an airport', value: predicted.seconds / AIRPORTS, unit: 's', target: null },
  ]
}
