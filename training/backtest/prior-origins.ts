import type { PreparedSeries } from '../../forecasting/features/profile.ts'
import { type HourOfWeek, shownWithoutModel } from '../prior/adapted-forecast.ts'
import { type OriginsOfSpan, originsOf } from './backtest.ts'
import type { SeriesBacktest } from './results.ts'

/** An origin at which the prior is served, with HORIZON_HOURS forecasts. */
export interface PriorOrigin {
  issued_ms: number
  hours: HourOfWeek[]
}

/**
 * The scored origins at which an airport has been observed before, but not in the four weeks that every model needs: the prior is served
 * then. Empty for terminals and for airports outside the directory.
 */
export function priorOrigins(series: PreparedSeries, run: SeriesBacktest, span: OriginsOfSpan): PriorOrigin[] {
  const shown = series.terminal === '' ? shownWithoutModel(series) : null
  if (!shown) return []
  const modelled = new Set(run.issued_ms)
  const first_known_ms = series.available_ms.reduce(
    (first, instant) => Math.min(first, instant),
    Number.POSITIVE_INFINITY,
  )
  return originsOf(span)
    .filter((issued_ms) => issued_ms >= Math.max(span.from_ms, first_known_ms) && !modelled.has(issued_ms))
    .map((issued_ms) => ({ issued_ms, hours: shown(issued_ms) }))
}
