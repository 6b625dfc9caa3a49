import { mapKeys } from '../../config/map-keys.ts'
import { OPPONENTS } from '../../forecasting/opponents/opponents.ts'
import { type SeriesBacktest, servedForecasts } from '../backtest/results.ts'
import type { FileForecast } from '../scoring/forecast-file.ts'
import { AHEAD } from './long-waits.ts'
import { type MeanErrors, meanErrors } from './mean-errors.ts'

/** The compared forecasts: those of the backtest, and the opponents on the same hours. */
const COMPARED = ['served', 'rule', 'baseline', ...OPPONENTS] as const
type ComparedForecast = (typeof COMPARED)[number]

/** Forecasts of another program, read from a file. */
export interface ForecastsBeside {
  name: string
  forecasts: readonly FileForecast[]
}

/** The medians of another program by key. */
interface MediansBeside {
  name: string
  medians: ReadonlyMap<string, number>
}

const keyOf = (airport: string, issued_ms: number, valid_ms: number) => `${airport} ${issued_ms} ${valid_ms}`

/** Mean absolute errors by hours ahead. */
export interface OpponentScores extends MeanErrors<string> {
  from_hours: number
  to_hours: number
}

/** Scores the scored hours of a backtest for which the opponents, and all programs beside, had a forecast. */
export function opponentScores(
  runs: readonly SeriesBacktest[],
  others: readonly ForecastsBeside[] = [],
): OpponentScores[] {
  const beside = others.map(({ name, forecasts }) => ({
    name,
    medians: new Map(
      forecasts.map(({ airport, issued_ms, valid_ms, p50 }) => [keyOf(airport, issued_ms, valid_ms), p50]),
    ),
  }))
  const names = [...COMPARED, ...beside.map(({ name }) => name)]
  const all = runs.map((run) => errorsOf(run, beside))
  return AHEAD.map(([from_hours, to_hours], bucket) => {
    const scores = all.flatMap((buckets) => (buckets[bucket]!.samples > 0 ? [buckets[bucket]!] : []))
    return { from_hours, to_hours, ...meanErrors(names, scores) }
  })
}

/** Sums of absolute errors of an airport by hours ahead. */
function errorsOf(run: SeriesBacktest, beside: readonly MediansBeside[]) {
  const buckets = AHEAD.map(() => ({ samples: 0, errors: {} as Record<string, number> }))
  const served = servedForecasts(run).p50
  for (const [row, truth] of run.truth.entries()) {
    if (run.scored[row] !== 1 || Number.isNaN(truth) || Number.isNaN(run.opponents.persistence[row]!)) continue
    const key = keyOf(run.iata, run.issued_ms[row]!, run.valid_ms[row]!)
    const otherMedians = beside.map(({ name, medians }): [string, number | undefined] => [name, medians.get(key)])
    if (otherMedians.some(([, median]) => median === undefined)) continue
    const ownMedians: Record<ComparedForecast, number> = {
      served: served[row]!,
      rule: run.calibrated.rule.p50[row]!,
      baseline: run.calibrated.baseline.p50[row]!,
      ...mapKeys(OPPONENTS, (opponent) => run.opponents[opponent][row]!),
    }
    const bucket = buckets[AHEAD.findIndex(([from, to]) => run.horizon[row]! >= from && run.horizon[row]! < to)]!
    bucket.samples++
    for (const [name, median] of [...Object.entries(ownMedians), ...otherMedians])
      bucket.errors[name] = (bucket.errors[name] ?? 0) + Math.abs(truth - median!)
  }
  return buckets
}
