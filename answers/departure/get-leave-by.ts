import type { z } from 'zod'
import { noFlightsText } from '../../config/airports/without-flights.ts'
import type { StatusFields } from '../../config/answer-schemas.ts'
import { ParameterError } from '../../config/errors.ts'
import { laneText } from '../../config/lanes.ts'
import { getOrCreate } from '../../config/once.ts'
import { TIERS } from '../../config/tiers.ts'
import { isoUtc, MINUTE_MS } from '../../config/vocabulary.ts'
import { followedAt } from '../questions/adjustment.ts'
import { meantTerminalName, notListedText } from '../questions/airport-terminals.ts'
import { defineQuery, type QueryContext } from '../questions/define.ts'
import { findAirport } from '../questions/find-airport.ts'
import { granularityOf } from '../questions/queue-waits.ts'
import { closedToAirlines } from '../statements/closure.ts'
import { localDayAt, localTime } from '../statements/local-time.ts'
import { OPENS_TOO_LATE, TOO_LATE } from '../statements/missed.ts'
import { noTypicalText } from '../statements/unserved.ts'
import { departureTime } from './departure-time.ts'
import { chanceOver, type Minutes, quantileMinutes } from './durations.ts'
import { closedAtDeparture, flightNews, NOW_MATTERS_MS } from './flight-news.ts'
import {
  instantOf,
  type Journey,
  localOf,
  type MadePlan,
  otherTerminals,
  planFor,
  predictedExit,
  SPAN_MINUTES,
  securityOf,
  spanMinutes,
  terminalOf,
  utcOf,
} from './journey.ts'
import { type LeaveBy, LeaveByAnswer } from './leave-by-answer.ts'
import { LeaveByRequest } from './leave-by-request.ts'
import { type DayOpening, openingAt, openingBefore, securityNow } from './opening.ts'
import { holidayOn, peakDay } from './peak-day.ts'
import type { Leaving, Plan } from './plan.ts'
import { isLaneNamed, isReached, type SecurityWait } from './security-wait.ts'
import type { Deadline, DepartureStep } from './steps.ts'
import { servedFrom } from './success.ts'
import { ASSUMED, type Assumption, nation, type Trip, tripOf } from './trip.ts'
import { roundedDown, whatIf } from './what-if.ts'

/** As on the pages for people, every tier sees the next 24 hours of an airport. */
const MIN_HORIZON_HOURS = 24

export const getLeaveBy = defineQuery({
  name: 'getLeaveBy',
  rest: {
    summary: 'When to leave for a flight',
    description: `When to leave the door so as to catch a flight: the way to the airport, bag drop or check-in with its closing time, security, passport control and the Entry/Exit System, the inspection in the US Virgin Islands and Guam and US preclearance where they apply, the walk to the gate, and boarding. The probability of each time of leaving comes from the quantiles of the security forecast and from stated, sourced figures for the other steps, combined exactly; each step says where its minutes come from. Any tier; the security forecast reaches ${MIN_HORIZON_HOURS} hours (Enterprise ${TIERS.enterprise.prediction_hours}, with the forecast of \`terminal\` where there is one). Later departures, up to 366 days, rest on the usual pattern of the airport, or on airports of its size, and say so. Holidays and the days around them are counted. \`departure\` in the past, or a local time that the clocks skip: 400.`,
    method: 'GET',
    path: '/airports/:iata/leave-by',
    changesEveryMinute: true,
  },
  input: LeaveByRequest,
  output: LeaveByAnswer,
  answer(input, context): LeaveBy {
    const airport = findAirport(input.iata, context)
    const { timezone } = airport
    const { snapshot, directory, now, tier } = context
    checkTravel(input)
    const { departure_ms, note } = departureTime(input.departure, airport, now)
    const trip = tripOf(input, airport, directory)
    const localDay = localDayAt(departure_ms, timezone)
    const terminal = terminalOf(input, context)
    const queueOf = (lane: Trip['lane']) => ({ airport: airport.iata, terminal, lane })
    const openings = new Map<Trip['lane'], DayOpening>()
    const openingOf = (lane: Trip['lane']) =>
      getOrCreate(openings, lane, () =>
        openingBefore(departure_ms, SPAN_MINUTES * MINUTE_MS, openingAt(snapshot, queueOf(lane), now)),
      )
    const { opening, opens, closes } = openingOf(trip.lane)
    const security_now = securityNow(snapshot, queueOf(trip.lane))
    const journey: Journey = {
      context,
      input,
      departure_ms,
      timezone,
      origin_ms: Math.floor(departure_ms / MINUTE_MS) * MINUTE_MS - spanMinutes(input) * MINUTE_MS,
      horizon_hours: Math.max(MIN_HORIZON_HOURS, TIERS[tier].prediction_hours),
      terminal,
      peak: peakDay(nation(airport), localDay, airport.region),
      holiday: holidayOn(nation(airport), localDay, airport.region),
      openingOf,
      exit_forecast: predictedExit(airport.iata, context),
      security: new Map(),
    }
    const security = securityOf(trip, journey)
    const header = {
      airport: airport.iata,
      timezone,
      timestamp: snapshot.generated_at,
      departure: isoUtc(departure_ms),
      departure_local: localTime(departure_ms, timezone),
      confidence: input.confidence,
      simulated: snapshot.simulated,
    }
    const assumptions = [...noteOf(note, input.departure), ...trip.assumptions]
    const withoutFigure = (over: Partial<z.input<typeof LeaveByAnswer>>) =>
      LeaveByAnswer.parse({ ...header, outcome: 'no_figure', assumptions, ...over })
    if (!security)
      return withoutFigure({
        unavailable_reason:
          noFlightsText(airport.iata) ??
          `nothing is known of security there: ${noTypicalText(airport.iata) ?? 'no wait was observed'}`,
      })
    const closed = closedAtDeparture(trip, departure_ms, context)
    if (closed)
      return withoutFigure({
        closed_at_departure: closed.text,
        flights_resume_at: utcOf(closed.until),
        flights_resume_at_local: localOf(closed.until, journey),
        unavailable_reason: 'the airport is closed to airlines then',
      })
    const made = planFor(trip, journey)
    const { plan, steps, deadlines } = made
    const securityBegins = instantOf(plan.begins[steps.findIndex(({ name }) => name === 'security')] ?? 0, journey)
    const required_at = plan.required && instantOf(plan.required.minute, journey)
    const opens_at = opens !== null && opens > now ? opens : null
    const must_open_by = mustOpenBy(made, security_now, journey)
    const isOpeningKnown = opening?.isKnownAt(securityBegins) ?? false
    // The spread last: with it first, Node.js 20 makes a hidden class of each further field in each answer.
    return {
      outcome: plan.outcome,
      recommended: plan.recommended && recommendedOf(plan.recommended, plan, steps, journey),
      required_at: utcOf(required_at),
      required_at_local: localOf(required_at, journey),
      leave_times: {
        p50: plan.p50 && leavingTime(plan.p50, journey),
        p90: plan.p90 && leavingTime(plan.p90, journey),
        p99: plan.p99 && leavingTime(plan.p99, journey),
      },
      curve: plan.curve.map((leaving) => leavingTime(leaving, journey)),
      steps: steps.map((step, index) => stepAnswer(step, plan.begins[index] ?? 0, journey)),
      deadlines: deadlines.map((deadline) => deadlineAnswer(deadline, journey)),
      dominated_by: plan.risk[0]?.step ?? null,
      risk: plan.risk,
      what_if: whatIf(trip, made, journey),
      peak: journey.peak,
      security_now: security_now.status,
      security_open_lanes: security_now.open_lanes,
      security_hours: isOpeningKnown ? 'known' : 'not_known',
      security_opens_at: utcOf(opens_at),
      security_opens_at_local: localOf(opens_at, journey),
      security_closes_at: utcOf(closes),
      security_closes_at_local: localOf(closes, journey),
      security_must_open_by: utcOf(must_open_by),
      security_must_open_by_local: localOf(must_open_by, journey),
      forecast: forecastAnswer(security, securityBegins, journey),
      closed_at_departure: null,
      flights_resume_at: null,
      flights_resume_at_local: null,
      ...flightNews(trip, departure_ms, context),
      assumptions: [...assumptions, ...constantAssumptions(trip, steps, deadlines, journey, isOpeningKnown)],
      unavailable_reason: plan.outcome === 'missed' ? missedReason(plan, security_now.status, opens_at) : null,
      ...header,
    }
  },
})

/** Why a flight cannot be caught: it is too late, or security does not open in time, however early one is there. */
const missedReason = ({ was_possible }: Plan, security_now: StatusFields['status'], opens_at: number | null): string =>
  was_possible || (security_now !== 'closed' && opens_at === null) ? TOO_LATE : OPENS_TOO_LATE

/** @throws ParameterError when a bad day on the road stands alone, or would be quicker than a usual one */
function checkTravel({ travel_minutes, travel_p90_minutes }: LeaveByRequest): void {
  if (travel_p90_minutes === undefined) return
  if (travel_minutes === undefined)
    throw ParameterError.of('travel_p90_minutes', 'needs travel_minutes as well, the way on a usual day')
  if (travel_p90_minutes >= travel_minutes) return
  const message = `must not be below travel_minutes (${travel_minutes}): it is the way on one bad day in ten`
  throw ParameterError.of('travel_p90_minutes', message)
}

const noteOf = (note: string | null, value: string): Assumption[] =>
  note === null ? [] : [{ name: 'departure', value, source: `${ASSUMED}: ${note}` }]

const leavingTime = ({ minute, probability: chance }: Leaving, journey: Journey) => ({
  leave_at: utcOf(instantOf(minute, journey)),
  leave_at_local: localOf(instantOf(minute, journey), journey),
  probability: roundedDown(chance),
})

/** A probability in thousandths. */
const rounded = (chance: number) => Math.round(chance * 1_000) / 1_000

const longWaitChances = (wait: Minutes) => ({
  over_15: rounded(chanceOver(wait, 15)),
  over_30: rounded(chanceOver(wait, 30)),
})

function recommendedOf(recommended: Leaving, { begins }: Plan, steps: readonly DepartureStep[], journey: Journey) {
  const way = steps[0]?.name === 'travel' ? 1 : 0
  const arrive = instantOf(begins[way] ?? recommended.minute, journey)
  return { arrive_at: utcOf(arrive), arrive_at_local: localOf(arrive, journey), ...leavingTime(recommended, journey) }
}

function stepAnswer(step: DepartureStep, begins: number, journey: Journey) {
  const taken = step.takes(begins)
  const { name, basis, source, as_of, note } = step
  return {
    step: name,
    begins_at: utcOf(instantOf(begins, journey)),
    begins_at_local: localOf(instantOf(begins, journey), journey),
    p50_minutes: quantileMinutes(taken, 0.5),
    p90_minutes: quantileMinutes(taken, 0.9),
    p95_minutes: quantileMinutes(taken, 0.95),
    p99_minutes: quantileMinutes(taken, 0.99),
    ...(name === 'security' && longWaitChances(taken)),
    basis,
    source,
    as_of,
    note,
  }
}

function deadlineAnswer(deadline: Deadline, journey: Journey) {
  const instant = journey.departure_ms - deadline.minutes_before_departure * MINUTE_MS
  return { at: utcOf(instant), at_local: localOf(instant, journey), ...deadline }
}

/**
 * When security must be open for the plan to hold (epoch ms): where it is closed now, nobody says until when, and the flight
 * is near. Null otherwise.
 */
function mustOpenBy(
  { plan, steps }: MadePlan,
  { status, reopens_at }: Pick<StatusFields, 'status' | 'reopens_at'>,
  journey: Journey,
): number | null {
  const { context, input, departure_ms, timezone } = journey
  if (status !== 'closed' || reopens_at !== null || plan.recommended === null) return null
  if (departure_ms - context.now > NOW_MATTERS_MS) return null
  // A place that closes with the airport opens before its first flight.
  const closure = closedToAirlines(context.snapshot.delays(input.iata).closures, timezone, context.now)
  if (closure?.until && Date.parse(closure.until) <= departure_ms) return null
  const place = steps.findIndex(({ name }) => name === 'security')
  const [security, begins] = [steps[place], plan.begins[place]]
  return security === undefined || begins === undefined ? null : instantOf(servedFrom(security, begins), journey)
}

function forecastAnswer(
  security: SecurityWait,
  securityBegins: number,
  { context, input, departure_ms, terminal, horizon_hours }: Journey,
) {
  const { kind, basis, source } = security
  const served = context.snapshot.forecast(input.iata, terminal ?? '')
  const reaches = served !== null && isReached(served, departure_ms)
  return {
    kind,
    basis,
    source,
    terminal,
    adjusted_to: kind === 'forecast' && served ? followedAt(served.adjusted_to, securityBegins) : null,
    backtest_mae_minutes: (kind === 'forecast' && served?.model.backtest.mae_minutes) || null,
    horizon_hours,
    reached_by: kind !== 'forecast' && reaches ? TIERS.enterprise.name : null,
  }
}

/** The values taken for want of the caller's: those of the steps, of the closing times, and of what is left out. */
function constantAssumptions(
  trip: Trip,
  steps: readonly DepartureStep[],
  deadlines: readonly Deadline[],
  { input, context, terminal, peak, holiday }: Journey,
  isOpeningKnown: boolean,
): Assumption[] {
  const assumptions: Assumption[] = []
  if (input.travel_minutes === undefined)
    assumptions.push({ name: 'travel_minutes', value: 0, source: `${ASSUMED}: your way to the airport is not counted` })
  else if ((input.travel_p90_minutes ?? 0) <= input.travel_minutes)
    assumptions.push({
      name: 'travel_p90_minutes',
      value: input.travel_minutes,
      source: `${ASSUMED}: your way is taken as certain`,
    })
  const { lane } = trip
  if ((lane === 'clear' || lane === 'priority') && !isLaneNamed(input.iata, lane, context.snapshot))
    assumptions.push({
      name: 'lane',
      value: lane,
      source: `${ASSUMED}: that there is a ${laneText(lane)} at ${input.iata}, which no source here names`,
    })
  const elsewhere = otherTerminals(input, trip, context.snapshot)
  if (elsewhere !== null)
    assumptions.push({ name: 'terminal', value: input.terminal!, source: `${ASSUMED}: ${elsewhere}` })
  if (input.terminal !== undefined && terminal === null)
    assumptions.push({
      name: 'terminal',
      value: 'the whole airport',
      source: `${ASSUMED}: ${notListedText(input.iata, input.terminal, context.snapshot) ?? withoutTerminalForecast(input.iata, input.terminal, context)}`,
    })
  for (const step of steps) {
    if (step.basis !== 'published' && step.basis !== 'assumed') continue
    const taken = step.takes(0)
    assumptions.push({
      name: step.name,
      value: `${quantileMinutes(taken, 0.5)} in half of all cases, ${quantileMinutes(taken, 0.9)} in nine of ten`,
      source: step.source,
    })
  }
  for (const { deadline, minutes_before_departure, source } of deadlines)
    assumptions.push({
      name: deadline,
      value: minutes_before_departure,
      source,
    })
  if (!isOpeningKnown)
    assumptions.push({
      name: 'security_open',
      value: true,
      source: `${ASSUMED}: the opening hours of security are not known here; ask the airport for a very early or late flight`,
    })
  if (peak) assumptions.push({ name: 'peak_factor', value: peak.factor, source: peak.source })
  else if (holiday !== null)
    assumptions.push({
      name: 'holiday',
      value: holiday,
      source: `${ASSUMED}: a day as usual, though it is ${holiday}: how busy that is, is not known`,
    })
  return assumptions
}

function withoutTerminalForecast(iata: string, text: string, { snapshot, tier }: QueryContext): string {
  const terminal = meantTerminalName(iata, text, snapshot)
  return granularityOf(tier) === 'terminal'
    ? `there is no forecast of ${terminal}`
    : `a forecast of ${terminal} needs ${TIERS.enterprise.name}`
}
