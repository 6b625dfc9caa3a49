import {
  MEDIAN_INPUTS,
  NOWCAST_LEADS,
  type NowcastCoefficients,
  type OwnNowcast,
  type SharedNowcast,
  WIDTH_INPUTS,
} from '../../forecasting/nowcast/coefficients.ts'
import { medianMinutes, nearestStep, sharedMedian, sharedWidth } from '../../forecasting/nowcast/nowcast.ts'
import { hitRates } from '../../forecasting/quantiles/calibration.ts'
import { quantileRegression } from '../../forecasting/quantiles/quantile-regression.ts'
import { isWithin5 } from '../../forecasting/quantiles/quantiles.ts'
import { clamp, mean, weightedQuantiles } from '../../forecasting/statistics/statistics.ts'
import type { NowcastExample } from './examples.ts'

const EVERY_LEAD = [...NOWCAST_LEADS.keys()]

/** An airport counts with at most as much weight as this many examples of each lead, so that long series do not decide alone. */
const MAX_AIRPORT_EXAMPLES = [1_000, 160, 160, 160, 160] as const
/** The probability of being within 5 minutes is learned from about this many examples of an airport. */
const MAX_HIT_EXAMPLES = 800
/** Strength with which the shared coefficients are drawn to zero, the usual wait, at each lead. */
const SHARED_RIDGE = [10, 10, 15, 20, 40] as const
/** How much feeds of the other kind (dense, sparse) count at each lead: for the next minutes only where there are no others; further ahead they differ less. */
const OTHER_KIND = [0.002, 0.05, 0.1, 0.7, 1] as const
/** The widths are drawn to zero less strongly. */
const WIDTH_RIDGE = 2
const INTERVAL_SIDE = 0.9

/** Learns the coefficients that airports share from the examples of several airports. */
export function learnShared(byAirport: readonly (readonly NowcastExample[])[]): SharedNowcast {
  const zero = EVERY_LEAD.map(() => WIDTH_INPUTS.map(() => 0))
  const dense = { p50: medians(byAirport, 0), low: zero, high: zero }
  const sparse = { p50: medians(byAirport, 1), low: zero, high: zero }
  const medianOnly: SharedNowcast = { dense, sparse, within_5: [{ spread: 0, probability: 0 }] }
  const withWidths: SharedNowcast = {
    dense: widths(byAirport, 0, medianOnly),
    sparse: widths(byAirport, 1, medianOnly),
    within_5: medianOnly.within_5,
  }
  const hits = byAirport.flatMap((own) => {
    const step = Math.ceil(own.length / MAX_HIT_EXAMPLES)
    return own
      .filter((_, k) => k % step === 0)
      .map((example) => {
        const { p10, p50, p90 } = exampleNowcast(example, withWidths, null)
        return { spread: p90 - p10, hit: isWithin5(example.truth, p50) }
      })
  })
  const within_5 = hitRates(hits).map(({ spread, probability }) => ({
    spread: Number(spread.toFixed(2)),
    probability: Number(probability.toFixed(3)),
  }))
  return { dense: withWidths.dense, sparse: withWidths.sparse, within_5 }
}

const rounded = (coefficients: number[]) => coefficients.map((value) => Number(value.toFixed(4)))

/** Examples of a lead with their weights for a kind of feed: 0 dense, 1 sparse. */
function weighted(byAirport: readonly (readonly NowcastExample[])[], lead: number, kind: 0 | 1) {
  const examples: NowcastExample[] = []
  const weights: number[] = []
  for (const own of byAirport) {
    const leadExamples = own.filter((example) => example.lead === lead)
    const share = Math.min(1, MAX_AIRPORT_EXAMPLES[lead]! / Math.max(1, leadExamples.length))
    const typical = Math.sqrt(mean(leadExamples.map(({ scale }) => scale)))
    for (const example of leadExamples) {
      const kindShare = kind === 1 ? example.sparsity : 1 - example.sparsity
      examples.push(example)
      weights.push(((share * example.scale) / typical) * (kindShare + (1 - kindShare) * OTHER_KIND[lead]!))
    }
  }
  return { examples, weights: Float64Array.from(weights) }
}

function medians(byAirport: readonly (readonly NowcastExample[])[], kind: 0 | 1): NowcastCoefficients['p50'] {
  return EVERY_LEAD.map((lead) => {
    const { examples, weights } = weighted(byAirport, lead, kind)
    return rounded(
      quantileRegression({
        inputs: examples.map(({ median }) => median),
        targets: Float64Array.from(examples, ({ truth, centre, scale }) => (truth - centre) / scale),
        weights,
        quantile: 0.5,
        toward: MEDIAN_INPUTS.map(() => 0),
        ridge: SHARED_RIDGE[lead]!,
        relative: true,
      }),
    )
  })
}

function widths(
  byAirport: readonly (readonly NowcastExample[])[],
  kind: 0 | 1,
  shared: SharedNowcast,
): NowcastCoefficients {
  const side = (sign: 1 | -1) =>
    EVERY_LEAD.map((lead) => {
      const { examples, weights } = weighted(byAirport, lead, kind)
      const targets = Float64Array.from(examples, (example) => {
        const p50 = Math.max(0, example.centre + example.scale * sharedMedian(shared, lead, example.sparsity, example))
        return (sign * (example.truth - p50)) / example.scale
      })
      return rounded(
        quantileRegression({
          inputs: examples.map(({ width }) => width),
          targets,
          weights,
          quantile: INTERVAL_SIDE,
          toward: WIDTH_INPUTS.map(() => 0),
          ridge: WIDTH_RIDGE,
          relative: true,
        }),
      )
    })
  return { p50: shared[kind === 1 ? 'sparse' : 'dense'].p50, low: side(-1), high: side(1) }
}

const dot = (coefficients: readonly number[], inputs: Float64Array) =>
  coefficients.reduce((sum, coefficient, k) => sum + coefficient * inputs[k]!, 0)

/** The nowcast of an example at one of the learned leads. */
export function exampleNowcast(example: NowcastExample, shared: SharedNowcast, own: OwnNowcast | null) {
  const { lead, sparsity } = example
  const units = sharedMedian(shared, lead, sparsity, example) + (own ? dot(own.p50[lead]!, example.median) : 0)
  const median = medianMinutes(units, example, example.last, own?.hold[lead] ?? 0)
  const p50 = own?.steps && own.in_steps[lead] ? nearestStep(median, own.steps) : median
  const distance = (side: 'low' | 'high') =>
    sharedWidth(shared, side, lead, sparsity, example) * (own?.[side][lead] ?? 1)
  return { p10: Math.max(0, p50 - distance('low')), p50, p90: p50 + distance('high') }
}

/** Strength with which an airport's coefficients are drawn to the shared ones at each lead. */
const OWN_RIDGE = [100, 100, 250, 800, 3_000] as const
/** Half hours of issues. */
const MIN_OWN_HALF_HOURS = 20
/** More half hours than this count as this many; of many more only every few examples are used. */
const MAX_OWN_HALF_HOURS = 1_500
const OWN_WEIGHT = 0.5
/** Six issues in half an hour weigh less than six and more than one. */
const DENSITY_POWER = 0.7
const HOLDS = [0, 0.1, 0.2, 0.3, 0.45, 0.6]
/** This many imaginary half hours at which the shared widths are right keep a short history from moving them much. */
const WIDTH_HALF_HOURS = 60
/**
 * Number of newer half hours after which an example counts half for the widths: a queue that has become less steady would be
 * missed too often by its earlier weeks. Where readings are rare nearly all count.
 */
const WIDTH_HALF_LIFE = 100
const MIN_WIDTH_FACTOR = 0.5
const MAX_WIDTH_FACTOR = 2.5

/** Learns from an airport's own examples how far it differs from the shared coefficients; null of too few. */
export function learnOwn(examples: readonly NowcastExample[], shared: SharedNowcast): OwnNowcast | null {
  const steps = stepsOf(examples)
  const leads = EVERY_LEAD.map((lead) => ownAtLead(lead, examples, shared, steps))
  if (leads.every((lead) => lead === null)) return null
  const unchanged = { p50: MEDIAN_INPUTS.map(() => 0), hold: 0, in_steps: false, low: 1, high: 1 }
  const known = leads.map((lead) => lead ?? unchanged)
  return {
    p50: known.map(({ p50 }) => p50),
    hold: known.map(({ hold }) => hold),
    steps,
    in_steps: known.map(({ in_steps }) => in_steps),
    low: known.map(({ low }) => low),
    high: known.map(({ high }) => high),
  }
}

/** Waits nearer together than this count as one step. */
const MIN_STEP_MINUTES = 0.05
const STEP_TOLERANCE = 0.03
const SHARE_ON_STEPS = 0.97

/** The steps that an airport's waits come in, such as multiples of five minutes averaged over two lanes; null without any. */
function stepsOf(examples: readonly NowcastExample[]): OwnNowcast['steps'] {
  const waits = examples.map(({ last }) => last)
  const distinct = [...new Set(waits.map((minutes) => Number(minutes.toFixed(3))))].sort((a, b) => a - b)
  const gaps = distinct.slice(1).map((minutes, k) => minutes - distinct[k]!)
  const minutes = Math.min(...gaps.filter((gap) => gap >= MIN_STEP_MINUTES))
  if (gaps.length < 2 || !Number.isFinite(minutes)) return null
  const from = distinct[0]!
  const isOnStep = (wait: number) => {
    const place = (wait - from) / minutes
    return Math.abs(place - Math.round(place)) < STEP_TOLERANCE
  }
  return mean(waits.map((wait) => (isOnStep(wait) ? 1 : 0))) < SHARE_ON_STEPS
    ? null
    : { minutes: Number(minutes.toFixed(3)), from }
}

const halfHours = (examples: readonly NowcastExample[]) => examples.reduce((sum, { half_hours }) => sum + half_hours, 0)

/** How much each example counts for the widths, in half hours; the newest is the last one. */
function widthWeights(examples: readonly NowcastExample[]): number[] {
  let newer = 0
  return examples
    .toReversed()
    .map(({ half_hours }) => {
      const weight = half_hours * 0.5 ** (newer / WIDTH_HALF_LIFE)
      newer += half_hours
      return weight
    })
    .reverse()
}

function ownAtLead(lead: number, all: readonly NowcastExample[], shared: SharedNowcast, steps: OwnNowcast['steps']) {
  const leadExamples = all.filter((example) => example.lead === lead)
  const all_half_hours = halfHours(leadExamples)
  if (all_half_hours < MIN_OWN_HALF_HOURS) return null
  const step = Math.ceil(all_half_hours / (2 * MAX_OWN_HALF_HOURS))
  const examples = step === 1 ? leadExamples : leadExamples.filter((_, k) => k % step === 0)
  const sharedUnits = examples.map((example) => sharedMedian(shared, lead, example.sparsity, example))
  const weight = OWN_WEIGHT * Math.min(1, MAX_OWN_HALF_HOURS / halfHours(examples))
  const p50 = rounded(
    quantileRegression({
      inputs: examples.map(({ median }) => median),
      targets: Float64Array.from(examples, ({ truth, centre, scale }, k) => (truth - centre) / scale - sharedUnits[k]!),
      weights: Float64Array.from(examples, ({ half_hours }) => weight * half_hours ** DENSITY_POWER),
      quantile: 0.5,
      toward: MEDIAN_INPUTS.map(() => 0),
      ridge: OWN_RIDGE[lead]!,
    }),
  )
  type Rounding = { hold: number; in_steps: boolean }
  const units = examples.map((example, k) => sharedUnits[k]! + dot(p50, example.median))
  const medianOf = (example: NowcastExample, k: number, { hold, in_steps }: Rounding) => {
    const minutes = medianMinutes(units[k]!, example, example.last, hold)
    return in_steps && steps ? nearestStep(minutes, steps) : minutes
  }
  const errorOf = (rounding: Rounding) =>
    mean(examples.map((example, k) => Math.abs(example.truth - medianOf(example, k, rounding)))) *
    (1 + rounding.hold / 100)
  const rounding = HOLDS.flatMap((hold) => (steps ? [false, true] : [false]).map((in_steps) => ({ hold, in_steps })))
    .map((rounding) => ({ rounding, error: errorOf(rounding) }))
    .reduce((a, b) => (b.error < a.error ? b : a)).rounding
  const weights = widthWeights(examples)
  const count = weights.reduce((sum, weight) => sum + weight, 0)
  const factor = (side: 'low' | 'high') => {
    const overshoots = examples.map((example, k) => {
      const distance = (side === 'high' ? 1 : -1) * (example.truth - medianOf(example, k, rounding))
      return distance / sharedWidth(shared, side, lead, example.sparsity, example)
    })
    const [found = 1] = weightedQuantiles(overshoots, weights, [Math.min(1, INTERVAL_SIDE * (1 + 1 / count))])
    const share = count / (count + WIDTH_HALF_HOURS)
    return Number(clamp(share * found + 1 - share, MIN_WIDTH_FACTOR, MAX_WIDTH_FACTOR).toFixed(3))
  }
  return { p50, hold: rounding.hold, in_steps: rounding.in_steps, low: factor('low'), high: factor('high') }
}
