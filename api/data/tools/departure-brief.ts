import { z } from 'zod'
import { fraction, minutes } from '../../../config/facts.ts'
import type { LeaveBy } from '../departure/leave-by-answer.ts'
import { iata } from '../queries/shared-fields.ts'

const leaving = z.string().nullable()

/** The default answer: without the sources of each figure, which the full answer has. */
export const DepartureBrief = z.strictObject({
  airport: iata,
  departure: z.string(),
  departure_local: z.string(),
  outcome: z.string(),
  recommended: z
    .strictObject({
      leave_at: z.string(),
      leave_at_local: z.string(),
      arrive_at: z.string(),
      arrive_at_local: z.string(),
      probability: fraction,
    })
    .nullable(),
  required_at_local: z.string().nullable(),
  leave_times_local: z.strictObject({ p50: leaving, p90: leaving, p99: leaving }),
  steps: z.array(
    z.strictObject({
      step: z.string(),
      begins_at_local: z.string(),
      p50_minutes: minutes,
      p90_minutes: minutes,
      basis: z.string(),
      source: z.string(),
    }),
  ),
  deadlines: z.array(
    z.strictObject({ deadline: z.string(), at_local: z.string(), basis: z.string(), source: z.string() }),
  ),
  dominated_by: z.string().nullable(),
  what_if: z.array(
    z.strictObject({
      change: z.string(),
      of_assumption: z.boolean(),
      leave_at_local: z.string().nullable(),
      minutes_later: z.int().nullable(),
      probability: fraction,
    }),
  ),
  peak: z.string().nullable(),
  security_opens_at_local: z.string().nullable(),
  security_closes_at_local: z.string().nullable(),
  security_must_open_by_local: z.string().nullable(),
  delays: z.string().nullable(),
  security_now: z.string(),
  forecast: z.strictObject({ kind: z.string(), basis: z.string(), reached_by: z.string().nullable() }).nullable(),
  security_hours: z.string(),
  assumed: z.array(z.string()),
  unavailable_reason: z.string().nullable(),
  simulated: z.boolean(),
})

const reasonOf = ({ source }: LeaveBy['assumptions'][number]) => source.replace(/^assumed: /, '')

/** The assumptions that change most when they are wrong, in words; the others stand in the full answer. */
const ASSUMED_WORDS: Record<string, (assumption: LeaveBy['assumptions'][number]) => string> = {
  departure: reasonOf,
  international: ({ value }) => (value ? 'a flight abroad' : 'a domestic flight'),
  leaves_schengen: () => 'a flight out of the Schengen area',
  ees: () => 'a passport from outside the EU',
  preclearance: () => 'a flight that does not go to the US',
  lane: reasonOf,
  terminal: reasonOf,
  airline: reasonOf,
}

/** A source in short: of pages only their sites. */
function sitesOf(source: string): string {
  const parts = source
    .split(' ; ')
    .map((part) => /^https?:\/\/(?:www\.)?([^/\s]+)/.exec(part)?.[1] ?? part.split(',')[0] ?? part)
  return [...new Set(parts)].join(', ')
}

const isAssumed = (source: string) => source.startsWith('assumed')

export function briefOf(answer: LeaveBy): z.input<typeof DepartureBrief> {
  const { airport, departure, departure_local, outcome, recommended, required_at_local, leave_times } = answer
  const { dominated_by, security_opens_at_local, security_closes_at_local, security_must_open_by_local, delays } =
    answer
  const { security_now, forecast, unavailable_reason, simulated } = answer
  return {
    airport,
    departure,
    departure_local,
    outcome,
    recommended,
    required_at_local,
    leave_times_local: {
      p50: leave_times.p50?.leave_at_local ?? null,
      p90: leave_times.p90?.leave_at_local ?? null,
      p99: leave_times.p99?.leave_at_local ?? null,
    },
    steps: answer.steps.map(({ step, begins_at_local, p50_minutes, p90_minutes, basis, source }) => ({
      step,
      begins_at_local,
      p50_minutes,
      p90_minutes,
      basis,
      source: sitesOf(source),
    })),
    deadlines: answer.deadlines.map(({ deadline, at_local, basis, source }) => ({
      deadline,
      at_local,
      basis,
      source: sitesOf(source),
    })),
    dominated_by,
    what_if: answer.what_if.map(({ change, of_assumption, leave_at_local, minutes_later, probability }) => ({
      change,
      of_assumption,
      leave_at_local,
      minutes_later,
      probability,
    })),
    peak: answer.peak?.name ?? null,
    security_opens_at_local,
    security_closes_at_local,
    security_must_open_by_local,
    delays,
    security_now,
    forecast: forecast && { kind: forecast.kind, basis: forecast.basis, reached_by: forecast.reached_by },
    security_hours: answer.security_hours,
    assumed: answer.assumptions.flatMap((assumption) =>
      isAssumed(assumption.source) ? (ASSUMED_WORDS[assumption.name]?.(assumption) ?? []) : [],
    ),
    unavailable_reason,
    simulated,
  }
}

export type DepartureBrief = z.output<typeof DepartureBrief>
