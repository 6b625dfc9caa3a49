import { seededRandom } from '../statistics/statistics.ts'

/** Losses of the forecast and of the baseline on the same hours, by airport and day: airport × days + day. Sums in minutes. */
export interface DailyLosses {
  airports: number
  days: number
  forecast: Float64Array
  baseline: Float64Array
  /** Forecast hours that the sums are of. */
  samples: Float64Array
}

/** 1 − ratio of the losses, with the 95 % interval of a bootstrap over days; positive is better than the baseline. */
export interface Skill {
  skill: number
  /** Null with fewer than MIN_DAYS days. */
  low: number | null
  high: number | null
}

export interface Skills {
  /** The skill over all hours of all airports, each counted alike. Null without any hour. */
  all: Skill | null
  /** Each airport's own; null without a sample. */
  airports: (Skill | null)[]
}

const RESAMPLES = 300
const SEED = 20_261_122
/** Fewer days say nothing about how days differ. */
const MIN_DAYS = 5
/** Added to both means before they are divided, minutes, so that waits that never change count as a draw. */
const FLOOR_MINUTES = 0.01

/**
 * The skill of forecasts against the baseline. Hours of one day resemble each other, so the bootstrap draws whole days, the same for
 * all airports. It is seeded: the same losses always give the same intervals.
 */
export function skillsOf(losses: DailyLosses): Skills {
  const { airports, days } = losses
  const once = new Float64Array(days).fill(1)
  const found = logRatios(losses, once)
  const foundOfAll = pooledLogRatio(losses, once)
  const observedDays = daysWithSamples(losses)
  if (observedDays.length < MIN_DAYS)
    return { all: skillOf(foundOfAll, []), airports: found.map((losses) => skillOf(losses, [])) }
  const random = seededRandom(SEED)
  const drawn: number[] = []
  const drawnOf: number[][] = Array.from({ length: airports }, () => [])
  for (let draw = 0; draw < RESAMPLES; draw++) {
    const weights = new Float64Array(days)
    for (let k = 0; k < observedDays.length; k++)
      weights[observedDays[Math.floor(random() * observedDays.length)]!]! += 1
    const ratios = logRatios(losses, weights)
    const pooled = pooledLogRatio(losses, weights)
    if (pooled !== null) drawn.push(pooled)
    for (const [airport, ratio] of ratios.entries()) if (ratio !== null) drawnOf[airport]!.push(ratio)
  }
  return {
    all: skillOf(foundOfAll, drawn),
    airports: found.map((losses, airport) => skillOf(losses, drawnOf[airport]!)),
  }
}

function daysWithSamples({ airports, days, samples }: DailyLosses): number[] {
  return Array.from({ length: days }, (_, day) => day).filter((day) => {
    for (let airport = 0; airport < airports; airport++) if (samples[airport * days + day]! > 0) return true
    return false
  })
}

interface LossSums {
  forecast: number
  baseline: number
  count: number
}

function sumsOf({ days, forecast, baseline, samples }: DailyLosses, airport: number, weights: Float64Array): LossSums {
  const sums = { forecast: 0, baseline: 0, count: 0 }
  for (let day = 0; day < days; day++) {
    const weight = weights[day]!
    if (weight === 0) continue
    const index = airport * days + day
    sums.forecast += weight * forecast[index]!
    sums.baseline += weight * baseline[index]!
    sums.count += weight * samples[index]!
  }
  return sums
}

/** The logarithm of the ratio of both mean losses; null without a sample. */
const logRatioOf = ({ forecast, baseline, count }: LossSums): number | null =>
  count === 0 ? null : Math.log((forecast / count + FLOOR_MINUTES) / (baseline / count + FLOOR_MINUTES))

const airportsOf = ({ airports }: DailyLosses) => Array.from({ length: airports }, (_, airport) => airport)

const logRatios = (losses: DailyLosses, weights: Float64Array): (number | null)[] =>
  airportsOf(losses).map((airport) => logRatioOf(sumsOf(losses, airport, weights)))

/**
 * The ratio of all hours of all airports. A mean of the airports' ratios would be that of the airports whose waits are nearly zero, where
 * hundredths of a minute are a large ratio.
 */
function pooledLogRatio(losses: DailyLosses, weights: Float64Array): number | null {
  const all = { forecast: 0, baseline: 0, count: 0 }
  for (const airport of airportsOf(losses)) {
    const { forecast, baseline, count } = sumsOf(losses, airport, weights)
    all.forecast += forecast
    all.baseline += baseline
    all.count += count
  }
  return logRatioOf(all)
}

function skillOf(logRatio: number | null, drawn: number[]): Skill | null {
  if (logRatio === null) return null
  const skill = tenThousandths(1 - Math.exp(logRatio))
  // An airport that was observed on a few days only is missing from some draws.
  if (drawn.length < RESAMPLES / 2) return { skill, low: null, high: null }
  const sorted = Float64Array.from(drawn).sort()
  const skillAt = (fraction: number) =>
    tenThousandths(1 - Math.exp(sorted[Math.round(fraction * (sorted.length - 1))]!))
  return { skill, low: skillAt(0.975), high: skillAt(0.025) }
}

const tenThousandths = (share: number) => Math.round(share * 10_000) / 10_000
