import { adjustments } from './adjustments.ts'
import { dailyThroughput } from './daily-throughput.ts'
import type { Table } from './define.ts'
import { delays } from './delays.ts'
import { backtests, forecasts } from './forecasts.ts'
import { notices } from './notices.ts'
import { nowcasts } from './nowcasts.ts'
import { openHours } from './open-hours.ts'
import { outsideForecasts } from './outside-forecasts.ts'
import { places } from './places.ts'
import { readings } from './readings.ts'
import { rollupHistory, rollups } from './rollups.ts'
import { runs } from './runs.ts'
import { backtestScores, misses, scores } from './scores.ts'
import { sourceHours } from './source-hours.ts'
import { sourceWaits } from './source-waits.ts'
import { stateChanges } from './state-changes.ts'
import { throughput } from './throughput.ts'
import { metars, tafs } from './weather.ts'
import { weatherAlerts, weatherZones } from './weather-alerts.ts'

/** Every table of the warehouse. A new table is one file and one line here. */
export const tables = {
  readings,
  delays,
  metars,
  tafs,
  weather_alerts: weatherAlerts,
  weather_zones: weatherZones,
  places,
  throughput,
  daily_throughput: dailyThroughput,
  notices,
  runs,
  rollups,
  rollup_history: rollupHistory,
  open_hours: openHours,
  source_hours: sourceHours,
  source_waits: sourceWaits,
  state_changes: stateChanges,
  forecasts,
  backtests,
  scores,
  backtest_scores: backtestScores,
  misses,
  adjustments,
  nowcasts,
  outside_forecasts: outsideForecasts,
} as const

export type TableName = keyof typeof tables

export const allTables: readonly Table[] = Object.values(tables)
