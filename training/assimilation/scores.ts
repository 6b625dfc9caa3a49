import {
  adjustedHour,
  type HourForecast,
  NO_OWN_FACTORS,
  type OwnFactors,
} from '../../forecasting/assimilation/assimilate.ts'
import type { LearnedAdjustment } from '../../forecasting/assimilation/learned.ts'
import { isWithin5 } from '../../forecasting/quantiles/quantiles.ts'
import { pinball } from '../../forecasting/skill/metrics.ts'
import { mean } from '../../forecasting/statistics/statistics.ts'
import type { AssimilationExample } from './examples.ts'

/** The hour of an example, adjusted as serving does it. */
export function adjustedExample(
  example: AssimilationExample,
  learned: Pick<LearnedAdjustment, 'steps' | 'within_5'>,
  own: OwnFactors = NO_OWN_FACTORS,
): HourForecast {
  const { p10, p50, p90, lead_hours, deviation } = example
  return adjustedHour({ p10, p50, p90, confidence: 0 }, lead_hours, deviation, learned, own)
}

/** An example with its forecast before and after the adjustment. */
export interface ScoredExample {
  example: AssimilationExample
  adjusted: HourForecast
}

/** Horizons that are scored, each with the leads up to half an hour around it. */
const SCORED_LEADS = [1, 2, 3, 6, 12, 24]
/** An airport with fewer examples than this at a horizon is not scored there. */
const MIN_SAMPLES = 20

/** Scores by horizon, before and after; airports weigh the same. */
export function horizonScores(scored: readonly ScoredExample[]): LearnedAdjustment['backtest'] {
  return SCORED_LEADS.flatMap((lead_hours) => {
    const near = scored.filter(({ example }) => Math.abs(example.lead_hours - lead_hours) <= 0.5)
    const airports = byAirport(near).filter((own) => own.length >= MIN_SAMPLES)
    if (airports.length === 0) return []
    const average = (figure: (each: ScoredExample) => number) =>
      rounded(mean(airports.map((own) => mean(own.map(figure)))))
    const figures = (forecast: (each: ScoredExample) => Quantiles) => ({
      mae_minutes: average((each) => Math.abs(each.example.truth - forecast(each).p50)),
      pinball_minutes: average((each) => pinballOf(each.example.truth, forecast(each))),
      coverage_80: average((each) => (isInside(each.example.truth, forecast(each)) ? 1 : 0)),
    })
    const after = figures(({ adjusted }) => adjusted)
    return [
      {
        lead_hours,
        airports: airports.length,
        samples: airports.reduce((sum, own) => sum + own.length, 0),
        issued: figures(({ example }) => example),
        adjusted: {
          mae_minutes: after.mae_minutes,
          pinball_minutes: after.pinball_minutes,
          coverage_80: after.coverage_80,
          within_5: average(({ example, adjusted }) => (isWithin5(example.truth, adjusted.p50) ? 1 : 0)),
          confidence: average(({ adjusted }) => adjusted.confidence ?? 0),
        },
      },
    ]
  })
}

/** Fraction of readings outside the next hour's interval in whole minutes, before and after; airports weigh the same. */
export function readingsOutside(scored: readonly ScoredExample[]): LearnedAdjustment['readings_outside_next_hour'] {
  const airports = byAirport(scored.filter(({ example }) => example.is_next_hour))
  const fraction = (forecast: (each: ScoredExample) => Quantiles) =>
    rounded(
      mean(
        airports.map((own) =>
          mean(
            own.map((each) => {
              const { p10, p50, p90 } = forecast(each)
              const whole = { p10: Math.round(p10), p50: Math.round(p50), p90: Math.round(p90) }
              return isInside(Math.round(each.example.wait_minutes), whole) ? 0 : 1
            }),
          ),
        ),
      ),
    )
  return { issued: fraction(({ example }) => example), adjusted: fraction(({ adjusted }) => adjusted) }
}

interface Quantiles {
  p10: number
  p50: number
  p90: number
}

const isInside = (truth: number, { p10, p90 }: Quantiles) => truth >= p10 && truth <= p90

const pinballOf = (truth: number, { p10, p50, p90 }: Quantiles) =>
  (pinball(0.1, truth, p10) + pinball(0.5, truth, p50) + pinball(0.9, truth, p90)) / 3

function byAirport(scored: readonly ScoredExample[]): ScoredExample[][] {
  const groups = new Map<string, ScoredExample[]>()
  for (const each of scored) {
    const own = groups.get(each.example.iata)
    if (own) own.push(each)
    else groups.set(each.example.iata, [each])
  }
  return [...groups.values()]
}

const rounded = (value: number) => Number(value.toFixed(3))
