import type { Airport } from '../config/airports/directory.ts'
import type { Source } from '../config/sources.ts'
import { startOfHour } from '../config/vocabulary.ts'
import { publish } from '../warehouse/publishing/publish.ts'
import { rollUp } from '../warehouse/storage/rollup.ts'
import { rollUpSources } from '../warehouse/storage/source-hours.ts'
import type { Warehouse } from '../warehouse/storage/warehouse.ts'

export interface RefreshContext {
  warehouse: Warehouse
  now: () => number
  simulated: boolean
  sources: readonly Source[]
  /** The airports to publish; the whole directory by default. */
  airports?: readonly Airport[]
  /** Called with a snapshot before it becomes the current one. */
  beforeCurrent?: ((snapshot: string) => Promise<void>) | undefined
  /** Makes the forecasts of the hour. Passed in by the caller, because the pipeline does not import the training room. */
  predict: (now: number) => Promise<number>
}

export interface RefreshReport {
  snapshot: string
  rolled_up_days: number
  forecasts: number
  milliseconds: Record<'roll_up' | 'predict' | 'publish', number>
}

/** When the newest forecasts were issued, epoch milliseconds; null when there are none. */
async function newestForecasts(warehouse: Warehouse, now: number): Promise<number | null> {
  const [newest] = await warehouse.query<{ issued: string | null }>(
    // Forecasts of later were issued while the clock was ahead.
    "SELECT max(issued_at) AS issued FROM forecasts WHERE kind = 'security' AND issued_at <= $now::TIMESTAMPTZ",
    { now: new Date(now).toISOString() },
  )
  return newest?.issued ? Date.parse(newest.issued) : null
}

/** When a refresh makes forecasts: once an hour, in any case, only when there are none at all, or not. */
export type PredictWhen = 'due' | 'always' | 'without any' | 'never'

async function mustPredict(warehouse: Warehouse, now: number, when: PredictWhen): Promise<boolean> {
  if (when === 'always' || when === 'never') return when === 'always'
  const issued = await newestForecasts(warehouse, now)
  return issued === null || (when === 'due' && issued < startOfHour(now))
}

/**
 * Updates what the API serves: roll up → predict (once an hour) → publish. Each step depends only on the tables of the step before,
 * so an interrupted refresh is simply repeated.
 */
export async function refresh(
  context: RefreshContext,
  { predict = 'due' }: { predict?: PredictWhen } = {},
): Promise<RefreshReport> {
  const { warehouse } = context
  let last = performance.now()
  /** Milliseconds since the step before. */
  const lap = () => {
    const began = last
    last = performance.now()
    return Math.round(last - began)
  }
  const now = context.now()
  await rollUpSources(warehouse, now, { sources: context.sources })
  const rolled_up_days = await rollUp(warehouse)
  const roll_up = lap()
  const forecasts = (await mustPredict(warehouse, now, predict)) ? await context.predict(now) : 0
  const predicting = lap()
  const snapshot = await publish(warehouse, {
    now: context.now(),
    simulated: context.simulated,
    sources: context.sources,
    ...(context.airports && { airports: context.airports }),
    beforeCurrent: context.beforeCurrent,
  })
  const milliseconds = { roll_up, predict: predicting, publish: lap() }
  return { snapshot, rolled_up_days, forecasts, milliseconds }
}
