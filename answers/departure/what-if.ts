import type { z } from 'zod'
import { isSchengenAirport } from '../../config/reference/schengen-airports.ts'
import { instantOf, type Journey, localOf, type MadePlan, stepsFor, utcOf } from './journey.ts'
import type { WhatIf } from './leave-by-answer.ts'
import type { LeaveByRequest } from './leave-by-request.ts'
import { type Leaving, MAX_PROBABILITY, onFullMinute, stated } from './plan.ts'
import { latestMinute, successOf } from './success.ts'
import { nation, type Trip, tripOf } from './trip.ts'

/** The effect of other choices, and of other answers to the assumptions. */

/** A probability of catching the flight is never rounded up. */
export const roundedDown = (chance: number) => Math.floor(chance * 1_000) / 1_000

type PlanChange = z.output<typeof WhatIf>['change']

/** Changes that are not the traveller's choice but another answer to what was assumed. */
const OF_ASSUMPTIONS: ReadonlySet<PlanChange> = new Set([
  'international_flight',
  'domestic_flight',
  'eu_passport',
  'flight_to_the_us',
])

/** Other choices and other assumptions, each planned anew. */
export function whatIf(trip: Trip, made: MadePlan, journey: Journey) {
  const { plan, request } = made
  const { input, context } = journey
  const changes: [PlanChange, string, Partial<LeaveByRequest>][] = []
  if (trip.maybe_other_way)
    changes.push(
      trip.international
        ? ['domestic_flight', 'international=false', { international: false }]
        : ['international_flight', 'international=true', { international: true }],
    )
  if (trip.bags) changes.push(['carry_on_only', 'bags=false', { bags: false }])
  else if (trip.desk) changes.push(['online_check_in', 'check_in=online', { check_in: 'online' }])
  if (trip.lane === 'standard' && nation(trip.airport) === 'US')
    changes.push(['precheck', 'lane=precheck', { lane: 'precheck' }])
  if (!trip.ees && input.ees === false && trip.exit_control && isSchengenAirport(trip.airport))
    changes.push(['other_passport', 'ees=true', { ees: true }])
  if (trip.ees && input.ees === undefined) changes.push(['eu_passport', 'ees=false', { ees: false }])
  if (trip.maybe_preclearance) changes.push(['flight_to_the_us', 'preclearance=true', { preclearance: true }])
  const from = plan.recommended ?? plan.now
  const planned = [...changes, ...badDay(input)].map(([change, parameter, over]) => {
    const changed = { ...input, ...over }
    const { steps } = stepsFor(tripOf(changed, trip.airport, context.directory), { ...journey, input: changed })
    const success = successOf(steps, request.minutes)
    const latest = latestMinute(success, request.confidence, 0, request.minutes)
    // As the change is answered when it is requested itself.
    const minute = latest === null ? null : onFullMinute(latest, request)
    const leave_at = minute === null ? null : instantOf(minute, journey)
    return {
      change,
      parameter,
      of_assumption: OF_ASSUMPTIONS.has(change),
      leave_at: utcOf(leave_at),
      leave_at_local: localOf(leave_at, journey),
      minutes_later: minute === null || !plan.required ? null : minute - onFullMinute(plan.required.minute, request),
      probability: roundedDown(stated(success.probabilityAt(from.minute))),
    }
  })
  const helpful = planned.toSorted(
    (a, b) => (b.minutes_later ?? 0) - (a.minutes_later ?? 0) || b.probability - a.probability,
  )
  return plan.outcome === 'recommended' ? [...helpful, ...earlier(made, from, journey)] : helpful
}

/** A shorter way has no bad day worth a word. */
const LONG_WAY_MINUTES = 20
const BAD_DAY_FACTOR = 1.3

/** A way that was given without its bad day: what a third more on one day in ten would do. */
function badDay({
  travel_minutes = 0,
  travel_p90_minutes = 0,
}: LeaveByRequest): [PlanChange, string, Partial<LeaveByRequest>][] {
  if (travel_minutes < LONG_WAY_MINUTES || travel_p90_minutes > travel_minutes) return []
  const bad = Math.ceil((travel_minutes * BAD_DAY_FACTOR) / 5) * 5
  return [['bad_day_on_the_road', `travel_p90_minutes=${bad}`, { travel_p90_minutes: bad }]]
}

const EARLIER_MINUTES = 20

/** Leaving 20 minutes earlier; nothing when that has passed or the chance is as good as it is stated. */
function earlier({ plan, request }: MadePlan, from: Leaving, journey: Journey) {
  const minute = from.minute - EARLIER_MINUTES
  if (minute < Math.max(0, request.now) || from.probability >= MAX_PROBABILITY) return []
  return [
    {
      change: 'leave_20_minutes_earlier' as const,
      parameter: '',
      of_assumption: false,
      leave_at: utcOf(instantOf(minute, journey)),
      leave_at_local: localOf(instantOf(minute, journey), journey),
      minutes_later: -EARLIER_MINUTES,
      probability: roundedDown(stated(plan.success.probabilityAt(minute))),
    },
  ]
}
