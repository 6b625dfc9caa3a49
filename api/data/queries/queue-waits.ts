import { z } from 'zod'
import { HOUR_MS, isoUtc, type Tier } from '../../../config/domain.ts'
import {
  fraction,
  Instant,
  nullableMinutes,
  type Provenance,
  provenance,
  QueueWait,
  unavailableReason,
} from '../../../config/facts.ts'
import { TIERS } from '../../../config/tiers.ts'
import type { ForecastSeries } from '../../../warehouse/serving/published/forecasts.ts'
import type { QueryContext } from './define.ts'
import { hourAt } from './forecast-hour.ts'
import { iata, simulated, timestamp } from './shared-fields.ts'

export const NextHour = z
  .strictObject({
    next_hour: nullableMinutes.describe('Predicted security wait in the coming full hour, in minutes.'),
    confidence: fraction
      .nullable()
      .describe(
        'Calibrated probability that the wait will be within 5 minutes of `next_hour`, measured on the backtest.',
      ),
    low: nullableMinutes.describe('Lower end of the 80 % interval, in minutes.'),
    high: nullableMinutes.describe('Upper end of the 80 % interval, in minutes.'),
    valid_at: Instant.nullable().describe('Start of the hour that is predicted (UTC).'),
    ...provenance,
    unavailable_reason: unavailableReason,
  })
  .meta({ id: 'NextHour' })

export const WaitTimes = z
  .strictObject({
    airport: iata,
    timestamp,
    granularity: z.enum(['airport', 'terminal']),
    security: QueueWait,
    check_in: QueueWait,
    immigration: QueueWait,
    predictions: NextHour,
    simulated,
  })
  .meta({ id: 'WaitTimes' })

/** How finely a paying tier sees waits. */
export const granularityOf = (tier: Tier): 'airport' | 'terminal' =>
  TIERS[tier].granularity === 'terminal' ? 'terminal' : 'airport'

/** The contract's wait-times answer of one airport that exists. */
export function waitTimesOf(code: string, { snapshot, tier, now }: QueryContext): z.input<typeof WaitTimes> {
  const granularity = granularityOf(tier)
  const queue = (kind: 'security' | 'checkin' | 'immigration') => queueWaits(snapshot.queue(code, kind), granularity)
  return {
    airport: code,
    timestamp: snapshot.generated_at,
    granularity,
    security: queue('security'),
    check_in: queue('checkin'),
    immigration: queue('immigration'),
    predictions: nextHour(snapshot.forecast(code), now),
    simulated: snapshot.simulated,
  }
}

/**
 * One queue as it goes out, whole minutes. An expired measurement is the snapshot's fault and never shown:
 * the number is withheld and the reason says so.
 */
export function queueWaits(wait: QueueWait, granularity: 'airport' | 'terminal'): z.input<typeof QueueWait> {
  if (wait.freshness === 'expired')
    return {
      ...NO_FIGURE,
      unavailable_reason: `the last measurement (${wait.observed_at}) is too old to be shown`,
      terminals: [],
    }
  return wholeWait(wait, granularity)
}

/** A wait as it is, whatever its age, in whole minutes: only where it is said that it may be old. */
export function wholeWait(wait: QueueWait, granularity: 'airport' | 'terminal'): z.input<typeof QueueWait> {
  const { basis, observed_at, age_seconds, source, freshness, unavailable_reason } = wait
  const terminals = granularity === 'terminal' ? wait.terminals : []
  return {
    average_wait_minutes: whole(wait.average_wait_minutes),
    basis,
    observed_at,
    age_seconds: whole(age_seconds),
    source,
    freshness,
    unavailable_reason,
    terminals: unexpired(terminals).map(({ checkpoints, ...terminal }) => ({
      ...terminal,
      wait_minutes: whole(terminal.wait_minutes),
      age_seconds: whole(terminal.age_seconds),
      checkpoints: unexpired(checkpoints).map(({ range, ...lane }) => ({
        ...lane,
        wait_minutes: whole(lane.wait_minutes),
        age_seconds: whole(lane.age_seconds),
        range: range && { low: whole(range.low), high: whole(range.high) },
      })),
    })),
  }
}

const unexpired = <P extends Pick<Provenance, 'freshness'>>(figures: P[]) =>
  figures.filter(({ freshness }) => freshness !== 'expired')

const NO_FIGURE = {
  average_wait_minutes: null,
  basis: null,
  observed_at: null,
  age_seconds: null,
  source: null,
  freshness: null,
}

const whole = (value: number | null) => (value === null ? null : Math.round(value))

function nextHour(series: ForecastSeries | null, now: number): z.input<typeof NextHour> {
  const start = (Math.floor(now / HOUR_MS) + 1) * HOUR_MS
  const hour = series && hourAt(series, start)
  const nothing = { observed_at: null, age_seconds: null, freshness: null }
  if (!series || !hour) {
    const unavailable_reason = series ? 'the forecast does not reach this hour' : 'no forecast exists for this airport'
    const empty = {
      next_hour: null,
      confidence: null,
      low: null,
      high: null,
      valid_at: null,
      basis: null,
      source: null,
    }
    return { ...empty, ...nothing, unavailable_reason }
  }
  return {
    next_hour: hour.wait_minutes,
    confidence: hour.confidence,
    low: hour.low,
    high: hour.high,
    valid_at: isoUtc(start),
    basis: series.model.basis,
    source: series.model.version,
    ...nothing,
    unavailable_reason: null,
  }
}
