import { z } from 'zod'
import { fraction, minutes } from '../../config/answers.ts'
import { AlertEffect } from '../../config/domain.ts'
import { iata } from '../questions/shared-fields.ts'
import type { LeaveBy } from './leave-by-answer.ts'

const leaving = z.string().nullable()

/** The default answer: of the full one these fields, without the sources of each figure. */
export const DepartureBrief = z.object({
  airport: iata,
  departure: z.string(),
  departure_local: z.string(),
  outcome: z.string(),
  recommended: z
    .object({
      leave_at: z.string(),
      leave_at_local: z.string(),
      arrive_at: z.string(),
      arrive_at_local: z.string(),
      probability: fraction,
    })
    .nullable(),
  required_at_local: z.string().nullable(),
  leave_times_local: z.object({ p50: leaving, p90: leaving, p99: leaving }),
  steps: z.array(
    z.object({
      step: z.string(),
      begins_at_local: z.string(),
      p50_minutes: minutes,
      p90_minutes: minutes,
      basis: z.string(),
      source: z.string(),
    }),
  ),
  deadlines: z.array(z.object({ deadline: z.string(), at_local: z.string(), basis: z.string(), source: z.string() })),
  dominated_by: z.string().nullable(),
  what_if: z.array(
    z.object({
      change: z.string(),
      parameter: z.string(),
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
  closed_at_departure: z.string().nullable(),
  delays: z.string().nullable(),
  weather: z.string().nullable(),
  weather_alerts: z.array(z.object({ airport: iata, effect: AlertEffect.nullable(), text: z.string() })),
  security_now: z.string(),
  forecast: z.object({ kind: z.string(), basis: z.string(), reached_by: z.string().nullable() }).nullable(),
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
  ees: () => 'a passport from outside the EU, and no residence there',
  preclearance: () => 'a flight that does not go to the US',
  online_check_in: () => 'checked in online, with no bag to drop',
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
  const { leave_times, steps, deadlines, peak, assumptions } = answer
  return {
    ...answer,
    leave_times_local: {
      p50: leave_times.p50?.leave_at_local ?? null,
      p90: leave_times.p90?.leave_at_local ?? null,
      p99: leave_times.p99?.leave_at_local ?? null,
    },
    steps: steps.map((step) => ({ ...step, source: sitesOf(step.source) })),
    deadlines: deadlines.map((deadline) => ({ ...deadline, source: sitesOf(deadline.source) })),
    peak: peak?.name ?? null,
    assumed: assumptions.flatMap((assumption) =>
      isAssumed(assumption.source) ? (ASSUMED_WORDS[assumption.name]?.(assumption) ?? []) : [],
    ),
  }
}

export type DepartureBrief = z.output<typeof DepartureBrief>
