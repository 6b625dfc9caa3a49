import { mapKeys } from '../../config/map-keys.ts'
import { HOUR_MS } from '../../config/vocabulary.ts'
import { type HourlySeries, knownRows } from '../../forecasting/features/hourly-series.ts'
import type { Quantiles } from '../../forecasting/quantiles/quantiles.ts'
import { probabilityOver } from '../../forecasting/quantiles/wait-quantile.ts'
import { mean } from '../../forecasting/statistics/statistics.ts'
import { type SeriesBacktest, servedForecasts } from '../backtest/results.ts'

/** Waits that travellers ask about: will it be longer than this? */
const LONG_MINUTES = [15, 30] as const
/** Hours ahead, from ≤ h < to. */
export const AHEAD = [
  [0, 6],
  [6, 24],
  [24, 168],
] as const

/** The probability that the wait of a row of a backtest is longer than some minutes; NaN where there is none. */
type LongWaitEstimate = (run: SeriesBacktest, series: HourlySeries, minutes: number) => (row: number) => number

const byQuantiles =
  (quantilesOf: (run: SeriesBacktest) => Quantiles): LongWaitEstimate =>
  (run, _series, minutes) => {
    const { p10, p50, p90 } = quantilesOf(run)
    return (row) => probabilityOver({ p10: p10[row]!, p50: p50[row]!, p90: p90[row]! }, minutes)
  }

/** The forecasts by their quantiles, and the frequency at this hour in the last 28 days. */
const ESTIMATES = {
  served: byQuantiles(servedForecasts),
  rule: byQuantiles(({ calibrated }) => calibrated.rule),
  baseline: byQuantiles(({ calibrated }) => calibrated.baseline),
  climatology: (run, series, minutes) => {
    let issued = Number.NaN
    let frequency: FrequencyOver | null = null
    return (row) => {
      if (run.issued_ms[row] !== issued) {
        issued = run.issued_ms[row]!
        frequency = frequencyOver(series, minutes, knownRows(series, issued, CLIMATOLOGY_DAYS))
      }
      return frequency ? frequency(run.valid_ms[row]!) : Number.NaN
    }
  },
} satisfies Record<string, LongWaitEstimate>
type EstimateName = keyof typeof ESTIMATES
const ESTIMATE_NAMES = Object.keys(ESTIMATES) as EstimateName[]

/** The quality of the probability of a longer wait in some hours; each airport counts alike. */
export interface LongWaits {
  minutes: number
  from_hours: number
  to_hours: number
  /** Airports where some hours were longer and some not. */
  airports: number
  samples: number
  /** Share of the hours that were longer. */
  share: number
  brier: Record<EstimateName, number>
  parts: Record<EstimateName, BrierParts>
}

const CLIMATOLOGY_DAYS = 28
/** Weight of the airport's overall hours beside those of the hour of the day. */
const POOLED_HOURS = 4

type FrequencyOver = (valid_ms: number) => number

/** How often the wait was longer in some rows of a series: at an hour of the day, drawn to all hours; null without rows. */
function frequencyOver(
  { hour_ms, mean: waits }: HourlySeries,
  minutes: number,
  rows: Int32Array,
): FrequencyOver | null {
  const longer = new Float64Array(25)
  const hours = new Float64Array(25)
  for (const row of rows)
    for (const place of [(hour_ms[row]! / HOUR_MS) % 24, 24]) {
      hours[place]!++
      if (waits[row]! > minutes) longer[place]!++
    }
  if (hours[24] === 0) return null
  const overall = longer[24]! / hours[24]!
  return (valid_ms) => {
    const place = (valid_ms / HOUR_MS) % 24
    return (longer[place]! + POOLED_HOURS * overall) / (hours[place]! + POOLED_HOURS)
  }
}

/** Probabilities by tenths, and what came true. */
interface Tenths {
  weight: Float64Array
  probability: Float64Array
  longer: Float64Array
}

const TENTHS = 10
const emptyTenths = (): Tenths => ({
  weight: new Float64Array(TENTHS),
  probability: new Float64Array(TENTHS),
  longer: new Float64Array(TENTHS),
})

function addTo(tenths: Tenths, probability: number, longer: number, weight: number): void {
  const tenth = Math.min(TENTHS - 1, Math.floor(TENTHS * probability))
  tenths.weight[tenth]! += weight
  tenths.probability[tenth]! += weight * probability
  tenths.longer[tenth]! += weight * longer
}

/**
 * Murphy's parts of a Brier score by tenths of the probability: score = reliability − resolution + uncertainty, but for what differs within
 * a tenth. A better calibration can save the reliability at most.
 */
interface BrierParts {
  /** Mean squared distance of the probabilities from how often it came true. */
  reliability: number
  /** Mean squared distance of how often it came true from how often it does at all. */
  resolution: number
  uncertainty: number
}

function partsOf({ weight, probability, longer }: Tenths): BrierParts {
  const sumOf = (column: Float64Array) => column.reduce((sum, value) => sum + value, 0)
  const total = sumOf(weight)
  const share = sumOf(longer) / total
  const parts = { reliability: 0, resolution: 0, uncertainty: share * (1 - share) }
  for (let tenth = 0; tenth < TENTHS; tenth++) {
    const own = weight[tenth]!
    if (own === 0) continue
    parts.reliability += (own / total) * ((probability[tenth]! - longer[tenth]!) / own) ** 2
    parts.resolution += (own / total) * (longer[tenth]! / own - share) ** 2
  }
  return parts
}

/** The scored hours of a run at which every estimate has a probability. */
interface ScoredHours {
  outcomes: number[]
  probabilities: Record<EstimateName, number[]>
}

/** The estimates of one airport; null if every hour was longer, or none. */
function scoredHours(
  run: SeriesBacktest,
  estimates: Record<EstimateName, (row: number) => number>,
  minutes: number,
  [from, to]: readonly [number, number],
): ScoredHours | null {
  const hours: ScoredHours = { outcomes: [], probabilities: mapKeys(ESTIMATE_NAMES, () => []) }
  for (let row = 0; row < run.truth.length; row++) {
    const truth = run.truth[row]!
    const ahead = run.horizon[row]!
    if (run.scored[row] !== 1 || Number.isNaN(truth) || ahead < from || ahead >= to) continue
    const probabilities = ESTIMATE_NAMES.map((name) => estimates[name](row))
    if (probabilities.some(Number.isNaN)) continue
    hours.outcomes.push(truth > minutes ? 1 : 0)
    for (const [k, name] of ESTIMATE_NAMES.entries()) hours.probabilities[name].push(probabilities[k]!)
  }
  return new Set(hours.outcomes).size < 2 ? null : hours
}

/** The quality of the estimates of longer waits in a backtest; `series` are parallel to `runs`. */
export function longWaits(runs: readonly SeriesBacktest[], series: readonly HourlySeries[]): LongWaits[] {
  return LONG_MINUTES.flatMap((minutes) => {
    const ofRuns = runs.map((run, k) => mapKeys(ESTIMATE_NAMES, (name) => ESTIMATES[name](run, series[k]!, minutes)))
    return AHEAD.map((ahead): LongWaits => {
      const scored = runs.flatMap((run, k) => scoredHours(run, ofRuns[k]!, minutes, ahead) ?? [])
      const scores = mapKeys(ESTIMATE_NAMES, (name) => scoreOf(scored, name))
      const [from_hours, to_hours] = ahead
      return {
        minutes,
        from_hours,
        to_hours,
        airports: scored.length,
        samples: scored.reduce((sum, { outcomes }) => sum + outcomes.length, 0),
        share: mean(scored.map(({ outcomes }) => mean(outcomes))),
        brier: mapKeys(ESTIMATE_NAMES, (name) => scores[name].brier),
        parts: mapKeys(ESTIMATE_NAMES, (name) => scores[name].parts),
      }
    })
  })
}

function scoreOf(airports: readonly ScoredHours[], name: EstimateName) {
  const tenths = emptyTenths()
  let brier = 0
  for (const { outcomes, probabilities } of airports) {
    const weight = 1 / outcomes.length / airports.length
    for (const [k, probability] of probabilities[name].entries()) {
      brier += weight * (probability - outcomes[k]!) ** 2
      addTo(tenths, probability, outcomes[k]!, weight)
    }
  }
  return { brier: airports.length === 0 ? Number.NaN : brier, parts: partsOf(tenths) }
}
