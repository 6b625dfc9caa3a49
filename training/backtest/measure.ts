import { DAY_MS, HORIZON_BUCKETS, HORIZON_HOURS, HOUR_MS } from '../../config/domain.ts'
import { HoldshortError } from '../../config/errors.ts'
import { prepareSeries } from '../../forecasting/features/profile.ts'
import { poolScores, type Score } from '../../forecasting/skill/metrics.ts'
import { LAG_HOURS } from '../../warehouse/storage/import-sql.ts'
import { withoutSoleTerminals } from '../border/border-history.ts'
import { type BorderRuleScores, borderRuleScores } from '../border/border-rules.ts'
import { byContender, CONTENDERS, type Contender } from '../forecasters/contenders.ts'
import { readHistorySet, readLaneFolder } from '../history/history-files.ts'
import { hoursFrom } from '../history/hourly-series.ts'
import { settingsOfKind, type TrainedKind } from '../settings/kinds.ts'
import type { TrainingSettings } from '../settings/training-settings.ts'
import { backtest } from './backtest.ts'
import { type SeriesBacktest, scoreOf } from './results.ts'

/** What is compared: what would have been served, and each contender. */
export const COMPARED = ['served', ...CONTENDERS] as const
export type Compared = Contender | 'served'

/** Scores on the same hours. */
export type Comparison = Record<Compared, Score>

/** Scores of a backtest at airport level: the mean of all airports, and by airport and by horizon. */
export interface HistoryMeasure {
  kind: TrainedKind
  /** Each airport counts alike, however many hours of it were observed. */
  overall: Comparison
  airports: ({ iata: string } & Comparison)[]
  horizons: ({ from_hours: number; to_hours: number } & Comparison)[]
  /** Terminals of airports with several; absent where there are none. */
  terminals?: Comparison
  /** Other rules on the same hours, of immigration at airport level. */
  rules?: BorderRuleScores
}

export interface MeasureOptions {
  /** First and last origin, epoch ms; default: the last 28 days that leave a whole horizon of truths. */
  from_ms?: number
  to_ms?: number
  settings?: TrainingSettings
  onProgress?: (done: number, total: number) => void
}

/** Backtests a folder of historical readings (see `readHistorySet`): airports, and the terminals of immigration. */
export async function measureHistory(folder: string, options: MeasureOptions = {}): Promise<HistoryMeasure> {
  const { kind, series: all } = readHistorySet(folder)
  if (all.length === 0) throw new HoldshortError('IMPORT_INVALID', `${folder}: has no usable wait of a known airport`)
  const last = Math.max(...all.map(({ hour_ms }) => hour_ms.at(-1)!))
  const to_ms = options.to_ms ?? last - HORIZON_HOURS * HOUR_MS
  const settings = settingsOfKind(kind, options.settings)
  const from_ms = options.from_ms ?? to_ms - settings.backtest.hold_out_days * DAY_MS
  const series = (kind === 'security' ? all.filter(({ terminal }) => terminal === '') : withoutSoleTerminals(all))
    .map((each) => hoursFrom(each, from_ms - (settings.backtest.burn_in_days + settings.history.days) * DAY_MS))
    .filter(({ hour_ms }) => hour_ms.length > 0)
    .map(prepareSeries)
  const lanes = kind === 'security' ? readLaneFolder(folder).map(prepareSeries) : []
  const runs = await backtest(series, {
    kind,
    from_ms,
    to_ms,
    truth_cutoff_ms: to_ms + (HORIZON_HOURS + LAG_HOURS[kind]) * HOUR_MS,
    settings,
    lanes,
    ...(options.onProgress ? { onProgress: options.onProgress } : {}),
  })
  const summary = summariseBacktest(runs, kind)
  return kind === 'security' ? summary : { ...summary, rules: borderRuleScores(series, runs) }
}

const comparison = (of: (compared: Compared) => Score): Comparison =>
  Object.assign(byContender(of), { served: of('served') })

/** The airport-level runs of a backtest: overall, by airport and by horizon. */
export function summariseBacktest(runs: readonly SeriesBacktest[], kind: TrainedKind = 'security'): HistoryMeasure {
  const terminals = runs.filter(({ terminal }) => terminal !== '')
  const airports = runs.filter(({ terminal }) => terminal === '')
  const mean = (horizon?: readonly [number, number]) =>
    comparison((compared) => poolScores(airports.map((run) => scoreOf(run, compared, horizon))))
  return {
    kind,
    overall: mean(),
    ...(terminals.length > 0 && {
      terminals: comparison((compared) => poolScores(terminals.map((run) => scoreOf(run, compared)))),
    }),
    airports: airports.map((run) => ({ iata: run.iata, ...comparison((compared) => scoreOf(run, compared)) })),
    horizons: HORIZON_BUCKETS.map(([from_hours, to_hours]) => ({
      from_hours,
      to_hours,
      ...mean([from_hours, to_hours]),
    })),
  }
}
