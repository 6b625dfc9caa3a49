import { parseArgs } from 'node:util'
import { textTable } from '../../bin/runtime/output.ts'
import { groupBy } from '../../config/group-by.ts'
import { DAY_MS } from '../../config/vocabulary.ts'
import type { HourlySeries } from '../../forecasting/features/hourly-series.ts'
import { skill } from '../../forecasting/skill/metrics.ts'
import { solvePositiveDefinite } from '../../forecasting/statistics/linear-system.ts'
import { clamp, logistic } from '../../forecasting/statistics/statistics.ts'
import type { SeriesBacktest } from '../../training/backtest/results.ts'
import {
  AHEAD,
  ESTIMATES,
  frequencyOver,
  LONG_MINUTES,
  type LongWaitEstimate,
  longWaits,
} from '../../training/research/long-waits.ts'
import { backtestFolder } from '../../training/research/measure-history.ts'
import { DEFAULT_TRAINING_SETTINGS, readTrainingSettings } from '../../training/settings/training-settings.ts'

/*
 * What more could be told of waits over 15 and 30 minutes than the quantiles of the forecasts tell: other estimates of the probability, and two that see the
 * hours of all other days, also later ones. These bound what the past could tell.
 *
 *   npm run --silent build && node dist/tools/measure/long-waits.js ../shared/history/security-us-2026 --from 2026-06-03T00:00:00Z --to 2026-06-30T18:00:00Z --settings fifth.json
 */

const MIN_ODDS_PROBABILITY = 0.003
function oddsOf(probability: number): number {
  const bounded = clamp(probability, MIN_ODDS_PROBABILITY, 1 - MIN_ODDS_PROBABILITY)
  return Math.log(bounded / (1 - bounded))
}

/** A mean of two estimates, of their probabilities or of their log-odds. */
const mixture =
  (first: LongWaitEstimate, second: LongWaitEstimate, share: number, ofOdds: boolean): LongWaitEstimate =>
  (run, series, minutes) => {
    const [a, b] = [first(run, series, minutes), second(run, series, minutes)]
    return (row) => {
      if (!ofOdds) return share * a(row) + (1 - share) * b(row)
      return logistic(share * oddsOf(a(row)) + (1 - share) * oddsOf(b(row)))
    }
  }

const AROUND_DAYS = 28

/** How often it was longer at this hour on the 28 days before and after, without the day itself. */
const hindsight: LongWaitEstimate = (run, series, minutes) => {
  const known = new Map<number, number>()
  return (row) => {
    const valid_ms = run.valid_ms[row]!
    const found = known.get(valid_ms)
    if (found !== undefined) return found
    const others = Array.from(series.hour_ms.keys()).filter((other) => {
      const distance = Math.abs(series.hour_ms[other]! - valid_ms)
      return distance > DAY_MS / 2 && distance <= AROUND_DAYS * DAY_MS
    })
    const probability = frequencyOver(series, minutes, others)?.(valid_ms) ?? Number.NaN
    known.set(valid_ms, probability)
    return probability
  }
}

const TAUGHT_DAYS = 28
const MIN_LONGER = 5
const MAX_EXAMPLES = 12_000
/** Draws the coefficients to the first estimate alone, as if by a few rows. */
const RIDGE = 5
const STEPS = 12

interface Examples {
  inputs: number[][]
  longer: number[]
}

/** Newton's method on the likelihood of a logistic regression, drawn to a constant of 0, 1 for the first input and 0 for others. */
function fitLogistic({ inputs, longer }: Examples): number[] {
  const start = inputs[0]!.map((_, k) => (k === 1 ? 1 : 0))
  const beta = [...start]
  const size = beta.length
  for (let step = 0; step < STEPS; step++) {
    const matrix = new Float64Array(size * size)
    const slope = Float64Array.from(beta, (value, k) => -RIDGE * (value - start[k]!))
    for (const [example, own] of inputs.entries()) {
      const probability = logistic(own.reduce((sum, input, k) => sum + input * beta[k]!, 0))
      for (let k = 0; k < size; k++) {
        slope[k]! += (longer[example]! - probability) * own[k]!
        for (let j = 0; j <= k; j++) matrix[k * size + j]! += probability * (1 - probability) * own[k]! * own[j]!
      }
    }
    for (let k = 0; k < size; k++) matrix[k * size + k]! += RIDGE
    for (const [k, change] of solvePositiveDefinite(matrix, slope).entries()) beta[k]! += change
  }
  return beta
}

/** A logistic regression on the log-odds of estimates, fitted on each day and group of hours ahead from the forecasts whose truths became known in 28 days. */
function learned(
  runs: readonly SeriesBacktest[],
  series: readonly HourlySeries[],
  estimates: readonly LongWaitEstimate[],
): LongWaitEstimate {
  const tables = new Map(
    LONG_MINUTES.map((minutes) => [minutes as number, learnedTable(runs, series, estimates, minutes)]),
  )
  return (run, _series, minutes) => {
    const table = tables.get(minutes)![runs.indexOf(run)]!
    return (row) => table[row]!
  }
}

function learnedTable(
  runs: readonly SeriesBacktest[],
  series: readonly HourlySeries[],
  estimates: readonly LongWaitEstimate[],
  minutes: number,
): Float64Array[] {
  const tables = runs.map(({ truth }) => new Float64Array(truth.length).fill(Number.NaN))
  const inputsOf = runs.map((run, k) => {
    const estimated = estimates.map((estimate) => estimate(run, series[k]!, minutes))
    return (row: number) => [1].concat(estimated.map((probability) => oddsOf(probability(row))))
  })
  const available = runs.map((run, k) => availableOf(run, series[k]!))
  for (const [from, to] of AHEAD) {
    const rows = runs.flatMap(({ truth, horizon }, k) =>
      Array.from(truth.keys())
        .filter((row) => !Number.isNaN(truth[row]!) && horizon[row]! >= from && horizon[row]! < to)
        .map((row) => ({ k, row, day: Math.floor(runs[k]!.issued_ms[row]! / DAY_MS) })),
    )
    for (const [day, issued] of groupBy(rows, (forecast) => forecast.day)) {
      const known = rows.filter(({ k, row }) => {
        const age_ms = day * DAY_MS - available[k]![row]!
        return age_ms >= 0 && age_ms < TAUGHT_DAYS * DAY_MS
      })
      const every = Math.ceil(known.length / MAX_EXAMPLES)
      const taught = known.filter((_, position) => position % every === 0)
      const longer = taught.map(({ k, row }) => (runs[k]!.truth[row]! > minutes ? 1 : 0))
      const isKnown = longer.filter((outcome) => outcome === 1).length >= MIN_LONGER
      const beta = isKnown ? fitLogistic({ inputs: taught.map(({ k, row }) => inputsOf[k]!(row)), longer }) : null
      for (const { k, row } of issued) {
        const own = inputsOf[k]!(row)
        const odds = beta ? own.reduce((sum, input, place) => sum + input * beta[place]!, 0) : own[1]!
        tables[k]![row] = logistic(odds)
      }
    }
  }
  return tables
}

/** When the truth of each row became known (epoch ms). */
function availableOf(run: SeriesBacktest, { hour_ms, available_ms }: HourlySeries): Float64Array {
  const byHour = new Map(Array.from(hour_ms, (hour, row) => [hour, available_ms[row]!]))
  return Float64Array.from(run.valid_ms, (valid) => byHour.get(valid) ?? Number.NaN)
}

const { values, positionals } = parseArgs({
  options: { from: { type: 'string' }, to: { type: 'string' }, settings: { type: 'string' } },
  allowPositionals: true,
})
const from_ms = Date.parse(values.from ?? '')
const to_ms = Date.parse(values.to ?? '')
if (positionals.length !== 1 || !(from_ms < to_ms)) {
  process.stderr.write('usage: long-waits.js <folder> --from <instant> --to <instant> [--settings <file>]\n')
  process.exit(2)
}
const settings = values.settings ? readTrainingSettings(values.settings) : DEFAULT_TRAINING_SETTINGS
const { runs, series } = await backtestFolder(positionals[0]!, { from_ms, to_ms, settings })
const { served, climatology } = ESTIMATES
const estimates = {
  climatology,
  served,
  recalibrated: learned(runs, series, [served]),
  'and climatology': learned(runs, series, [served, climatology]),
  'a quarter climatology': mixture(climatology, served, 0.25, false),
  hindsight,
  'served and hindsight': mixture(served, hindsight, 0.5, true),
}
const rows = longWaits(runs, series, estimates)
  .filter(({ airports }) => airports > 0)
  .map(({ minutes, from_hours, to_hours, brier }) => {
    const skills = Object.values(brier).map((score) => `${(100 * skill(score, brier.climatology)).toFixed(1)} %`)
    return [`over ${minutes} min, ${from_hours}–${to_hours} h ahead`, ...skills.slice(1)]
  })
process.stdout.write(`${textTable(['below climatology', ...Object.keys(estimates).slice(1)], rows)}\n`)
