import { DateTime } from 'luxon'
import { z } from 'zod'
import { Basis, HORIZON_HOURS, HOUR_MS, isoUtc } from '../../../config/domain.ts'
import { ParameterError } from '../../../config/errors.ts'
import { fraction, Instant, minutes, unavailableReason } from '../../../config/facts.ts'
import { tierCovers } from '../../../config/tiers.ts'
import type { ForecastSeries } from '../../../warehouse/serving/published/forecasts.ts'
import {
  type Clearing,
  type ClearingSearch,
  calmestClearing,
  clearingAt,
  latestClearing,
  MAX_PROBABILITY,
  MINUTE_MS,
} from '../departure/clearing.ts'
import { observedHours } from '../departure/observed-hours.ts'
import { defineQuery } from '../queries/define.ts'
import { findAirport } from '../queries/find-airport.ts'
import { clockOf, localTime } from '../queries/local-time.ts'
import { iata, simulated } from '../queries/shared-fields.ts'
import { defineTool, READ_ONLY } from './define.ts'

/** Times to join security are searched up to this long before the deadline. */
const SEARCH_MS = 8 * HOUR_MS
/** If the opening hours are not known, security is assumed open this long before the deadline. */
const ASSUMED_OPEN_MS = 2 * HOUR_MS

/** The margins if the caller gives none. They are assumptions of this tool, and every answer lists them. */
const DEFAULT_MARGINS = {
  domestic: { gate_minutes: 20, walk_minutes: 10, bag_drop_minutes: 15, bag_cutoff_minutes: 45, kerb_minutes: 5 },
  international: { gate_minutes: 30, walk_minutes: 15, bag_drop_minutes: 20, bag_cutoff_minutes: 60, kerb_minutes: 5 },
}

const margin = (description: string) => z.int().min(0).max(240).optional().describe(description)

const input = z.strictObject({
  iata,
  departure: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/, 'must be a date and time, like 2026-11-25T17:30')
    .describe('Scheduled departure in the airport’s local time (2026-11-25T17:30), or with an offset (…Z, …+01:00).'),
  flight: z.enum(['domestic', 'international']).default('domestic').describe('Selects the default margins.'),
  checked_bags: z.boolean().default(false).describe('Whether bags are checked in.'),
  lane: z
    .enum(['standard', 'precheck', 'clear', 'priority'])
    .default('standard')
    .describe('Only standard lanes are forecast: for other lanes the answer is that of a standard lane, and says so.'),
  probability: z
    .number('must be a number from 0.5 to 0.99')
    .min(0.5)
    .max(0.99)
    .default(0.9)
    .describe('Required probability of being at the gate in time.'),
  gate_minutes: margin('Minutes before departure to be at the gate.'),
  walk_minutes: margin('Minutes from security to the gate.'),
  bag_drop_minutes: margin('Minutes for dropping bags, queue included.'),
  kerb_minutes: margin('Minutes from the kerb to the first queue.'),
})
type Input = z.output<typeof input>

const ArrivalWindow = z.strictObject({
  kind: z
    .enum(['asked', 'safer', 'calmest'])
    .describe('asked: with the required probability; safer: with the highest one; calmest: with the shortest wait.'),
  leave_kerb_by: Instant.describe('Latest time to leave the kerb (UTC).'),
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
type WindowKind = z.output<typeof ArrivalWindow>['kind']

const output = z.strictObject({
  airport: iata,
  timezone: z.string(),
  departure: Instant,
  departure_local: z.string(),
  through_security_by: Instant.describe('Deadline for clearing security: departure less gate and walk.'),
  windows: z
    .array(ArrivalWindow)
    .describe('`asked` on any key; with Pro and higher also `safer` and `calmest`; empty with a reason.'),
  basis: Basis.nullable().describe('Basis of the forecast: predicted or typical; null without one.'),
  source: z.string().nullable().describe('Version of the model.'),
  backtest_mae_minutes: z.number().nullable(),
  lane_forecast: z.literal('standard'),
  assumptions: z.array(z.string()).describe('The margins used; give your own if you know better.'),
  unavailable_reason: unavailableReason,
  simulated,
})
type Answer = z.output<typeof output>

const description =
  'When to leave for a flight: the latest time to leave the kerb and to join security so as to be at the gate in time with the required probability, from the quantiles of the newest forecast. Give departure (local), domestic or international, bags, lane. Margins for gate, walk and bags are assumptions that you can replace. Reaches 7 days ahead. A free key gets one window, Pro and higher three. Check-in queues and travel to the airport are not known.'

const query = defineQuery({
  name: 'getBestTimeToFly',
  summary: 'Recommended arrival window for a flight time',
  description,
  tier: 'free',
  rest: null,
  input,
  output,
  answer(input, { snapshot, directory, tier, now }): z.input<typeof output> {
    const { timezone } = findAirport(input.iata, { directory })
    const departure = parseDeparture(input.departure, timezone, now)
    const margins = marginsOf(input)
    const search = searchFor(departure, margins, now)
    const openHours = observedHours(snapshot.history(input.iata), timezone, now)
    const isOpen = (instant: number) => {
      if (openHours === null) return instant >= search.deadline_ms - ASSUMED_OPEN_MS
      return openHours.has(DateTime.fromMillis(instant, { zone: timezone }).hour)
    }

    const series = snapshot.forecast(input.iata)
    const allKinds = tierCovers(tier, 'pro')
    const windows = series ? windowsWithin(search, series, input.probability, allKinds, isOpen) : []
    const closed = openHours ? windows.find(({ clearing }) => !isOpen(clearing.join_ms)) : undefined
    return {
      airport: input.iata,
      timezone,
      departure: isoUtc(departure),
      departure_local: localTime(departure, timezone),
      through_security_by: isoUtc(search.deadline_ms),
      windows: windows.map((window) => arrivalWindow(window, margins, timezone)),
      basis: series?.model.basis ?? null,
      source: series?.model.version ?? null,
      backtest_mae_minutes: series?.model.backtest.mae_minutes ?? null,
      lane_forecast: 'standard',
      assumptions: [
        ...marginTexts(margins),
        ...laneTexts(input.lane),
        ...openingTexts(openHours !== null, closed && localTime(closed.clearing.join_ms, timezone)),
      ],
      unavailable_reason: windows.length > 0 ? null : reasonForNoWindow(series, search, timezone),
      simulated: snapshot.simulated,
    }
  },
})

/** @throws ParameterError for a time that does not exist, is in the past or beyond the forecast */
function parseDeparture(text: string, timezone: string, now: number): number {
  const departure = DateTime.fromISO(text, { zone: timezone })
  const error = (message: string) => new ParameterError([{ parameter: 'departure', message }])
  if (!departure.isValid) throw error('must be a date and time that exist, like 2026-11-25T17:30')
  if (departure.toMillis() <= now) throw error('must be in the future')
  if (departure.toMillis() > now + HORIZON_HOURS * HOUR_MS) throw error('must be within the next 7 days')
  return departure.toMillis()
}

/** The margins of one request, in minutes; those for bags are null without checked bags. */
interface Margins {
  gate: number
  walk: number
  kerb: number
  bags: { drop: number; cutoff: number } | null
}

function marginsOf({ flight, checked_bags, ...requested }: Input): Margins {
  const defaults = DEFAULT_MARGINS[flight]
  return {
    gate: requested.gate_minutes ?? defaults.gate_minutes,
    walk: requested.walk_minutes ?? defaults.walk_minutes,
    kerb: requested.kerb_minutes ?? defaults.kerb_minutes,
    bags: checked_bags
      ? { drop: requested.bag_drop_minutes ?? defaults.bag_drop_minutes, cutoff: defaults.bag_cutoff_minutes }
      : null,
  }
}

/** Milliseconds from the kerb to the security queue. */
const kerbToSecurityMs = ({ kerb, bags }: Margins) => (kerb + (bags?.drop ?? 0)) * MINUTE_MS

function searchFor(departure: number, margins: Margins, now: number): ClearingSearch {
  const deadline_ms = departure - (margins.gate + margins.walk) * MINUTE_MS
  return {
    deadline_ms,
    earliest_ms: Math.max(now + kerbToSecurityMs(margins), deadline_ms - SEARCH_MS),
    // Travellers join security right after the bag drop, so they must join before the bag cut-off.
    latest_ms: margins.bags ? departure - margins.bags.cutoff * MINUTE_MS : deadline_ms,
  }
}

interface FoundWindow {
  kind: WindowKind
  clearing: Clearing
}

/** The windows within a search; only the one with the required probability unless `allKinds`; none if there is no such one. */
function windowsWithin(
  search: ClearingSearch,
  series: ForecastSeries,
  probability: number,
  allKinds: boolean,
  isOpen: (instant: number) => boolean,
): FoundWindow[] {
  const latest = latestClearing(series, search, probability)
  if (!latest) return []
  const windows: FoundWindow[] = [{ kind: 'asked', clearing: latest }]
  if (!allKinds) return windows
  const safest = latestClearing(series, search, MAX_PROBABILITY)
  if (safest) windows.push({ kind: 'safer', clearing: safest })
  windows.push({ kind: 'calmest', clearing: calmestClearing(series, latest, search, isOpen) })
  return windows
}

function arrivalWindow({ kind, clearing }: FoundWindow, margins: Margins, timezone: string): Answer['windows'][number] {
  const { join_ms, probability, wait } = clearing
  const leave_ms = join_ms - kerbToSecurityMs(margins)
  return {
    kind,
    leave_kerb_by: isoUtc(leave_ms),
    leave_kerb_by_local: localTime(leave_ms, timezone),
    join_security_by: isoUtc(join_ms),
    join_security_by_local: localTime(join_ms, timezone),
    probability,
    expected_wait_minutes: wait.wait_minutes,
    low: wait.low,
    high: wait.high,
  }
}

function marginTexts({ gate, walk, kerb, bags }: Margins): string[] {
  const texts = [
    `at the gate ${gate} min before departure`,
    `${walk} min from security to the gate`,
    `${kerb} min from the kerb to the first queue`,
  ]
  if (bags) texts.push(`${bags.drop} min to drop bags, dropped ${bags.cutoff} min before departure`)
  return texts
}

function laneTexts(lane: Input['lane']): string[] {
  return lane === 'standard' ? [] : [`the wait of a standard lane, as no forecast is made for ${lane} lanes`]
}

/** Says that the opening hours are not known, or that a window is in an hour in which security was never observed open. */
function openingTexts(hoursKnown: boolean, closedAt: string | undefined): string[] {
  if (!hoursKnown) return ['security is open then: its hours are not known here']
  if (closedAt === undefined) return []
  return [
    `security is open at ${clockOf(closedAt)}: in two weeks it was not observed open in that hour, so ask the airport`,
  ]
}

/** Why there is no window, and the probability for a traveller who leaves at once. */
function reasonForNoWindow(series: ForecastSeries | null, search: ClearingSearch, timezone: string): string {
  if (!series) return 'no forecast exists for this airport'
  const { deadline_ms, earliest_ms, latest_ms } = search
  const joinBy = Math.min(deadline_ms, latest_ms)
  if (earliest_ms > joinBy)
    return `it is too late by these margins: security must be reached before ${clockOf(localTime(joinBy, timezone))}, and the kerb is too far from it. Ask the airline now`
  const clearing = clearingAt(series, earliest_ms, deadline_ms)
  if (!clearing) return 'the forecast does not reach this time'
  const { probability, wait } = clearing
  return `no remaining time has the required probability. Leaving the kerb at once gives ${Math.floor(probability * 100)} %, with an expected wait of ${wait.wait_minutes} min (${wait.low} to ${wait.high}, ${series.model.basis})`
}

function windowText({
  kind,
  leave_kerb_by_local,
  join_security_by_local,
  ...window
}: Answer['windows'][number]): string {
  const { probability, expected_wait_minutes, low, high } = window
  return `${kind}: leave the kerb by ${clockOf(leave_kerb_by_local)}, be in the security queue by ${clockOf(join_security_by_local)}; ${Math.floor(probability * 100)} % to be in time, expected wait ${expected_wait_minutes} min (${low} to ${high}).`
}

function answerText({
  airport,
  departure_local,
  windows,
  assumptions,
  unavailable_reason,
  ...forecast
}: Answer): string {
  if (windows.length === 0) return `${airport}: there is no time to recommend: ${unavailable_reason}.`
  const { basis, source, backtest_mae_minutes: mae } = forecast
  const error = mae === null ? '' : `, off by ${mae.toFixed(1)} min on average in its backtest`
  return [
    `For the ${clockOf(departure_local)} departure from ${airport} on ${departure_local.slice(0, 10)} (local times):`,
    ...windows.map(windowText),
    `The forecast is ${basis} (${source}${error}). Assumed: ${assumptions.join('; ')}.`,
  ].join('\n')
}

export const getBestTimeToFlyTool = defineTool<Answer>({
  name: 'get_best_time_to_fly',
  title: 'Recommended arrival window for a flight time',
  description,
  annotations: READ_ONLY,
  example: { iata: 'JFK', departure: '2026-11-22T17:30', flight: 'international', checked_bags: true },
  query,
  text: answerText,
})
