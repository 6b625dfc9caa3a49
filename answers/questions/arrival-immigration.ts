import { z } from 'zod'
import type { Airport } from '../../config/airports/directory.ts'
import {
  CLOSED_REASON,
  fraction,
  Instant,
  minutes,
  NO_PROVENANCE,
  nullableMinutes,
  type Provenance,
  provenance,
  unavailableReason,
} from '../../config/answer-schemas.ts'
import { isSchengenAirport } from '../../config/reference/schengen-airports.ts'
import { HOUR_MS, isoUtc } from '../../config/vocabulary.ts'
import type { BorderForecast } from '../../warehouse/publishing/read/border-forecasts.ts'
import { borderStatuses, borderWaits } from '../schengen/border-control.ts'
import { localTime } from '../statements/local-time.ts'
import type { QueryContext } from './define.ts'
import { expectedBorder, wholeMinutesOf } from './expected-border.ts'
import { shownQueueWait } from './queue-waits.ts'

const AHEAD_HOURS = 24

/** The wait at passport control of passengers who arrive: now, and at its longest in the next 24 hours. */
export const ArrivalImmigration = z.strictObject({
  wait_minutes: nullableMinutes.describe('Now, or expected for this hour.'),
  low: nullableMinutes.describe('Of the 80 % interval; null when observed.'),
  high: nullableMinutes,
  probability: fraction.nullable().describe('Of being within 5 minutes.'),
  ...provenance,
  longest: z
    .strictObject({
      time: Instant,
      local_time: z.string(),
      wait_minutes: minutes,
      low: minutes,
      high: minutes,
      basis: provenance.basis,
      source: provenance.source,
    })
    .nullable()
    .describe('Longest expected wait of the next 24 hours; null: alike at all hours, or not forecast.'),
  note: z.string().nullable().describe('What a typical figure is from.'),
  unavailable_reason: unavailableReason,
})
type ArrivalImmigration = z.input<typeof ArrivalImmigration>

const NO_ARRIVALS_NOW = 'Hardly anybody arrives from abroad in this hour.'

/** The wait at passport control of passengers who arrive at an airport; at Schengen airports of those who enter the area. */
export function arrivalImmigration(airport: Airport, context: QueryContext): ArrivalImmigration {
  const { snapshot, now } = context
  const queue = isSchengenAirport(airport) ? ({ direction: 'entry' } as const) : {}
  const forecast = expectedBorder(snapshot, airport.iata, queue, now, AHEAD_HOURS)
  const longest = forecast && longestAhead(forecast, airport.timezone, now)
  const observed = observedNow(airport, context)
  const withoutInterval = { low: null, high: null, probability: null, longest }
  if (observed) return { note: null, ...withoutInterval, ...observed }
  const hour = forecast?.hours[Math.floor((now - forecast.start_ms) / HOUR_MS)]
  const { basis, version: source, note } = forecast ?? { basis: null, version: null, note: null }
  if (!hour) {
    const unavailable_reason = forecast ? NO_ARRIVALS_NOW : snapshot.whyNoWait(airport.iata, 'immigration')
    return { wait_minutes: null, note, unavailable_reason, ...withoutInterval, ...NO_PROVENANCE }
  }
  return {
    probability: hour.confidence,
    ...NO_PROVENANCE,
    basis,
    source,
    longest,
    note,
    unavailable_reason: null,
    ...wholeMinutesOf(hour),
  }
}

type Observed = Provenance & { wait_minutes: number | null; unavailable_reason: string | null }

/** The observed wait, or that passport control is closed; null if neither is known. */
function observedNow(airport: Airport, { snapshot }: QueryContext): Observed | null {
  const queue = shownQueueWait(snapshot.queue(airport.iata, 'immigration'), 'terminal')
  if (isSchengenAirport(airport)) {
    const { entry } = borderWaits(queue)
    if (entry) return { unavailable_reason: null, ...entry }
    return borderStatuses(queue).entry.status === 'closed'
      ? { wait_minutes: null, ...NO_PROVENANCE, unavailable_reason: CLOSED_REASON }
      : null
  }
  const { average_wait_minutes: wait_minutes, status, basis, observed_at, age_seconds, source, freshness } = queue
  if (wait_minutes !== null)
    return { wait_minutes, basis, observed_at, age_seconds, source, freshness, unavailable_reason: null }
  return status === 'closed' ? { wait_minutes, ...NO_PROVENANCE, unavailable_reason: CLOSED_REASON } : null
}

/** The hour with the longest expected wait of the next 24; null if no hour differs from the others. */
function longestAhead({ hours, start_ms, basis, version }: BorderForecast, timezone: string, now: number) {
  const first = Math.max(0, Math.floor((now - start_ms) / HOUR_MS))
  const ahead = hours.slice(first, first + AHEAD_HOURS)
  const known = ahead.filter((hour) => hour !== null)
  const most = Math.max(...known.map(({ p50 }) => p50))
  if (known.every(({ p50 }) => p50 === most)) return null
  const index = ahead.findIndex((hour) => hour?.p50 === most)
  const start = start_ms + (first + index) * HOUR_MS
  return {
    time: isoUtc(start),
    local_time: localTime(start, timezone),
    ...wholeMinutesOf(ahead[index]!),
    basis,
    source: version,
  }
}
