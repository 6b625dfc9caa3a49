import { DateTime } from 'luxon'
import { z } from 'zod'
import { Basis, HOUR_MS, isoUtc } from '../../../config/domain.ts'
import { ParameterError } from '../../../config/errors.ts'
import { fraction, Instant, minutes, unavailableReason } from '../../../config/facts.ts'
import { tierCovers } from '../../../config/tiers.ts'
import type { ForecastSeries } from '../../../warehouse/serving/published/forecasts.ts'
import { type Clearing, clearingAt, latestClearing, type Search, SUREST } from '../departure/clearing.ts'
import { observedHours } from '../departure/observed-hours.ts'
import { defineQuery } from '../queries/define.ts'
import { findAirport } from '../queries/find-airport.ts'
import { localTime } from '../queries/local-time.ts'
import { iata, simulated } from '../queries/shared-fields.ts'
import { defineTool, READ_ONLY } from './define.ts'

/** How far before the deadline a time to arrive is looked for. */
const SEARCH_MS = 8 * HOUR_MS
/** The calmest hour is looked for so far back where nothing tells when security opens. */
const UNSEEN_MS = 2 * HOUR_MS
const MINUTE_MS = 60_000
/** Nobody goes hours earlier for a shorter queue, and bag drops open about so long before. */
const CALMEST_MS = 3 * HOUR_MS

/** Margins where the caller names none. They are assumptions of this tool, said as such in every answer. */
const MARGINS = {
  domestic: { gate_minutes: 20, walk_minutes: 10, bag_drop_minutes: 15, bag_cutoff_minutes: 45, kerb_minutes: 5 },
  international: { gate_minutes: 30, walk_minutes: 15, bag_drop_minutes: 20, bag_cutoff_minutes: 60, kerb_minutes: 5 },
}

const margin = (what: string) => z.int().min(0).max(240).optional().describe(what)

const input = z.strictObject({
  iata,
  departure: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/, 'must be a date and time, like 2026-11-25T17:30')
    .describe('Scheduled departure in the airport’s local time (2026-11-25T17:30), or with an offset (…Z, …+01:00).'),
  flight: z.enum(['domestic', 'international']).default('domestic').describe('Decides the usual margins.'),
  checked_bags: z.boolean().default(false).describe('Whether bags are to be dropped.'),
  lane: z
    .enum(['standard', 'precheck', 'clear', 'priority'])
    .default('standard')
    .describe('Only standard lanes are forecast: for others the answer is that of a standard lane, and says so.'),
  probability: z
    .number('must be a number from 0.5 to 0.99')
    .min(0.5)
    .max(0.99)
    .default(0.9)
    .describe('Wanted probability of being at the gate in time.'),
  gate_minutes: margin('Minutes before departure to be at the gate.'),
  walk_minutes: margin('Minutes from security to the gate.'),
  bag_drop_minutes: margin('Minutes for dropping bags, queue included.'),
  kerb_minutes: margin('Minutes from the kerb to the first queue.'),
})

const Window = z.strictObject({
  kind: z.enum(['asked', 'safer', 'calmest']),
  leave_kerb_by: Instant.describe('Latest time to set off from the kerb (UTC).'),
  leave_kerb_by_local: z.string(),
  join_security_by: Instant.describe('Latest time to be in the security queue (UTC).'),
  join_security_by_local: z.string(),
  probability: fraction.describe(
    'Probability of clearing security in time when joining then, from the forecast’s quantiles; 0.99 at most.',
  ),
  expected_wait_minutes: minutes,
  low: minutes.describe('Lower end of the 80 % interval.'),
  high: minutes.describe('Upper end of the 80 % interval.'),
})

const output = z.strictObject({
  airport: iata,
  timezone: z.string(),
  departure: Instant,
  departure_local: z.string(),
  through_security_by: Instant.describe('Deadline at the far end of security: departure less gate and walk.'),
  windows: z
    .array(Window)
    .describe('The asked one on any key; with Pro and higher a safer and the calmest one besides.'),
  basis: Basis.nullable().describe('What the forecast is: predicted or typical; null without one.'),
  source: z.string().nullable().describe('Version of the model.'),
  backtest_mae_minutes: z.number().nullable(),
  lane_forecast: z.literal('standard'),
  assumptions: z.array(z.string()).describe('Margins used; give your own where you know better.'),
  unavailable_reason: unavailableReason,
  simulated,
})

const description =
  'When to set off for a flight, for whoever asks when to leave: the latest time to leave the kerb and to join security so as to be at the gate in time with the asked probability, from the quantiles of the newest forecast. Give departure (local), domestic or international, bags, lane. Margins for gate, walk and bags are assumptions that you can replace. Reaches 7 days ahead. A free key gets one window, Pro and higher three. Check-in queues and travel to the airport are not known.'

const query = defineQuery({
  name: 'getBestTimeToFly',
  summary: 'Recommended arrival window for a flight time',
  description,
  tier: 'free',
  rest: null,
  input,
  output,
  answer(given, context) {
    const { iata, flight, checked_bags, lane, probability } = given
    const { timezone } = findAirport(iata, context)
    const { snapshot, tier, now } = context
    const departure = departureOf(given.departure, timezone, now)
    const usual = MARGINS[flight]
    const gate = given.gate_minutes ?? usual.gate_minutes
    const walk = given.walk_minutes ?? usual.walk_minutes
    const kerb = given.kerb_minutes ?? usual.kerb_minutes
    const bags = checked_bags ? (given.bag_drop_minutes ?? usual.bag_drop_minutes) : 0
    const deadline_ms = departure - (gate + walk) * MINUTE_MS
    const series = snapshot.forecast(iata)
    // Whoever drops bags joins security right after, so they must be given up by then.
    const latest_ms = checked_bags ? departure - usual.bag_cutoff_minutes * MINUTE_MS : deadline_ms
    const before = (kerb + bags) * MINUTE_MS
    const search = { deadline_ms, latest_ms, earliest_ms: Math.max(now + before, deadline_ms - SEARCH_MS) }
    const hourOf = (ms: number) => DateTime.fromMillis(ms, { zone: timezone }).hour
    const observed = observedHours(snapshot.history(iata), timezone, now)
    const seenOpen = (ms: number) => (observed === null ? ms >= deadline_ms - UNSEEN_MS : observed.has(hourOf(ms)))
    const windows = series ? windowsOf(series, search, probability, tierCovers(tier, 'pro'), seenOpen) : []
    const unseen = observed && windows.find(([, { join_ms }]) => !seenOpen(join_ms))?.[1]
    const assumptions: string[] = [
      `at the gate ${gate} min before departure`,
      `${walk} min from security to the gate`,
      `${kerb} min from the kerb to the first queue`,
      ...(checked_bags ? [`${bags} min to drop bags, given up ${usual.bag_cutoff_minutes} min before departure`] : []),
      ...(lane === 'standard' ? [] : [`the wait of a standard lane, as no forecast is made for ${lane} lanes`]),
      ...(observed === null ? ['security is open then: its hours are not known here'] : []),
      ...(unseen
        ? [
            `security is open at ${clock(localTime(unseen.join_ms, timezone))}: in two weeks it was not seen open in that hour, so ask the airport`,
          ]
        : []),
    ]
    return {
      airport: iata,
      timezone,
      departure: isoUtc(departure),
      departure_local: localTime(departure, timezone),
      through_security_by: isoUtc(deadline_ms),
      windows: windows.map(([kind, { join_ms, probability, wait }]) => ({
        kind,
        leave_kerb_by: isoUtc(join_ms - before),
        leave_kerb_by_local: localTime(join_ms - before, timezone),
        join_security_by: isoUtc(join_ms),
        join_security_by_local: localTime(join_ms, timezone),
        probability,
        expected_wait_minutes: wait.wait_minutes,
        low: wait.low,
        high: wait.high,
      })),
      basis: series?.model.basis ?? null,
      source: series?.model.version ?? null,
      backtest_mae_minutes: series?.model.backtest.mae_minutes ?? null,
      lane_forecast: 'standard' as const,
      assumptions,
      unavailable_reason: windows.length > 0 ? null : reasonOf(series, search, timezone),
      simulated: snapshot.simulated,
    }
  },
})

/** @throws ParameterError for what is no time, lies in the past or beyond the forecast. */
function departureOf(text: string, timezone: string, now: number): number {
  const departure = DateTime.fromISO(text, { zone: timezone })
  const fault = (message: string) => new ParameterError([{ parameter: 'departure', message }])
  if (!departure.isValid) throw fault('must be a date and time that exist, like 2026-11-25T17:30')
  if (departure.toMillis() <= now) throw fault('must be in the future')
  if (departure.toMillis() > now + 168 * HOUR_MS) throw fault('must be within the next 7 days')
  return departure.toMillis()
}

type Kind = z.output<typeof Window>['kind']

function windowsOf(
  series: ForecastSeries,
  search: Search,
  probability: number,
  paid: boolean,
  seenOpen: (ms: number) => boolean,
): [Kind, Clearing][] {
  const asked = latestClearing(series, search, probability)
  if (!asked) return []
  if (!paid) return [['asked', asked]]
  const safer = latestClearing(series, search, SUREST)
  const windows: [Kind, Clearing | null][] = [
    ['asked', asked],
    ['safer', safer],
    ['calmest', calmestBefore(series, asked, search, seenOpen)],
  ]
  return windows.filter((window): window is [Kind, Clearing] => window[1] !== null)
}

/**
 * The hour of the shortest expected wait in the three before the latest time to join, of those that security is seen open in: the last
 * minute of it, or the latest time itself.
 */
function calmestBefore(
  series: ForecastSeries,
  latest: Clearing,
  { deadline_ms, earliest_ms }: Search,
  seenOpen: (ms: number) => boolean,
): Clearing {
  let calmest = latest
  const first = Math.max(earliest_ms, latest.join_ms - CALMEST_MS)
  for (let end = Math.floor(latest.join_ms / HOUR_MS) * HOUR_MS - MINUTE_MS; end >= first; end -= HOUR_MS) {
    const there = seenOpen(end) ? clearingAt(series, end, deadline_ms) : null
    if (there && there.wait.wait_minutes < calmest.wait.wait_minutes) calmest = there
  }
  return calmest
}

/** Why no time can be named, and what is left of the chance for whoever sets off at once. */
function reasonOf(
  series: ForecastSeries | null,
  { deadline_ms, earliest_ms, latest_ms }: Search,
  timezone: string,
): string {
  if (!series) return 'no forecast exists for this airport'
  const due = clock(localTime(Math.min(deadline_ms, latest_ms), timezone))
  if (earliest_ms > Math.min(deadline_ms, latest_ms))
    return `it is too late by these margins: security must be reached before ${due}, and the kerb is too far from it. Ask the airline now`
  const atOnce = clearingAt(series, earliest_ms, deadline_ms)
  if (!atOnce) return 'the forecast does not reach this time'
  const { probability, wait } = atOnce
  return `no time left gives the asked probability. Setting off from the kerb at once gives ${Math.floor(probability * 100)} %, with an expected wait of ${wait.wait_minutes} min (${wait.low} to ${wait.high}, ${series.model.basis})`
}

const clock = (local: string) => local.slice(11, 16)

export const getBestTimeToFlyTool = defineTool<z.output<typeof output>>({
  name: 'get_best_time_to_fly',
  title: 'Recommended arrival window for a flight time',
  description,
  annotations: READ_ONLY,
  example: { iata: 'JFK', departure: '2026-11-22T17:30', flight: 'international', checked_bags: true },
  query,
  text: ({ airport, departure_local, windows, basis, source, backtest_mae_minutes, assumptions, ...answer }) => {
    if (windows.length === 0) return `${airport}: no time can be named: ${answer.unavailable_reason}.`
    const error =
      backtest_mae_minutes === null ? '' : `, off by ${backtest_mae_minutes.toFixed(1)} min on average in its backtest`
    return [
      `For the ${clock(departure_local)} departure from ${airport} on ${departure_local.slice(0, 10)} (local times):`,
      ...windows.map(
        ({ kind, leave_kerb_by_local, join_security_by_local, probability, low, high, ...window }) =>
          `${kind}: leave the kerb by ${clock(leave_kerb_by_local)}, be in the security queue by ${clock(join_security_by_local)}; ${Math.floor(probability * 100)} % to be in time, expected wait ${window.expected_wait_minutes} min (${low} to ${high}).`,
      ),
      `The forecast is ${basis} (${source}${error}). Assumed: ${assumptions.join('; ')}.`,
    ].join('\n')
  },
})
