import { MINUTE_MS } from '../../config/vocabulary.ts'
import { probabilityAt } from '../quantiles/probability-by-spread.ts'
import type { HourForecast } from './assimilate.ts'
import { NOWCAST_LEADS, type OwnNowcast, type SharedNowcast } from './coefficients.ts'
import {
  FITTED_AGE_MINUTES,
  type NowcastInputs,
  nowcastInputs,
  type Recent,
  recentAt,
  sparsityOf,
} from './nowcast-inputs.ts'
import type { NowcastSeries } from './series.ts'

/** A nowcast of one instant: minutes, and the probability of being within 5 minutes of p50. */
export interface Nowcast extends HourForecast {
  confidence: number
}

/** The learned leads on both sides of a lead, and where it lies between them on a logarithmic scale. */
function leadsAround(lead_minutes: number): { before: number; after: number; share: number } {
  const after = NOWCAST_LEADS.findIndex((lead) => lead >= lead_minutes)
  if (after === -1) return { before: NOWCAST_LEADS.length - 1, after: NOWCAST_LEADS.length - 1, share: 0 }
  if (after === 0) return { before: 0, after: 0, share: 0 }
  const [low, high] = [NOWCAST_LEADS[after - 1]!, NOWCAST_LEADS[after]!]
  return { before: after - 1, after, share: Math.log(lead_minutes / low) / Math.log(high / low) }
}

/** Minutes from the issue to an instant, longer by the age of the newest wait beyond half an hour. */
function effectiveLead({ issued_ms, observed_ms }: Recent, valid_ms: number): number {
  const age = (issued_ms - observed_ms) / MINUTE_MS
  return (valid_ms - issued_ms) / MINUTE_MS + Math.max(0, age - FITTED_AGE_MINUTES)
}

const dot = (coefficients: readonly number[], inputs: Float64Array) => {
  let sum = 0
  for (let k = 0; k < inputs.length; k++) sum += coefficients[k]! * inputs[k]!
  return sum
}

/** The median in units of scale from the centre, by the shared coefficients at one of the learned leads. */
export function sharedMedian(shared: SharedNowcast, lead: number, sparsity: number, { median }: NowcastInputs): number {
  return mixed(sparsity, (kind) => dot(shared[kind].p50[lead]!, median))
}

/** Half-intervals below this many minutes count as this: waits are published in whole minutes. */
const MIN_HALF_WIDTH = 0.25

/** The distance of p10 or p90 from the median in minutes, by the shared coefficients at one of the learned leads. */
export function sharedWidth(
  shared: SharedNowcast,
  side: 'low' | 'high',
  lead: number,
  sparsity: number,
  { width, scale }: Pick<NowcastInputs, 'width' | 'scale'>,
): number {
  const units = mixed(sparsity, (kind) => dot(shared[kind][side][lead]!, width))
  return Math.max(MIN_HALF_WIDTH, scale * units)
}

function mixed(sparsity: number, valueFor: (kind: 'dense' | 'sparse') => number): number {
  if (sparsity === 0) return valueFor('dense')
  return sparsity === 1 ? valueFor('sparse') : (1 - sparsity) * valueFor('dense') + sparsity * valueFor('sparse')
}

/** The median in minutes after the own part; a median near the newest wait is the newest wait. */
export function medianMinutes(units: number, { centre, scale }: NowcastInputs, last: number, hold: number): number {
  const minutes = Math.max(0, centre + scale * units)
  return Math.abs(minutes - last) < hold * scale ? last : minutes
}

/** The nearest of the waits that an airport shows: the most likely error of a median between two steps is smaller on one of them. */
export const nearestStep = (minutes: number, steps: NonNullable<OwnNowcast['steps']>) =>
  Math.max(0, steps.from + Math.round((minutes - steps.from) / steps.minutes) * steps.minutes)

/** The subject of a nowcast: the wait that is shown at an instant, or the mean of the hour around it, which lies between steps. */
export type NowcastSubject = 'instant' | 'hour'

/** The nowcast of an instant from what is known at the issue. */
export function nowcastOf(
  series: NowcastSeries,
  recent: Recent,
  valid_ms: number,
  shared: SharedNowcast,
  own: OwnNowcast | null,
  subject: NowcastSubject,
): Nowcast {
  const inputs = nowcastInputs(series, recent, valid_ms)
  const sparsity = sparsityOf(recent.cadence_minutes)
  const { before, after, share } = leadsAround(effectiveLead(recent, valid_ms))
  const between = (valueAt: (lead: number) => number) =>
    share === 0 ? valueAt(before) : (1 - share) * valueAt(before) + share * valueAt(after)
  const units = between(
    (lead) => sharedMedian(shared, lead, sparsity, inputs) + (own ? dot(own.p50[lead]!, inputs.median) : 0),
  )
  const median = medianMinutes(units, inputs, recent.last, own ? between((lead) => own.hold[lead]!) : 0)
  const isInSteps = subject === 'instant' && own?.in_steps[share < 0.5 ? before : after]
  const p50 = isInSteps && own.steps ? nearestStep(median, own.steps) : median
  const distance = (side: 'low' | 'high') =>
    between((lead) => sharedWidth(shared, side, lead, sparsity, inputs) * (own ? own[side][lead]! : 1))
  const p10 = Math.max(0, p50 - distance('low'))
  const p90 = p50 + distance('high')
  return { p10, p50, p90, confidence: probabilityAt(shared.within_5, p90 - p10) }
}

/** Nowcasts of some instants after an issue; null when the queue was never observed before it. */
export function nowcastsAt(
  series: NowcastSeries,
  issued_ms: number,
  valid_ms: readonly number[],
  shared: SharedNowcast,
  own: OwnNowcast | null,
): Nowcast[] | null {
  const recent = recentAt(series, issued_ms)
  return recent && valid_ms.map((valid) => nowcastOf(series, recent, valid, shared, own, 'instant'))
}
