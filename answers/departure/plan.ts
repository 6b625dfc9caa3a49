import { getOrCreate } from '../../config/once.ts'
import { fixedMinutes, quantileMinutes } from './durations.ts'
import type { DepartureStep } from './steps.ts'
import { latestMinute, medianMinutes, type Success, successFromEach } from './success.ts'

/** The plan of a departure: when to leave, how sure that is, what it hangs on. Minutes count from the origin of the clock. */

/** No higher probability is ever stated: the quantiles behind it say nothing about the last hundredth. */
export const MAX_PROBABILITY = 0.99
/** Times differ in nothing that matters when their probabilities lie this close. */
const SAME = 0.005

export type Outcome = 'recommended' | 'best_possible' | 'late' | 'missed'

/** A minute to leave, and the probability of catching the flight then. */
export interface Leaving {
  minute: number
  probability: number
}

export interface Plan {
  outcome: Outcome
  /** Null when the flight can no longer be caught. */
  recommended: Leaving | null
  /** Whether somebody who left early enough could have caught the flight. */
  was_possible: boolean
  /** The last minute with the required probability, although it may have passed; null when no minute has it. */
  required: Leaving | null
  now: Leaving
  /** The probability of every minute of the clock. */
  success: Success
  p50: Leaving | null
  p90: Leaving | null
  p99: Leaving | null
  curve: Leaving[]
  /** The median minute at which each step begins after the recommended departure, then that of the end. */
  begins: number[]
  /** Minutes by which one could leave later if a step took its median for certain, the largest first. */
  risk: { step: DepartureStep['name'] | 'security_opening'; minutes: number }[]
}

export interface PlanRequest {
  steps: readonly DepartureStep[]
  /** Length of the clock: the minute of departure. */
  minutes: number
  /** The minute of now; negative when the clock begins later. */
  now: number
  confidence: number
  /** Recommendations are rounded down to a multiple of this many minutes, from a minute that lies on the clock of the airport. */
  round_to: number
  /** A minute of the clock that is a full multiple of `round_to` on the airport's clock. */
  full_minute: number
}

export function stated(probability: number): number {
  return Math.min(MAX_PROBABILITY, probability)
}

/** Works out the plan. */
export function planOf(request: PlanRequest): Plan {
  const { steps, minutes, now, confidence } = request
  const fromEach = successFromEach(steps, minutes)
  const success = fromEach[0]!
  const leaving = (minute: number): Leaving => ({ minute, probability: stated(success.probabilityAt(minute)) })
  const latestWith = (probability: number) => latestMinute(success, probability, 0, minutes)
  const leavingWith = (probability: number) => {
    const minute = latestWith(probability)
    return minute === null ? null : leaving(minute)
  }
  const earliest = Math.max(0, now)
  const required = leavingWith(confidence)
  const target = required?.minute ?? latestWith(success.probabilityAt(0) - SAME) ?? 0
  const chosen = Math.max(onFullMinute(target, request), earliest)
  const recommended = leaving(chosen)
  const outcome = outcomeOf(required !== null, target >= earliest, recommended.probability)
  return {
    outcome,
    recommended: outcome === 'missed' ? null : recommended,
    was_possible: success.probabilityAt(0) >= HOPELESS,
    required,
    now: leaving(earliest),
    success,
    p50: leavingWith(0.5),
    p90: leavingWith(0.9),
    p99: leavingWith(0.99),
    curve: curveOf(success, target, request).map(leaving),
    begins: medianMinutes(steps, chosen),
    risk: required ? riskOf(request, required.minute, fromEach) : openingRisk(steps),
  }
}

/** Under this chance a flight counts as missed. */
const HOPELESS = 0.01

function outcomeOf(possible: boolean, isInTime: boolean, probability: number): Outcome {
  if (probability < HOPELESS) return 'missed'
  if (!isInTime) return 'late'
  return possible ? 'recommended' : 'best_possible'
}

/** A minute to leave on a full multiple of minutes, unless that has passed. */
export function onFullMinute(minute: number, request: PlanRequest): number {
  const rounded = roundedDown(minute, request)
  return rounded >= Math.max(0, request.now) ? rounded : minute
}

function roundedDown(minute: number, { round_to, full_minute }: PlanRequest): number {
  const beyond = (((minute - full_minute) % round_to) + round_to) % round_to
  return minute - beyond
}

/** Most points of a curve. */
const CURVE_POINTS = 12

/** Minutes from certain to hopeless, in full steps of the clock. */
function curveOf(success: Success, target: number, request: PlanRequest): number[] {
  const { minutes, now } = request
  const certain = latestMinute(success, 0.99, 0, minutes) ?? Math.max(0, target - 30)
  const hopeless = latestMinute(success, 0.02, 0, minutes) ?? minutes
  const from = Math.max(Math.min(certain, target) - 10, now, 0)
  const every = [5, 10, 15, 20, 30, 60].find((step) => (hopeless - from) / step < CURVE_POINTS) ?? 120
  const points: number[] = []
  const first = roundedDown(from + every - 1, { ...request, round_to: every })
  for (let minute = first; minute <= Math.min(minutes, hopeless + every - 1); minute += every)
    if (minute >= Math.max(0, now)) points.push(minute)
  return points.slice(0, CURVE_POINTS)
}

/** How much each uncertain step costs: the minutes gained if it took its median for certain, or were always open. */
function riskOf(
  { steps, minutes, confidence }: PlanRequest,
  required: number,
  fromEach: readonly Success[],
): Plan['risk'] {
  const variants = steps.flatMap((step, position) => {
    if (!step.open && step.takes(required).probabilities.length === 1) return []
    const { open, ...always } = step
    const certain = { position, name: step.name, without: { ...step, takes: medianOf(step) } }
    return open ? [certain, { position, name: 'security_opening' as const, without: always }] : [certain]
  })
  return variants
    .map(({ position, name, without }) => {
      // Later steps stay as before, and only later minutes are a gain.
      const success = [...steps.slice(0, position), without].reduceRight(
        (after, step) => after.before(step),
        fromEach[position + 1]!,
      )
      const minute = latestMinute(success, confidence, required, minutes)
      return { step: name, minutes: minute === null ? 0 : minute - required }
    })
    .filter(({ minutes }) => minutes > 0)
    .toSorted((a, b) => b.minutes - a.minutes)
}

function medianOf({ takes }: DepartureStep): DepartureStep['takes'] {
  const known = new Map<object, ReturnType<typeof fixedMinutes>>()
  return (minute) => {
    const taken = takes(minute)
    return getOrCreate(known, taken, () => fixedMinutes(quantileMinutes(taken, 0.5)))
  }
}

/** If no minute has the required probability, the opening hours cause it, if there are any. */
const openingRisk = (steps: readonly DepartureStep[]): Plan['risk'] =>
  steps.some(({ open }) => open) ? [{ step: 'security_opening', minutes: 0 }] : []
