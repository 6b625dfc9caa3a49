import { z } from 'zod'
import { DeadlineAnswer, type LeaveBy, LeaveByAnswer, StepAnswer, WhatIf } from './leave-by-answer.ts'

const leaving = z.string().nullable()
const { forecast, weather_alerts } = LeaveByAnswer.shape

/** The default answer: of the full one these fields, without the sources of each figure. */
export const DepartureBrief = LeaveByAnswer.pick({
  airport: true,
  departure: true,
  departure_local: true,
  outcome: true,
  recommended: true,
  required_at_local: true,
  dominated_by: true,
  security_opens_at_local: true,
  security_closes_at_local: true,
  security_must_open_by_local: true,
  closed_at_departure: true,
  flights_resume_at_local: true,
  delays: true,
  weather: true,
  security_now: true,
  security_open_lanes: true,
  security_hours: true,
  unavailable_reason: true,
  simulated: true,
  timestamp: true,
})
  .strip()
  .extend({
    leave_times_local: z.object({ p50: leaving, p90: leaving, p99: leaving }),
    steps: z.array(
      StepAnswer.pick({
        step: true,
        begins_at_local: true,
        p50_minutes: true,
        p90_minutes: true,
        basis: true,
        source: true,
      }).strip(),
    ),
    deadlines: z.array(DeadlineAnswer.pick({ deadline: true, at_local: true, basis: true, source: true }).strip()),
    what_if: z.array(WhatIf.omit({ leave_at: true }).strip()),
    peak: z.string().nullable(),
    weather_alerts: z.array(weather_alerts.unwrap().element.pick({ airport: true, effect: true, text: true }).strip()),
    forecast: forecast
      .unwrap()
      .unwrap()
      .pick({ kind: true, basis: true, adjusted_to: true, reached_by: true })
      .strip()
      .nullable(),
    assumed: z.array(z.string()),
  })

const reasonOf = ({ source }: LeaveBy['assumptions'][number]) => source.replace(/^assumed: /, '')

/** Why something is assumed, without what to give if it is otherwise. */
const clauseOf = (assumption: LeaveBy['assumptions'][number]) => reasonOf(assumption).split(';')[0]!

/** The assumptions that change most when they are wrong, in words; the others stand in the full answer. */
const ASSUMED_WORDS: Record<string, (assumption: LeaveBy['assumptions'][number]) => string> = {
  departure: reasonOf,
  destination: reasonOf,
  international: (assumption) =>
    assumption.value ? `a flight abroad, as ${clauseOf(assumption)}` : 'a domestic flight',
  leaves_schengen: () => 'a flight out of the Schengen area',
  ees: () => 'a passport from outside the EU, and no residence there',
  preclearance: (assumption) =>
    assumption.value ? `a flight to the US, as ${clauseOf(assumption)}` : 'a flight that does not go to the US',
  online_check_in: () => 'checked in online, with no bag to drop',
  lane: reasonOf,
  terminal: reasonOf,
  airline: reasonOf,
  holiday: reasonOf,
}

/** A source in short: of pages only their sites. */
function sitesOf(source: string): string {
  const parts = source
    .split(' ; ')
    .map((part) => /^https?:\/\/(?:www\.)?([^/\s]+)/.exec(part)?.[1] ?? part.split(',')[0] ?? part)
  return [...new Set(parts)].join(', ')
}

const isAssumed = (source: string) => source.startsWith('assumed')

export function briefOf(answer: LeaveBy): DepartureBrief {
  const { leave_times, steps, deadlines, peak, assumptions, ...unchanged } = answer
  return {
    leave_times_local: {
      p50: leave_times.p50?.leave_at_local ?? null,
      p90: leave_times.p90?.leave_at_local ?? null,
      // Nobody can leave at a time that has passed.
      p99: leave_times.p99 && leave_times.p99.leave_at > answer.timestamp ? leave_times.p99.leave_at_local : null,
    },
    steps: steps.map(({ source, ...step }) => ({ source: sitesOf(source), ...step })),
    deadlines: deadlines.map(({ source, ...deadline }) => ({ source: sitesOf(source), ...deadline })),
    peak: peak?.name ?? null,
    assumed: assumptions.flatMap((assumption) =>
      isAssumed(assumption.source) ? (ASSUMED_WORDS[assumption.name]?.(assumption) ?? []) : [],
    ),
    ...unchanged,
  }
}

export type DepartureBrief = z.output<typeof DepartureBrief>
