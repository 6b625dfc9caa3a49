import { DAY_MS } from '../../config/domain.ts'
import { cachedForecastRows, usedFeatures } from '../../forecasting/features/features.ts'
import { INPUT_GROUPS, type InputGroup } from '../../forecasting/features/input-groups.ts'
import type { PreparedSeries } from '../../forecasting/features/profile.ts'
import { type DayLosses, pairedSkill, type SkillInterval } from '../../forecasting/skill/bootstrap.ts'
import { pinballOf } from '../../forecasting/skill/metrics.ts'
import { fitEnsemble, pooledExamples } from '../models/pooled-fit.ts'
import { type RunSettings, runSettings } from '../settings/run-settings.ts'
import { type BacktestOptions, backtest, type FitAt, type SeriesBacktest } from './backtest.ts'

/** What a group of inputs is worth: how much smaller the loss of the nets is with it than without. */
export interface Ablation {
  group: InputGroup
  inputs: number
  mae: SkillInterval | null
  pinball: SkillInterval | null
}

/** The settings of ablations: nets alone, of one seed and one fit before the span, because each group costs a fit of its own. */
export function ablationSettings(settings: RunSettings): RunSettings {
  const { seeds, backtest: own } = settings
  return runSettings(
    Object.assign({}, settings, {
      seeds: seeds.slice(0, 1),
      net_share: { most: 1, from_days: 0, full_days: 1 },
      backtest: Object.assign({}, own, {
        refit_days: 365,
        burn_in_days: 0,
        every_hours: Math.max(MIN_EVERY_HOURS, own.every_hours),
      }),
    }),
  )
}

const MIN_EVERY_HOURS = 12

/** Backtests once with all inputs and once without each group, on the same hours. */
export async function measureAblations(
  series: readonly PreparedSeries[],
  { from_ms, to_ms, settings, onProgress, lanes = [] }: BacktestOptions & { settings: RunSettings },
): Promise<Ablation[]> {
  const cheap = ablationSettings(settings)
  const forecastRows = cachedForecastRows()
  const examples = pooledExamples(series, lanes, from_ms, cheap)
  const run = (leave_out: InputGroup[]) => {
    const own = Object.assign({}, cheap, { leave_out })
    const fitAt: FitAt = async (cutoff_ms) => fitEnsemble(examples, cutoff_ms, own)
    return backtest(series, { from_ms, to_ms, fitAt, forecastRows, settings: own })
  }
  const groups = INPUT_GROUPS.filter((group) => !settings.leave_out.includes(group))
  const all = await run(settings.leave_out)
  onProgress?.(1, groups.length + 1)
  const ablations: Ablation[] = []
  for (const [k, group] of groups.entries()) {
    const without = await run([...settings.leave_out, group])
    ablations.push({
      group,
      inputs: usedFeatures([group]).filter((isUsed) => !isUsed).length,
      mae: pairedSkill(dayLosses(all, without, ({ p50 }, row, truth) => Math.abs(truth - p50[row]!))),
      pinball: pairedSkill(dayLosses(all, without, (quantiles, row, truth) => pinballOf(truth, quantiles, row))),
    })
    onProgress?.(k + 2, groups.length + 1)
  }
  return ablations
}

type Forecast = SeriesBacktest['raw']['model']

/** Losses of the nets of two backtests on the same hours, by airport and day of issue. */
function dayLosses(
  own: readonly SeriesBacktest[],
  other: readonly SeriesBacktest[],
  lossOf: (forecast: Forecast, row: number, truth: number) => number,
): DayLosses[] {
  return own.flatMap((run, k) => {
    const days = new Map<number, DayLosses>()
    for (const [row, truth] of run.truth.entries()) {
      if (run.scored[row] !== 1 || Number.isNaN(truth)) continue
      const day = Math.floor(run.issued_ms[row]! / DAY_MS)
      const losses = days.get(day) ?? { iata: run.iata, day, loss: 0, other_loss: 0 }
      days.set(day, losses)
      losses.loss += lossOf(run.raw.model, row, truth)
      losses.other_loss += lossOf(other[k]!.raw.model, row, truth)
    }
    return [...days.values()]
  })
}
