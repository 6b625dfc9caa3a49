import { z } from 'zod'
import { Basis, HOUR_MS, isoUtc, MINUTE_MS, QueueStatus } from '../../../config/domain.ts'
import { fraction, Instant, minutes, statistic, unavailableReason } from '../../../config/facts.ts'
import { TIERS } from '../../../config/tiers.ts'
import { defineQuery, type QueryContext } from '../queries/define.ts'
import { findAirport } from '../queries/find-airport.ts'
import { localDayAt, localTime } from '../queries/local-time.ts'
import { granularityOf } from '../queries/queue-waits.ts'
import { iata, notice, simulated, timestamp } from '../queries/shared-fields.ts'
import { departureTime } from './departure-time.ts'
import { chanceOver, type Minutes, quantileMinutes } from './durations.ts'
import { closesBefore, fromOpening, type Opening, openingAt, opensBetween, securityNow } from './opening.ts'
import { type PeakDay, peakDay } from './peak-day.ts'
import { type Leaving, MAX_PROBABILITY, type Plan, type PlanRequest, planOf, stated } from './plan.ts'
import { type SecurityWait, securityWait } from './security-wait.ts'
import { type Deadline, type DepartureStep, departureSteps, type StepMinutes } from './steps.ts'
import { latestMinute, successByMinute } from './success.ts'
import { ASSUMED, type Assumption, CALLER, nation, type Trip, type TripInput, tripOf } from './trip.ts'

/** The clock begins this long before departure, besides the way to the airport. */
const SPAN_MINUTES = 600
const ROUND_TO_MINUTES = 5
/** As on the pages for people, every tier sees the next 24 hours of an airport. */
const MIN_HORIZON_HOURS = 24

const own = (description: string, example: number, max = 600) =>
  z
    .int()
    .min(0)
    .max(max)
    .optional()
    .describe(description)
    .meta({ examples: [example] })

const input = z.strictObject({
  iata,
  departure: z
    .string()
    .regex(/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/, 'must be a date and time, like 2026-11-25T17:30')
    .describe(
      'Scheduled, in the airport’s local time (2026-11-25T17:30) or with an offset. A time that occurs twice is the first.',
    )
    .meta({ examples: ['2026-11-22T17:30'] }),
  destination: iata.optional().describe('Airport of arrival: decides on borders and preclearance.'),
  international: z
    .boolean()
    .optional()
    .describe('Default: by `destination`, else assumed.')
    .meta({ examples: [true] }),
  bags: z
    .union([z.boolean(), z.int().min(0).max(20)])
    .default(false)
    .describe('Checked bags: true, false or how many.')
    .meta({ examples: [true] }),
  check_in: z
    .enum(['online', 'desk'])
    .default('online')
    .describe('desk: at the airport.')
    .meta({ examples: ['desk'] }),
  airline: z
    .string()
    .trim()
    .min(2)
    .max(60)
    .optional()
    .describe('IATA code or name, for its closing times.')
    .meta({ examples: ['DL'] }),

  terminal: z
    .string()
    .min(1)
    .max(60)
    .optional()
    .describe('Enterprise: its own forecast.')
    .meta({ examples: ['4'] }),
  lane: z
    .enum(['standard', 'precheck', 'clear', 'priority'])
    .default('standard')
    .describe('Security lane.')
    .meta({ examples: ['precheck'] }),
  ees: z
    .boolean()
    .optional()
    .describe('Registered by the Entry/Exit System on leaving Schengen; default: assumed true.')
    .meta({ examples: [false] }),
  preclearance: z
    .boolean()
    .optional()
    .describe('US immigration before departure; default: by `destination`.')
    .meta({ examples: [true] }),
  travel_minutes: own('Your way to the airport; without it, leaving is being there.', 45, 1_440),
  travel_p90_minutes: own('The same on one bad day in ten.', 60, 1_440),
  confidence: z
    .number('must be a number from 0.5 to 0.99')
    .min(0.5)
    .max(0.99)
    .default(0.95)
    .describe('Required probability.')
    .meta({ examples: [0.95] }),
  kerb_minutes: own('From kerb or car park to the hall; default 0.', 10),
  bag_drop_minutes: own('At bag drop or check-in desk.', 12),
  document_check_minutes: own('At a check of documents; default 0.', 5),
  security_minutes: own('At security, in place of the forecast.', 20),
  preclearance_minutes: own('At US preclearance.', 25),
  passport_minutes: own('At exit passport control.', 10),
  walk_minutes: own('From security to the gate.', 12),
  bag_drop_closes_minutes: own('Before departure.', 60),
  boarding_closes_minutes: own('Before departure.', 20),
  peak_factor: z
    .number('must be a number from 0.5 to 5')
    .min(0.5)
    .max(5)
    .optional()
    .describe('Factor of the security wait, for that of the holiday.')
    .meta({ examples: [1.4] }),
})
type Input = z.output<typeof input>

const localInstant = z.string().describe('The same in the airport’s time zone, with its offset.')
const probability = fraction.describe('Probability of catching the flight; 0.99 at most.')

const LeavingTime = z.strictObject({ leave_at: Instant, leave_at_local: localInstant, probability })
const Recommended = z.strictObject({
  leave_at: Instant.describe('When to leave the door (UTC); without `travel_minutes`, when to be at the airport.'),
  leave_at_local: localInstant,
  arrive_at: Instant.describe('When you are at the airport on a usual day (UTC).'),
  arrive_at_local: localInstant,
  probability,
})

const StepAnswer = z.strictObject({
  step: z.enum([
    'travel',
    'kerb_to_hall',
    'check_in',
    'bag_drop',
    'document_check',
    'security',
    'us_preclearance',
    'exit_passport_control',
    'walk_to_gate',
  ]),
  begins_at: Instant.describe('When it begins if you leave as recommended and everything takes its median (UTC).'),
  begins_at_local: localInstant,
  p50_minutes: minutes.describe('Minutes in half of all cases.'),
  p90_minutes: minutes.describe('Minutes in nine of ten cases.'),
  p95_minutes: minutes.describe('Minutes in 19 of 20 cases.'),
  p99_minutes: minutes.describe('Minutes in 99 of 100 cases.'),
  over_15: fraction.optional().describe('Of the wait at security: the probability of more than 15 minutes.'),
  over_30: fraction.optional().describe('The same of more than 30 minutes.'),
  basis: z
    .enum([...Basis.options, 'published', 'assumed', 'caller'])
    .describe(
      'predicted, typical: forecast; published: the source states it; assumed: chosen between figures of the source; caller: yours.',
    ),
  source: z.string(),
  as_of: z.string().nullable().describe('Date of the source; null when it has none or is a forecast.'),
  note: z.string().nullable().describe('How the minutes follow, or why to doubt them.'),
})

const DeadlineAnswer = z.strictObject({
  deadline: z.enum(['bag_drop_closes', 'check_in_closes', 'security_entry_closes', 'boarding_closes']),
  at: Instant,
  at_local: localInstant,
  minutes_before_departure: minutes,
  basis: z.enum(['published', 'assumed', 'caller']),
  source: z.string(),
  as_of: z.string().nullable(),
  note: z.string().nullable(),
})

const WhatIf = z.strictObject({
  change: z.enum([
    'carry_on_only',
    'online_check_in',
    'precheck',
    'eu_passport',
    'flight_to_the_us',
    'leave_20_minutes_earlier',
  ]),
  parameter: z.string().describe('The parameter to give for it; empty for leaving earlier.'),
  leave_at: Instant.nullable().describe('When to leave then, with the same confidence (UTC); null: no time has it.'),
  leave_at_local: localInstant.nullable(),
  minutes_later: z.int().nullable().describe('How much later that is; negative: earlier.'),
  probability: probability.describe('Probability then when leaving as recommended (20 minutes earlier for the last).'),
})

const output = z
  .strictObject({
    airport: iata,
    timezone: z.string(),
    timestamp,
    departure: Instant,
    departure_local: localInstant,
    confidence: fraction.describe('The required probability.'),
    outcome: z
      .enum(['recommended', 'best_possible', 'late', 'missed', 'no_figure'])
      .describe(
        'recommended: with the required probability; best_possible: no time has it, the latest of the best; late: it has passed, leave now; missed: under 1 % even now; no_figure: nothing is known of security.',
      ),
    recommended: Recommended.nullable().describe('Null when the flight is missed or nothing is known.'),
    required_at: Instant.nullable().describe('The last minute with the required probability, passed or not (UTC).'),
    required_at_local: localInstant.nullable(),
    leave_times: z
      .strictObject({ p50: LeavingTime.nullable(), p90: LeavingTime.nullable(), p99: LeavingTime.nullable() })
      .describe('The last minute with 50, 90 and 99 %; null: none has it.'),
    curve: z.array(LeavingTime).describe('The probability by time of leaving, from certain to hopeless.'),
    steps: z.array(StepAnswer),
    deadlines: z.array(DeadlineAnswer),
    dominated_by: z
      .string()
      .nullable()
      .describe('The step whose uncertainty costs most time, or `security_opening`; null when nothing is uncertain.'),
    risk: z
      .array(z.strictObject({ step: z.string(), minutes: z.int() }))
      .describe(
        'By how many minutes one could leave later if the step took its median for certain; computed, the largest first.',
      ),
    what_if: z.array(WhatIf).describe('What other choices would change; each computed anew, the most helpful first.'),
    peak: z
      .strictObject({
        name: z.string(),
        factor: statistic,
        counted: z.boolean(),
        reason: z.string(),
        source: z.string(),
      })
      .nullable()
      .describe('The holiday or season that makes the day busier, and the factor of the security wait for it.'),
    security_hours: z
      .enum(['known', 'not_known'])
      .describe('known: the opening hours are learned from the days before and counted; not_known: taken as open.'),
    security_now: QueueStatus.describe('Whether security is open now, where a source says so.'),
    security_opens_at: Instant.nullable().describe(
      'When security opens, if it is closed at some time in the ten hours before departure (UTC).',
    ),
    security_opens_at_local: localInstant.nullable(),
    security_closes_at: Instant.nullable().describe(
      'When security closes, if it is closed at departure: nobody gets through later (UTC).',
    ),
    security_closes_at_local: localInstant.nullable(),
    security_must_open_by: Instant.nullable().describe(
      'Set when security is closed now and nobody says when it opens: every probability holds only if it is open by then (UTC).',
    ),
    security_must_open_by_local: localInstant.nullable(),
    forecast: z
      .strictObject({
        kind: z.enum(['forecast', 'usual', 'typical', 'caller']),
        basis: Basis.nullable(),
        source: z.string(),
        terminal: z.string().nullable(),
        backtest_mae_minutes: statistic.nullable(),
        horizon_hours: z
          .int()
          .describe('How far ahead the tier sees forecasts; later departures rest on the usual pattern.'),
      })
      .nullable(),
    delays: z
      .string()
      .nullable()
      .describe(
        'Delays that the FAA reports for departures within 12 hours. They are not counted: gates close by the schedule until the airline says otherwise.',
      ),
    assumptions: z
      .array(
        z.strictObject({
          name: z.string(),
          value: z.union([z.string(), z.number(), z.boolean()]),
          source: z.string().describe('the caller; a page; or `assumed`, with the reason.'),
        }),
      )
      .describe('Everything that is neither measured nor forecast; the parameter of the same name replaces it.'),
    unavailable_reason: unavailableReason,
    notice,
    simulated,
  })
  .meta({ id: 'LeaveBy' })

export type LeaveBy = z.output<typeof output>

/** A trip with its clock, from which plans for changed trips can be made. */
interface Journey {
  context: QueryContext
  given: Input
  departure_ms: number
  origin_ms: number
  horizon_hours: number
  terminal: string | null
  peak: PeakDay | null
  opening: Opening | null
  /** By lane: made once, as the same hours count for every plan. */
  security: Map<string, SecurityWait | null>
}

export const getLeaveBy = defineQuery({
  name: 'getLeaveBy',
  summary: 'When to leave for a flight',
  description: `When to leave the door so as to catch a flight: the way to the airport, bag drop or check-in with its closing time, security, US preclearance, passport control and the Entry/Exit System where they apply, the walk to the gate, and boarding. The probability of each time of leaving comes from the quantiles of the security forecast and from stated, sourced figures for the other steps, combined exactly; each step says where its minutes come from, and every parameter in minutes replaces one. Any tier; the security forecast reaches ${MIN_HORIZON_HOURS} hours (Enterprise ${TIERS.enterprise.prediction_hours}, with the forecast of \`terminal\` where there is one). Later departures, up to 366 days, rest on the usual pattern of the airport, or on airports of its size, and say so. Holidays and the days around them are counted. \`departure\` in the past, or a local time that the clocks skip: 400.`,
  tier: 'free',
  rest: { method: 'GET', path: '/airports/:iata/leave-by', changesEveryMinute: true },
  input,
  output,
  answer(given, context): z.input<typeof output> {
    const airport = findAirport(given.iata, context)
    const { timezone } = airport
    const { snapshot, directory, now, tier } = context
    const { departure_ms, note } = departureTime(given.departure, timezone, now)
    const trip = tripOf(given, airport, directory)
    const localDay = localDayAt(departure_ms, timezone)
    const terminal = terminalOf(given, context)
    const opening = openingAt(snapshot, airport.iata, terminal)
    const opens = opening && opensBetween(opening, departure_ms - SPAN_MINUTES * MINUTE_MS, departure_ms - MINUTE_MS)
    const closes = opening && closesBefore(opening, departure_ms - SPAN_MINUTES * MINUTE_MS, departure_ms)
    const journey: Journey = {
      context,
      given,
      departure_ms,
      origin_ms: Math.floor(departure_ms / MINUTE_MS) * MINUTE_MS - spanMinutes(given) * MINUTE_MS,
      horizon_hours: Math.max(MIN_HORIZON_HOURS, TIERS[tier].prediction_hours),
      terminal,
      peak: peakOf(given, nation(airport), localDay),
      opening: opening && opens !== null ? fromOpening(opening, opens) : opening,
      security: new Map(),
    }
    const security = given.security_minutes === undefined ? securityOf(trip, journey) : null
    const header = {
      airport: airport.iata,
      timezone,
      timestamp: snapshot.generated_at,
      departure: isoUtc(departure_ms),
      departure_local: localTime(departure_ms, timezone),
      confidence: given.confidence,
      simulated: snapshot.simulated,
    }
    const assumptions = [...noteOf(note, given.departure), ...trip.assumptions]
    if (!security && given.security_minutes === undefined)
      return {
        ...header,
        ...NOTHING_KNOWN,
        assumptions,
        unavailable_reason: `nothing is known of security at ${airport.iata}, which has no scheduled flights; give security_minutes to plan with a wait of your own`,
      }
    const made = planFor(trip, journey)
    const { plan, steps, deadlines, request } = made
    const zoned = (minute: number) => localTime(instantOf(minute, journey), timezone)
    const openBy = mustOpenBy(made, journey)
    return {
      ...header,
      outcome: plan.outcome,
      recommended: plan.recommended && recommendedOf(plan.recommended, plan, steps, journey, timezone),
      required_at: plan.required && isoUtc(instantOf(plan.required.minute, journey)),
      required_at_local: plan.required && zoned(plan.required.minute),
      leave_times: {
        p50: plan.p50 && leavingTime(plan.p50, journey, timezone),
        p90: plan.p90 && leavingTime(plan.p90, journey, timezone),
        p99: plan.p99 && leavingTime(plan.p99, journey, timezone),
      },
      curve: plan.curve.map((leaving) => leavingTime(leaving, journey, timezone)),
      steps: steps.map((step, index) => stepAnswer(step, plan.begins[index] ?? 0, journey, timezone)),
      deadlines: deadlines.map((deadline) => deadlineAnswer(deadline, departure_ms, timezone)),
      dominated_by: plan.risk[0]?.step ?? null,
      risk: plan.risk,
      what_if: whatIf(trip, made, request, journey, timezone),
      peak: journey.peak && { ...journey.peak, counted: given.security_minutes === undefined },
      security_now: securityNow(snapshot, airport.iata, terminal).status,
      security_hours: journey.opening ? 'known' : 'not_known',
      security_opens_at: opens === null ? null : isoUtc(opens),
      security_opens_at_local: opens === null ? null : localTime(opens, timezone),
      security_closes_at: closes === null ? null : isoUtc(closes),
      security_closes_at_local: closes === null ? null : localTime(closes, timezone),
      security_must_open_by: openBy === null ? null : isoUtc(openBy),
      security_must_open_by_local: openBy === null ? null : localTime(openBy, timezone),
      forecast: forecastAnswer(security, journey),
      delays: delaysText(airport.iata, departure_ms, context),
      assumptions: [...assumptions, ...constantAssumptions(given, steps, deadlines, journey)],
      unavailable_reason:
        plan.outcome === 'missed' ? 'the flight can no longer be caught: leaving now gives less than 1 %' : null,
    }
  },
})

const NOTHING_KNOWN = {
  outcome: 'no_figure' as const,
  recommended: null,
  required_at: null,
  required_at_local: null,
  leave_times: { p50: null, p90: null, p99: null },
  curve: [],
  steps: [],
  deadlines: [],
  dominated_by: null,
  risk: [],
  what_if: [],
  peak: null,
  security_now: 'unknown' as const,
  security_hours: 'not_known' as const,
  security_opens_at: null,
  security_opens_at_local: null,
  security_closes_at: null,
  security_closes_at_local: null,
  security_must_open_by: null,
  security_must_open_by_local: null,
  forecast: null,
  delays: null,
}

const noteOf = (note: string | null, value: string): Assumption[] =>
  note === null ? [] : [{ name: 'departure', value, source: `${ASSUMED}: ${note}` }]

/** How long before departure the clock begins: long enough for every step, however long the caller says that it takes. */
function spanMinutes(given: Input): number {
  const travel = Math.max(given.travel_minutes ?? 0, given.travel_p90_minutes ?? 0)
  const { kerb_minutes: kerb, bag_drop_minutes: bags, document_check_minutes: documents } = given
  const { security_minutes: security, preclearance_minutes: us, passport_minutes: passport, walk_minutes: walk } = given
  const own = [kerb, bags, documents, security, us, passport, walk].map((minutes) => minutes ?? 0)
  const closing = Math.max(given.bag_drop_closes_minutes ?? 0, given.boarding_closes_minutes ?? 0)
  return SPAN_MINUTES + 2 * travel + closing + own.reduce((sum, minutes) => sum + minutes, 0)
}

/** The terminal whose forecast is used: one that the tier sees and that has a forecast. */
function terminalOf({ iata: airport, terminal }: Input, { snapshot, tier }: QueryContext): string | null {
  if (terminal === undefined || granularityOf(tier) !== 'terminal') return null
  const bare = (name: string) => name.toLowerCase().replace(/^(terminal|t)[\s-]*/, '')
  return snapshot.terminals(airport).find((known) => bare(known) === bare(terminal.trim())) ?? null
}

function peakOf({ peak_factor }: Input, country: string, localDay: string): PeakDay | null {
  const peak = peakDay(country, localDay)
  if (peak_factor === undefined) return peak
  return { name: peak?.name ?? 'a busy day', factor: peak_factor, reason: 'given by the caller', source: CALLER }
}

function securityOf(trip: Trip, journey: Journey): SecurityWait | null {
  const { context, departure_ms, horizon_hours, terminal, peak, security } = journey
  const { snapshot, now } = context
  const known = security.get(trip.lane)
  if (known !== undefined) return known
  const horizon_ms = now + horizon_hours * HOUR_MS
  const made = securityWait(snapshot, { trip, terminal, departure_ms, horizon_ms, now, peak })
  security.set(trip.lane, made)
  return made
}

interface MadePlan {
  plan: Plan
  steps: DepartureStep[]
  deadlines: Deadline[]
  request: PlanRequest
}

/** The steps of a trip on the clock of the journey. */
function stepsFor(trip: Trip, journey: Journey, given: StepMinutes = journey.given) {
  const { context, departure_ms, origin_ms, opening } = journey
  return departureSteps({
    trip,
    minutes: given,
    security: given.security_minutes === undefined ? securityOf(trip, journey) : null,
    opening,
    exit_forecast: predictedExit(trip.airport.iata, context),
    origin_ms,
    departure_ms,
  })
}

/** The exit queue as its own hours foretell it; what is typical of arrivals elsewhere is no better than the step's own assumption. */
function predictedExit(iata: string, { snapshot }: QueryContext) {
  const forecast = snapshot.borderForecast(iata, { direction: 'exit' })
  return forecast?.basis === 'predicted' ? forecast : null
}

function planFor(trip: Trip, journey: Journey): MadePlan {
  const { context, given, departure_ms, origin_ms } = journey
  const { steps, deadlines } = stepsFor(trip, journey)
  const toFull = (ROUND_TO_MINUTES * MINUTE_MS - (origin_ms % (ROUND_TO_MINUTES * MINUTE_MS))) / MINUTE_MS
  const request: PlanRequest = {
    steps,
    minutes: Math.floor((departure_ms - origin_ms) / MINUTE_MS),
    now: Math.ceil((context.now - origin_ms) / MINUTE_MS),
    confidence: given.confidence,
    round_to: ROUND_TO_MINUTES,
    full_minute: toFull,
  }
  return { plan: planOf(request), steps, deadlines, request }
}

const instantOf = (minute: number, { origin_ms }: Journey) => origin_ms + minute * MINUTE_MS

function leavingTime({ minute, probability: chance }: Leaving, journey: Journey, timezone: string) {
  const instant = instantOf(minute, journey)
  return { leave_at: isoUtc(instant), leave_at_local: localTime(instant, timezone), probability: roundedDown(chance) }
}

/** A probability in thousandths. */
const rounded = (chance: number) => Math.round(chance * 1_000) / 1_000

/** The probabilities of a long wait. */
const longWaitChances = (wait: Minutes) => ({
  over_15: rounded(chanceOver(wait, 15)),
  over_30: rounded(chanceOver(wait, 30)),
})

/** A probability of catching the flight is never rounded up. */
const roundedDown = (chance: number) => Math.floor(chance * 1_000) / 1_000

function recommendedOf(
  recommended: Leaving,
  { begins }: Plan,
  steps: readonly DepartureStep[],
  journey: Journey,
  timezone: string,
) {
  const way = steps[0]?.name === 'travel' ? 1 : 0
  const arrive = instantOf(begins[way] ?? recommended.minute, journey)
  return {
    ...leavingTime(recommended, journey, timezone),
    arrive_at: isoUtc(arrive),
    arrive_at_local: localTime(arrive, timezone),
  }
}

function stepAnswer(step: DepartureStep, begins: number, journey: Journey, timezone: string) {
  const instant = instantOf(begins, journey)
  const taken = step.takes(begins)
  const { name, basis, source, as_of, note } = step
  return {
    step: name,
    begins_at: isoUtc(instant),
    begins_at_local: localTime(instant, timezone),
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

function deadlineAnswer(deadline: Deadline, departure_ms: number, timezone: string) {
  const instant = departure_ms - deadline.minutes_before_departure * MINUTE_MS
  return { ...deadline, at: isoUtc(instant), at_local: localTime(instant, timezone) }
}

type Change = z.output<typeof WhatIf>['change']

/** Other choices, each planned anew. */
function whatIf(trip: Trip, made: MadePlan, request: PlanRequest, journey: Journey, timezone: string) {
  const { plan } = made
  const { given, context } = journey
  const changes: [Change, string, Partial<TripInput>][] = []
  if (trip.bags) changes.push(['carry_on_only', 'bags=false', { bags: false }])
  else if (trip.desk) changes.push(['online_check_in', 'check_in=online', { check_in: 'online' }])
  if (trip.lane === 'standard' && nation(trip.airport) === 'US' && given.security_minutes === undefined)
    changes.push(['precheck', 'lane=precheck', { lane: 'precheck' }])
  if (trip.ees && given.ees === undefined) changes.push(['eu_passport', 'ees=false', { ees: false }])
  if (trip.maybe_preclearance) changes.push(['flight_to_the_us', 'preclearance=true', { preclearance: true }])
  const from = plan.recommended ?? plan.now
  const planned = changes.map(([change, parameter, over]) => {
    const changed = tripOf(Object.assign({}, given, over), trip.airport, context.directory)
    const success = successByMinute(stepsFor(changed, journey).steps, request.minutes)
    const minute = latestMinute(success, request.confidence, 0, request.minutes)
    const instant = minute === null ? null : instantOf(minute, journey)
    return {
      change,
      parameter,
      leave_at: instant === null ? null : isoUtc(instant),
      leave_at_local: instant === null ? null : localTime(instant, timezone),
      minutes_later: minute === null || !plan.required ? null : minute - plan.required.minute,
      probability: roundedDown(stated(success[from.minute] ?? 0)),
    }
  })
  const helpful = planned.toSorted(
    (a, b) => (b.minutes_later ?? 0) - (a.minutes_later ?? 0) || b.probability - a.probability,
  )
  return plan.outcome === 'recommended' ? [...helpful, ...earlier(made, from, journey, timezone)] : helpful
}

const EARLIER_MINUTES = 20

/** Leaving 20 minutes earlier; nothing when that has passed or the chance is as good as it is stated. */
function earlier({ plan, request }: MadePlan, from: Leaving, journey: Journey, timezone: string) {
  const minute = from.minute - EARLIER_MINUTES
  if (minute < Math.max(0, request.now) || from.probability >= MAX_PROBABILITY) return []
  const instant = instantOf(minute, journey)
  return [
    {
      change: 'leave_20_minutes_earlier' as const,
      parameter: '',
      leave_at: isoUtc(instant),
      leave_at_local: localTime(instant, timezone),
      minutes_later: -EARLIER_MINUTES,
      probability: roundedDown(stated(plan.success[minute] ?? 0)),
    },
  ]
}

/**
 * When security must be open for the plan to hold (epoch ms): where it is closed now, nobody says until when, and the flight
 * is near. Null otherwise.
 */
function mustOpenBy({ plan, steps }: MadePlan, journey: Journey): number | null {
  const { context, given, departure_ms, terminal } = journey
  const { status, reopens_at } = securityNow(context.snapshot, given.iata, terminal)
  if (status !== 'closed' || reopens_at !== null || plan.recommended === null) return null
  if (departure_ms - context.now > NOW_MATTERS_MS) return null
  const begins = plan.begins[steps.findIndex(({ name }) => name === 'security')]
  return begins === undefined ? null : instantOf(begins, journey)
}

function forecastAnswer(security: SecurityWait | null, { context, given, terminal, horizon_hours }: Journey) {
  if (!security)
    return {
      kind: 'caller' as const,
      basis: null,
      source: CALLER,
      terminal: null,
      backtest_mae_minutes: null,
      horizon_hours,
    }
  const { kind, basis, source } = security
  const model = kind === 'forecast' ? context.snapshot.forecast(given.iata, terminal ?? '')?.model : null
  return { kind, basis, source, terminal, backtest_mae_minutes: model?.backtest.mae_minutes ?? null, horizon_hours }
}

/** What holds now, of the queue and of the FAA's programs, says something about departures this near. */
const NOW_MATTERS_MS = 12 * HOUR_MS

function delaysText(airport: string, departure_ms: number, { snapshot, now }: QueryContext): string | null {
  if (departure_ms - now > NOW_MATTERS_MS) return null
  const { status, summary } = snapshot.delays(airport)
  return status === 'normal' || status === 'unknown' ? null : summary
}

/** The values taken for want of the caller's: those of the steps, of the closing times, and of what is left out. */
function constantAssumptions(
  given: Input,
  steps: readonly DepartureStep[],
  deadlines: readonly Deadline[],
  { terminal, peak, opening }: Journey,
): Assumption[] {
  const assumptions: Assumption[] = []
  if (given.travel_minutes === undefined)
    assumptions.push({ name: 'travel_minutes', value: 0, source: `${ASSUMED}: your way to the airport is not counted` })
  if (given.kerb_minutes === undefined)
    assumptions.push({
      name: 'kerb_minutes',
      value: 0,
      source: `${ASSUMED}: no figure is known of parking and the way in`,
    })
  if (
    given.document_check_minutes === undefined &&
    steps.every(({ name }) => name !== 'bag_drop' && name !== 'check_in')
  )
    assumptions.push({
      name: 'document_check_minutes',
      value: 0,
      source: `${ASSUMED}: documents are checked online or at the gate`,
    })
  if (given.terminal !== undefined && terminal === null)
    assumptions.push({
      name: 'terminal',
      value: 'the whole airport',
      source: `${ASSUMED}: no forecast of this terminal is available on this tier`,
    })
  for (const step of steps) {
    if (step.basis !== 'published' && step.basis !== 'assumed') continue
    const taken = step.takes(0)
    assumptions.push({
      name: PARAMETER_OF[step.name] ?? step.name,
      value: `${quantileMinutes(taken, 0.5)} in half of all cases, ${quantileMinutes(taken, 0.9)} in nine of ten`,
      source: step.source,
    })
  }
  for (const { deadline, minutes_before_departure, source } of deadlines)
    assumptions.push({
      name: `${deadline.replace('check_in', 'bag_drop')}_minutes`,
      value: minutes_before_departure,
      source,
    })
  if (!opening)
    assumptions.push({
      name: 'security_open',
      value: true,
      source: `${ASSUMED}: the opening hours of security are not known here; ask the airport for a very early or late flight`,
    })
  if (peak) assumptions.push({ name: 'peak_factor', value: peak.factor, source: peak.source })
  return assumptions
}

const PARAMETER_OF: Partial<Record<DepartureStep['name'], string>> = {
  check_in: 'bag_drop_minutes',
  bag_drop: 'bag_drop_minutes',
  us_preclearance: 'preclearance_minutes',
  exit_passport_control: 'passport_minutes',
  walk_to_gate: 'walk_minutes',
}
