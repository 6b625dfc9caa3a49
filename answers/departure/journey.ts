import { getOrCreate } from '../../config/once.ts'
import { pageTerminals } from '../../config/reference/terminals.ts'
import { normalizeTerminalName } from '../../config/terminal-name.ts'
import { HOUR_MS, isoUtc, MINUTE_MS } from '../../config/vocabulary.ts'
import type { BorderForecast } from '../../warehouse/publishing/read/border-forecasts.ts'
import { airportTerminals, checkTerminal, knownTerminal } from '../questions/airport-terminals.ts'
import type { QueryContext } from '../questions/define.ts'
import { granularityOf } from '../questions/queue-waits.ts'
import { localTime } from '../statements/local-time.ts'
import { listText } from '../statements/text.ts'
import type { LeaveByRequest } from './leave-by-request.ts'
import type { DayOpening } from './opening.ts'
import type { PeakDay } from './peak-day.ts'
import { type Plan, type PlanRequest, planOf } from './plan.ts'
import { type SecurityWait, securityWait } from './security-wait.ts'
import { type Deadline, type DepartureStep, departureSteps } from './steps.ts'
import type { Trip } from './trip.ts'

/** The clock begins this long before departure, besides the way to the airport. */
export const SPAN_MINUTES = 600
const ROUND_TO_MINUTES = 5
/** A trip with its clock, from which plans for changed trips can be made. */
export interface Journey {
  context: QueryContext
  input: LeaveByRequest
  departure_ms: number
  /** Of the airport of departure. */
  timezone: string
  origin_ms: number
  horizon_hours: number
  terminal: string | null
  peak: PeakDay | null
  /** The public holiday or other day with a name that the day of the departure is; null: none is known. */
  holiday: string | null
  /** Opening by lane. */
  openingOf: (lane: Trip['lane']) => DayOpening
  exit_forecast: BorderForecast | null
  /** Waits by lane, built once because every plan counts the same hours. */
  security: Map<string, SecurityWait | null>
}

/** How long before departure the clock begins: long enough for every step, however long the way to the airport is. */
export const spanMinutes = ({ travel_minutes = 0, travel_p90_minutes = 0 }: LeaveByRequest) =>
  SPAN_MINUTES + 2 * Math.max(travel_minutes, travel_p90_minutes)

/**
 * The terminal whose forecast is used: one that the tier sees and that has a forecast.
 * @throws ParameterError for a terminal that the airport does not have
 */
export function terminalOf(
  { iata: airport, terminal }: LeaveByRequest,
  { snapshot, tier }: QueryContext,
): string | null {
  if (terminal === undefined) return null
  checkTerminal(airport, terminal, snapshot)
  if (granularityOf(tier) !== 'terminal') return null
  const name = normalizeTerminalName(terminal)
  const meant = knownTerminal(airport, terminal, snapshot)?.terminal
  const isMeant = (known: string) =>
    normalizeTerminalName(known) === name ||
    (meant !== undefined && knownTerminal(airport, known, snapshot)?.terminal === meant)
  return snapshot.terminals(airport).find(isMeant) ?? null
}

export function securityOf(trip: Trip, journey: Journey): SecurityWait | null {
  const { context, departure_ms, horizon_hours, terminal, peak, security } = journey
  const { snapshot, now } = context
  const horizon_ms = now + horizon_hours * HOUR_MS
  return getOrCreate(security, trip.lane, () =>
    securityWait(snapshot, { trip, terminal, departure_ms, horizon_ms, now, peak }),
  )
}

export interface MadePlan {
  plan: Plan
  steps: DepartureStep[]
  deadlines: Deadline[]
  request: PlanRequest
}

/** The steps of a trip on the clock of the journey. */
export function stepsFor(trip: Trip, journey: Journey) {
  const { input, departure_ms, origin_ms, openingOf, exit_forecast } = journey
  const security = securityOf(trip, journey)
  const { opening } = openingOf(trip.lane)
  return departureSteps({ trip, travel: input, security, opening, exit_forecast, origin_ms, departure_ms })
}

/** The exit queue as its own hours foretell it; what is typical of arrivals elsewhere is no better than the step's own assumption. */
export function predictedExit(iata: string, { snapshot }: QueryContext): BorderForecast | null {
  const forecast = snapshot.borderForecast(iata, { direction: 'exit' })
  return forecast?.basis === 'predicted' ? forecast : null
}

export function planFor(trip: Trip, journey: Journey): MadePlan {
  const { context, input, departure_ms, origin_ms } = journey
  const { steps, deadlines } = stepsFor(trip, journey)
  const toFull = (ROUND_TO_MINUTES * MINUTE_MS - (origin_ms % (ROUND_TO_MINUTES * MINUTE_MS))) / MINUTE_MS
  const request: PlanRequest = {
    steps,
    minutes: Math.floor((departure_ms - origin_ms) / MINUTE_MS),
    now: Math.ceil((context.now - origin_ms) / MINUTE_MS),
    confidence: input.confidence,
    round_to: ROUND_TO_MINUTES,
    full_minute: toFull,
  }
  return { plan: planOf(request), steps, deadlines, request }
}

export const instantOf = (minute: number, { origin_ms }: Journey) => origin_ms + minute * MINUTE_MS

/** An instant (epoch ms) in UTC, and by the clock of the airport; null stays null. */
export const utcOf = <Instant extends number | null>(instant: Instant) =>
  (instant === null ? null : isoUtc(instant)) as Instant extends null ? null : string
export const localOf = <Instant extends number | null>(instant: Instant, { timezone }: Journey) =>
  (instant === null ? null : localTime(instant, timezone)) as Instant extends null ? null : string

/** Why a terminal may not be that of the airline: the pages name others for it. Null if they name this one, or none. */
export function otherTerminals(
  { iata: airport, terminal }: LeaveByRequest,
  { airline }: Trip,
  snapshot: QueryContext['snapshot'],
): string | null {
  if (terminal === undefined || airline === null) return null
  const named = pageTerminals(airport).filter(({ airlines }) => airlines.includes(airline))
  const own = airportTerminals(airport, snapshot).filter(({ terminal: name }) =>
    named.some((row) => row.terminal === name),
  )
  const requested = knownTerminal(airport, terminal, snapshot)?.terminal
  if (own.length === 0 || own.some(({ terminal: name }) => name === requested)) return null
  const dates = [...new Set(own.map(({ as_of }) => as_of ?? 'undated'))].join(', ')
  return `${airline} is not known to use terminal ${terminal} at ${airport}, but ${listText(own.map(({ terminal: name }) => name))} (${dates})`
}
