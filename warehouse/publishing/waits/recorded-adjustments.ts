import { z } from 'zod'
import type { AdjustedTo } from '../../../config/answers.ts'
import { HOUR_MS } from '../../../config/domain.ts'
import { assimilate, type HourForecast } from '../../../forecasting/nowcast/assimilate.ts'
import type { AdjustmentRow } from '../../tables/adjustments.ts'

/** Issued hours from `start_ms` on as they were served with a recorded adjustment. */
export function readjusted(issued: readonly HourForecast[], start_ms: number, row: AdjustmentRow): HourForecast[] {
  const newest = { observed_ms: Date.parse(row.observed_at), wait_minutes: row.wait_minutes, basis: row.basis }
  const adjusted = assimilate(
    issued,
    start_ms,
    row.expected_p50,
    newest,
    row.model.startsWith('prior:') ? 'typical' : 'predicted',
  )
  const nowcast = row.hours ? RecordedHours.parse(JSON.parse(row.hours)) : []
  const first = (Math.floor(Date.parse(row.adjusted_at) / HOUR_MS) * HOUR_MS - start_ms) / HOUR_MS
  return adjusted.map((hour, ahead) => nowcast[ahead - first] ?? hour)
}

const RecordedHours = z.array(
  z
    .tuple([z.number(), z.number(), z.number(), z.number().nullable()])
    .transform(([p10, p50, p90, confidence]) => ({ p10, p50, p90, confidence })),
)

/** The first hours of a forecast as the record keeps them. */
export const recordedHours = (hours: readonly HourForecast[]): string =>
  JSON.stringify(hours.map(({ p10, p50, p90, confidence }) => [p10, p50, p90, confidence]))

/** The wait of a recorded adjustment as an answer names it. */
export function adjustedToOf({ wait_minutes, observed_at, source, basis, expected_p50 }: AdjustmentRow): AdjustedTo {
  return { wait_minutes, observed_at, source, basis, expected_minutes: Math.round(expected_p50) }
}
