import { parseArgs } from 'node:util'
import { textTable } from '../../bin/runtime/output.ts'
import { weekHourAt } from '../../config/time-zones/local-time.ts'
import { DAY_MS, HOUR_MS } from '../../config/vocabulary.ts'
import { climatology, indexedPast } from '../../forecasting/features/climatology.ts'
import { BASELINE_DAYS, CLIMATOLOGIES, type PreparedSeries, prepareSeries } from '../../forecasting/features/profile.ts'
import { skill } from '../../forecasting/skill/metrics.ts'
import { quantile } from '../../forecasting/statistics/statistics.ts'
import { readHistoryFolder } from '../../training/research/history-files.ts'

/*
 * How hard a period is to forecast: climatologies that see only the days before an hour, and the same climatologies when they also see the days after it.
 * What even these miss of a day is mostly noise of the readings, or is of this day alone.
 *
 *   npm run --silent build && node dist/tools/measure/hindsight.js ../shared/history/security-us-2026 --from 2026-06-08 --to 2026-07-01
 */

const FORECASTERS = ['same_hour', 'before', 'around'] as const
type Forecaster = (typeof FORECASTERS)[number]

/** Mean of the medians of the climatologies of waits themselves, at [weekday × 24 + hour], from some rows weighted by their distance to a day. */
function medians(series: PreparedSeries, rows: readonly number[], day_ms: number): Float64Array {
  const past = indexedPast({
    values: Float64Array.from(rows, (row) => series.mean[row]!),
    hour: Uint8Array.from(rows, (row) => series.clock.hour[row]!),
    weekday: Uint8Array.from(rows, (row) => series.clock.weekday[row]! - 1),
    age_hours: Uint16Array.from(rows, (row) => Math.abs(series.hour_ms[row]! - day_ms - DAY_MS / 2) / HOUR_MS),
  })
  const tables = CLIMATOLOGIES.filter(({ of_shape }) => !of_shape).map(
    ({ kernel }) => climatology(past, kernel, [0.5])[0]!,
  )
  return Float64Array.from(tables[0]!, (_, cell) => {
    const known = tables.map((table) => table[cell]!).filter((minutes) => !Number.isNaN(minutes))
    return known.reduce((sum, minutes) => sum + minutes, 0) / known.length
  })
}

/** Mean absolute error of each forecaster over the hours of a series in a period; null without such hours. */
function errorsOf(series: PreparedSeries, from_ms: number, to_ms: number): Record<Forecaster, number> | null {
  const { hour_ms, clock, mean } = series
  const all = Array.from(hour_ms, (_, row) => row)
  const sums = { same_hour: 0, before: 0, around: 0 }
  let hours = 0
  for (let day_ms = from_ms; day_ms < to_ms; day_ms += DAY_MS) {
    const dayRows = all.filter((row) => hour_ms[row]! >= day_ms && hour_ms[row]! < Math.min(to_ms, day_ms + DAY_MS))
    const before = all.filter((row) => hour_ms[row]! < day_ms)
    const trailing = before.filter((row) => hour_ms[row]! >= day_ms - BASELINE_DAYS * DAY_MS)
    if (dayRows.length === 0 || trailing.length === 0) continue
    const known = medians(series, before, day_ms)
    const hindsight = medians(
      series,
      all.filter((row) => !dayRows.includes(row)),
      day_ms,
    )
    for (const row of dayRows) {
      const cell = weekHourAt(clock, row)
      const sameHour = trailing.filter((other) => clock.hour[other] === clock.hour[row]).map((other) => mean[other]!)
      if (sameHour.length === 0 || Number.isNaN(known[cell]!)) continue
      hours++
      sums.same_hour += Math.abs(mean[row]! - quantile(Float64Array.from(sameHour).sort(), 0.5))
      sums.before += Math.abs(mean[row]! - known[cell]!)
      sums.around += Math.abs(mean[row]! - hindsight[cell]!)
    }
  }
  if (hours === 0) return null
  return { same_hour: sums.same_hour / hours, before: sums.before / hours, around: sums.around / hours }
}

const { values, positionals } = parseArgs({
  options: { from: { type: 'string' }, to: { type: 'string' } },
  allowPositionals: true,
})
const from_ms = Date.parse(values.from ?? '')
const to_ms = Date.parse(values.to ?? '')
if (positionals.length !== 1 || !(from_ms < to_ms)) {
  process.stderr.write('usage: hindsight.js <folder> --from <instant> --to <instant>\n')
  process.exit(2)
}
const errors = readHistoryFolder(positionals[0]!)
  .filter(({ terminal }) => terminal === '')
  .flatMap((series) => errorsOf(prepareSeries(series), from_ms, to_ms) ?? [])
const meanOf = (forecaster: Forecaster) => errors.reduce((sum, error) => sum + error[forecaster], 0) / errors.length
const rows = FORECASTERS.map((forecaster) => {
  const mae = meanOf(forecaster)
  return [forecaster, mae.toFixed(2), `${(100 * skill(mae, meanOf('same_hour'))).toFixed(1)} %`]
})
process.stdout.write(`${textTable([`${errors.length} airports`, 'MAE', 'skill'], rows)}\n`)
