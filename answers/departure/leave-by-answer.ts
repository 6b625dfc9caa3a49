import { z } from 'zod'
import { AdjustedTo, fraction, Instant, minutes, statistic, unavailableReason } from '../../config/answer-schemas.ts'
import { Basis, Lane, QueueStatus } from '../../config/vocabulary.ts'
import { WeatherAlert } from '../../warehouse/publishing/read/weather-alerts.ts'
import { iata, notice, simulated, timestamp } from '../questions/shared-fields.ts'

/** The answer about leaving for a flight. */

/** A field that the outcome `no_figure` does not have: null, or an empty list, on the wire. */
const onlyWithPlan = <Field extends z.ZodType>(field: Field) => field.nullable().prefault(null)
const listOfPlan = <Field extends z.ZodType>(field: Field) => z.array(field).prefault([])

const localInstant = z.string().describe('The same in the airport’s time zone, with its offset.')
const probability = fraction.describe('Probability of catching the flight; 0.99 at most.')

export const LeavingTime = z.strictObject({
  leave_at: Instant.describe('Time of leaving (UTC).'),
  leave_at_local: localInstant,
  probability,
})
const Recommended = z.strictObject({
  leave_at: Instant.describe('When to leave the door (UTC); without `travel_minutes`, when to be at the airport.'),
  leave_at_local: localInstant,
  arrive_at: Instant.describe('When you are at the airport on a usual day (UTC).'),
  arrive_at_local: localInstant,
  probability,
})

export const StepAnswer = z.strictObject({
  step: z.enum([
    'travel',
    'check_in',
    'bag_drop',
    'us_inspection',
    'security',
    'exit_passport_control',
    'us_preclearance',
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

export const DeadlineAnswer = z.strictObject({
  deadline: z.enum(['bag_drop_closes', 'check_in_closes', 'security_entry_closes', 'boarding_closes']),
  at: Instant,
  at_local: localInstant,
  minutes_before_departure: minutes,
  basis: z.enum(['published', 'assumed']),
  source: z.string(),
  as_of: z.string().nullable(),
  note: z.string().nullable(),
})

export const WhatIf = z.strictObject({
  change: z.enum([
    'carry_on_only',
    'online_check_in',
    'precheck',
    'eu_passport',
    'other_passport',
    'bad_day_on_the_road',
    'flight_to_the_us',
    'international_flight',
    'domestic_flight',
    'leave_20_minutes_earlier',
  ]),
  parameter: z.string().describe('The parameter to give for it; empty for leaving earlier.'),
  of_assumption: z
    .boolean()
    .describe('Whether the plan rests on the opposite by assumption, as nothing was said of it.'),
  leave_at: Instant.nullable().describe('When to leave then, with the same confidence (UTC); null: no time has it.'),
  leave_at_local: localInstant.nullable(),
  minutes_later: z.int().nullable().describe('How much later that is; negative: earlier.'),
  probability: probability.describe('Probability then when leaving as recommended (20 minutes earlier for the last).'),
})

/** The answer of leave-by. */
export const LeaveByAnswer = z
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
        'recommended: with the required probability; best_possible: no time has it, the latest of the best; late: it has passed, leave now; missed: under 1 % even now; no_figure: nothing is known of security, or the airport is closed to airlines at the departure.',
      ),
    recommended: onlyWithPlan(Recommended).describe('Null when the flight is missed or nothing is known.'),
    required_at: onlyWithPlan(Instant).describe('The last minute with the required probability, passed or not (UTC).'),
    required_at_local: onlyWithPlan(localInstant),
    leave_times: z
      .strictObject({ p50: onlyWithPlan(LeavingTime), p90: onlyWithPlan(LeavingTime), p99: onlyWithPlan(LeavingTime) })
      .prefault({})
      .describe('The last minute with 50, 90 and 99 %; null: none has it.'),
    curve: listOfPlan(LeavingTime).describe('The probability by time of leaving, from certain to hopeless.'),
    steps: listOfPlan(StepAnswer),
    deadlines: listOfPlan(DeadlineAnswer),
    dominated_by: onlyWithPlan(z.string()).describe(
      'The step whose uncertainty costs most time, or `security_opening`; null when nothing is uncertain.',
    ),
    risk: listOfPlan(z.strictObject({ step: z.string(), minutes: z.int() })).describe(
      'By how many minutes one could leave later if the step took its median for certain; computed, the largest first.',
    ),
    what_if: listOfPlan(WhatIf).describe(
      'What other choices would change; each computed anew, the most helpful first.',
    ),
    peak: onlyWithPlan(
      z.strictObject({ name: z.string(), factor: statistic, reason: z.string(), source: z.string() }),
    ).describe('The holiday or season that makes the day busier, and the factor of the security wait for it.'),
    security_hours: z
      .enum(['known', 'not_known'])
      .prefault('not_known')
      .describe(
        'known: whether security is open when you come to it is learned from the days before, published or observed, and counted; not_known: taken as open.',
      ),
    security_now: QueueStatus.prefault('unknown').describe('Whether security is open now, where a source says so.'),
    security_open_lanes: z
      .array(Lane)
      .prefault([])
      .describe('The lanes that are open now for others, while security is closed for the traveller’s own.'),
    security_opens_at: onlyWithPlan(Instant).describe(
      'When security opens, if it is still to open in the ten hours before departure (UTC).',
    ),
    security_opens_at_local: onlyWithPlan(localInstant),
    security_closes_at: onlyWithPlan(Instant).describe(
      'When security closes, if it is closed at departure: nobody gets through later (UTC).',
    ),
    security_closes_at_local: onlyWithPlan(localInstant),
    security_must_open_by: onlyWithPlan(Instant).describe(
      'Set when security is closed now and nobody says when it opens, unless it is closed with the airport, which opens before departure: every probability holds only if it is open by then (UTC).',
    ),
    security_must_open_by_local: onlyWithPlan(localInstant),
    forecast: onlyWithPlan(
      z.strictObject({
        kind: z.enum(['forecast', 'usual', 'typical']),
        basis: Basis,
        source: z.string(),
        terminal: z.string().nullable(),
        adjusted_to: AdjustedTo.nullable().describe(
          'The newest wait, which the forecast follows when you come to security; null: none, or no more by then.',
        ),
        backtest_mae_minutes: statistic.nullable(),
        horizon_hours: z
          .int()
          .describe('How far ahead the tier sees forecasts; later departures rest on the usual pattern.'),
        reached_by: z
          .string()
          .nullable()
          .describe('The tier whose forecast reaches the departure, where this one does not; otherwise null.'),
      }),
    ),
    closed_at_departure: onlyWithPlan(z.string()).describe(
      'Set when the FAA lists the airport as closed to airlines at the time of departure: ask the airline.',
    ),
    flights_resume_at: onlyWithPlan(Instant).describe(
      'When airlines may fly again after that closure (UTC); null: not closed, or not known.',
    ),
    flights_resume_at_local: onlyWithPlan(localInstant),
    delays: onlyWithPlan(z.string()).describe(
      'Delays that the FAA reports for departures within 12 hours, and what holds flights to `destination` then; a closure of `destination` that is listed for the arrival on any day. They are not counted: gates close by the schedule until the airline says otherwise.',
    ),
    weather: onlyWithPlan(z.string()).describe(
      'What delays flights in the weather that is forecast, or else was reported in the 3 hours before, at the departure and at the arrival at `destination`; not counted.',
    ),
    weather_alerts: listOfPlan(
      z.strictObject({
        airport: iata,
        ...WeatherAlert.shape,
        text: z.string().describe('When it holds and what it means, in a sentence.'),
      }),
    ).describe(
      'Alerts of the US National Weather Service that hold at the departure, and at the arrival at `destination`, in the order in which they change plans; not counted.',
    ),
    assumptions: z
      .array(
        z.strictObject({
          name: z.string(),
          value: z.union([z.string(), z.number(), z.boolean()]),
          source: z.string().describe('the caller; a page; or `assumed`, with the reason.'),
        }),
      )
      .describe(
        'Everything that is neither measured nor forecast; where a parameter has the same name, it replaces the value.',
      ),
    unavailable_reason: unavailableReason,
    notice,
    simulated,
  })
  .meta({ id: 'LeaveBy' })

export type LeaveBy = z.output<typeof LeaveByAnswer>
