import { z } from 'zod'
import { BorderDirection } from '../../config/border-direction.ts'
import { mapKeys } from '../../config/map-keys.ts'
import type { Examples } from '../../forecasting/features/examples.ts'
import { HOUR_COLUMNS, type HourlySeries } from '../../forecasting/features/hourly-series.ts'
import { prepareSeries } from '../../forecasting/features/profile.ts'
import { defineTask, implementTask, type TaskImplementation } from '../../jobs/tasks/define-task.ts'
import { type FittedNet, fitSeed, pooledExamples } from '../models/pooled-fit.ts'
import { startBackend } from '../models/tensorflow-backend.ts'
import { TrainingSettings } from '../settings/training-settings.ts'
import { columnBytes, readColumnBytes } from './column-bytes.ts'

/** The input of all fits of a training: the series, and the way examples are made of them. */
export interface FitInput {
  series: readonly HourlySeries[]
  /** Series that only teach. */
  lanes: readonly HourlySeries[]
  /** Cutoff of the last fit, epoch ms. */
  cutoff_ms: number
  settings: TrainingSettings
}

/** Fits one net from one seed on what was known at a cutoff. */
export const fitTask = defineTask({
  name: 'fit',
  request: z.strictObject({
    /** The reference of the `FitInput`. */
    input: z.string(),
    cutoff_ms: z.number(),
    seed: z.int(),
    /** Backends of TensorFlow.js may differ in the last bit. */
    backend: z.string(),
  }),
})
export type FitRequest = z.infer<typeof fitTask.request>

const AboutSeries = z.strictObject({
  iata: z.string(),
  terminal: z.string(),
  direction: BorderDirection.optional(),
  timezone: z.string(),
  country: z.string().nullable(),
})
const AboutInput = z.strictObject({
  series: z.array(AboutSeries),
  lanes: z.array(AboutSeries),
  cutoff_ms: z.number(),
  settings: TrainingSettings,
})
const AboutFit = z.strictObject({
  normalisation: z.strictObject({
    mean: z.array(z.number()),
    std: z.array(z.number()),
    used: z.array(z.boolean()),
  }),
  share: z.number(),
  airports: z.array(z.string()),
  report: z.strictObject({ rows: z.int(), epochs: z.int(), steps: z.int(), loss: z.number() }),
})

/** The input of fits as bytes. */
export function fitInputBytes({ series, lanes, cutoff_ms, settings }: FitInput): Uint8Array {
  const aboutOf = ({ iata, terminal, direction, timezone, country }: HourlySeries) => {
    const about = { iata, terminal, timezone, country }
    return direction ? { ...about, direction } : about
  }
  const about = { series: series.map(aboutOf), lanes: lanes.map(aboutOf), cutoff_ms, settings }
  return columnBytes(
    about,
    [...series, ...lanes].flatMap((queueSeries) => HOUR_COLUMNS.map((name) => queueSeries[name])),
  )
}

export function readFitInput(bytes: Uint8Array): FitInput {
  const { about, columns } = readColumnBytes(bytes, AboutInput)
  const all = [...about.series, ...about.lanes].map(({ direction, ...own }, k): HourlySeries => {
    const columnOf = (_: string, column: number) => columns[k * HOUR_COLUMNS.length + column] as Float64Array
    return { ...own, ...(direction && { direction }), ...mapKeys(HOUR_COLUMNS, columnOf) }
  })
  const count = about.series.length
  return { ...about, series: all.slice(0, count), lanes: all.slice(count) }
}

const fitBytes = ({ weights, airport_biases, ...about }: FittedNet) => columnBytes(about, [...weights, airport_biases])

export function readFit(bytes: Uint8Array): FittedNet {
  const { about, columns } = readColumnBytes(bytes, AboutFit)
  const arrays = columns as Float32Array[]
  return { ...about, weights: arrays.slice(0, -1), airport_biases: arrays.at(-1)! }
}

/** Fits nets in this process. The examples of the last input are kept for the next fit of the same training. */
export function createFitTask(): TaskImplementation {
  let last: { input: string; examples: Examples; settings: TrainingSettings } | null = null
  return implementTask(fitTask, async ({ input, cutoff_ms, seed, backend }, contents) => {
    const own = await startBackend()
    if (own !== backend) throw new Error(`this machine computes with ${own}, the training with ${backend}`)
    if (last?.input !== input) {
      const { series, lanes, cutoff_ms: until, settings } = readFitInput(await contents.get(input))
      last = null
      const examples = pooledExamples(series.map(prepareSeries), lanes.map(prepareSeries), until, settings)
      last = { input, examples, settings }
    }
    return fitBytes(fitSeed(last.examples, cutoff_ms, seed, last.settings))
  })
}
