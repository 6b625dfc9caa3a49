import type { Airport } from '../config/airports/directory.ts'
import { HOUR_MS } from '../config/domain.ts'
import type { Source } from '../config/sources.ts'
import { publish } from '../warehouse/serving/publish.ts'
import { rollUp } from '../warehouse/storage/rollup.ts'
import { rollUpSources } from '../warehouse/storage/source-hours.ts'
import type { OpenWarehouse } from '../warehouse/storage/warehouse.ts'
import { type RebuildReport, rebuildDamaged } from './collecting/rebuild-damaged.ts'

export interface RefreshContext {
  warehouse: OpenWarehouse
  now: () => number
  simulated: boolean
  sources: readonly Source[]
  /** The airports to publish; the whole directory by default. */
  airports?: readonly Airport[]
  /** Called with a snapshot before it becomes the current one. */
  beforeCurrent?: (snapshot: string) => Promise<void>
  /** Makes the forecasts of the hour. Passed in by the caller, because the pipeline does not import the training room. */
  predict: (now: number) => Promise<number>
}

export interface RefreshReport {
  snapshot: string
  rolled_up_days: number
  forecasts: number
  /** Files in quarantine whose days were parsed again. */
  rebuilt: RebuildReport[]
}

/** Whether the newest forecasts were issued in an earlier hour. */
async function forecastsDue(warehouse: OpenWarehouse, now: number): Promise<boolean> {
  const hour = Math.floor(now / HOUR_MS) * HOUR_MS
  const [newest] = await warehouse.query<{ issued: string | null }>(
    // Forecasts of later were issued while the clock was ahead.
    "SELECT max(issued_at) AS issued FROM forecasts WHERE kind = 'security' AND issued_at <= $now::TIMESTAMPTZ",
    { now: new Date(now).toISOString() },
  )
  return newest?.issued ? Date.parse(newest.issued) < hour : true
}

/**
 * Updates what the API serves: roll up → predict (once an hour) → publish. Each step depends only on the tables of the step before,
 * so an interrupted refresh is simply repeated.
 */
export async function refresh(context: RefreshContext, options: { predict?: boolean } = {}): Promise<RefreshReport> {
  const { warehouse } = context
  await warehouse.refresh()
  const now = context.now()
  const rebuilt = await rebuildDamaged(warehouse, now)
  const rolled_up_days = await warehouse.maintain(async (write) => {
    await rollUpSources(write, now, { sources: context.sources })
    return rollUp(write)
  })
  const due = options.predict ?? (await forecastsDue(warehouse, now))
  const forecasts = due ? await context.predict(now) : 0
  const snapshot = await publish(warehouse, {
    now: context.now(),
    simulated: context.simulated,
    sources: context.sources,
    ...(context.airports && { airports: context.airports }),
    ...(context.beforeCurrent && { beforeCurrent: context.beforeCurrent }),
  })
  return { snapshot, rolled_up_days, forecasts, rebuilt }
}
