import { DAY_MS, isoUtc } from '../../config/vocabulary.ts'
import { type ContestSums, contestSums } from '../../warehouse/storage/contest-sums.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import type { Forecast } from '../../warehouse/tables/forecasts.ts'
import { servesInPlace } from '../forecasters/contenders.ts'
import { DEFAULT_TRAINING_SETTINGS } from '../settings/training-settings.ts'

interface Contest extends ContestSums {
  /** Whether it serves in place of the model. */
  serves: boolean
}

/** The contests of the last days, by the rule that chooses among our own forecasters; the best of an airport first. */
export async function contests(warehouse: Warehouse, now: number): Promise<Contest[]> {
  const { choice } = DEFAULT_TRAINING_SETTINGS
  const sums = await contestSums(warehouse, now)
  return sums.map((row) => ({
    ...row,
    serves: servesInPlace(row.error_minutes, row.model_error_minutes, row.hours, choice),
  }))
}

/** A vintage of another forecaster older than this serves no more. */
const MAX_AGE_DAYS = 1

interface OutsideHour {
  forecaster: string
  iata: string
  issued_ms: number
  valid_ms: number
  p10: number
  p50: number
  p90: number
}

/**
 * The forecasts of airports with those of another forecaster in their place where it serves: the hours that its newest issue has. Its
 * probability of being within 5 minutes is how often it was. The medians of our own contenders stay, so that the contest goes on.
 */
export async function withOutside(warehouse: Warehouse, own: readonly Forecast[], now: number): Promise<Forecast[]> {
  const winners = new Map<string, Contest>()
  for (const contest of await contests(warehouse, now))
    if (contest.serves && !winners.has(contest.iata)) winners.set(contest.iata, contest)
  if (winners.size === 0) return [...own]
  const hours = await warehouse.query<OutsideHour>(
    `SELECT forecaster, iata, epoch_ms(issued_at)::DOUBLE AS issued_ms, epoch_ms(valid_at)::DOUBLE AS valid_ms, p10, p50, p90
     FROM outside_forecasts
     WHERE issued_at > $from::TIMESTAMPTZ AND issued_at <= $now::TIMESTAMPTZ AND available_at <= $now::TIMESTAMPTZ
     QUALIFY issued_at = max(issued_at) OVER (PARTITION BY forecaster, iata)`,
    { from: isoUtc(now - MAX_AGE_DAYS * DAY_MS), now: isoUtc(now) },
  )
  const keyOf = (forecaster: string, iata: string, valid_ms: number) => `${forecaster}/${iata}/${valid_ms}`
  const found = new Map(hours.map((hour) => [keyOf(hour.forecaster, hour.iata, hour.valid_ms), hour]))
  return own.map((row) => {
    const winner = row.terminal === '' && row.model_p50 !== null ? winners.get(row.iata) : undefined
    const hour = winner && found.get(keyOf(winner.forecaster, row.iata, Date.parse(row.valid_at)))
    if (!winner || !hour) return row
    const { p10, p50, p90, issued_ms } = hour
    const model = `outside:${winner.forecaster}/${row.iata}@${isoUtc(issued_ms)}`
    return { ...row, p10, p50, p90, p_within_5: winner.within_5 / winner.samples, model }
  })
}
