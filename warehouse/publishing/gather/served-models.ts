import { airportDirectory } from '../../../config/airports/directory.ts'
import type { ModelCard } from '../../../config/answer-schemas.ts'
import { typicalModel } from '../../../forecasting/prior/typical.ts'
import type { Warehouse } from '../../storage/warehouse.ts'
import type { Backtest } from '../../tables/forecasts.ts'

const NO_BACKTEST = { mae_minutes: null, baseline_mae_minutes: null, coverage_80: null, samples: 0 }

type BacktestRow = Omit<
  Backtest,
  'kind' | 'iata' | 'cutoff' | 'evaluated_from' | 'evaluated_to' | 'within_5' | `${string}pinball_minutes`
>

/** Look-up of cards by the version a forecast names. The card of a version without a stored backtest has no figures. */
export async function servedModels(warehouse: Warehouse): Promise<(version: string) => ModelCard> {
  const backtested = await warehouse.query<BacktestRow>(
    `SELECT model, trained_at, served, mae_minutes, served_mae_minutes, rule_mae_minutes, baseline_mae_minutes,
       coverage_80, samples FROM backtests
     WHERE kind = 'security'`,
  )
  const cards = new Map(
    backtested.flatMap((row): [string, ModelCard][] => {
      const version = versionServed(row)
      const served: [string, ModelCard] = [version, cardOfBacktest(version, row)]
      const fallback = fallbackCard(row)
      return fallback ? [served, [fallback.version, fallback]] : [served]
    }),
  )
  return (version) =>
    cards.get(version) ??
    adaptedPriorCard(version) ?? { version, trained_at: null, basis: 'predicted', backtest: NO_BACKTEST }
}

/** A baseline that serves is named after the model it beat. */
const versionServed = ({ served, model }: BacktestRow) => model.replace(/^model:/, `${served}:`)

/** The prior that an airport's readings adapt has the figures of the prior until its own record shows better ones. */
function adaptedPriorCard(version: string): ModelCard | null {
  const iata = /^adapted:([A-Z]{3})@/.exec(version)?.[1]
  const airport = iata === undefined ? undefined : airportDirectory().byIata.get(iata)
  return airport ? { ...typicalModel(airport.size), version } : null
}

/** The card of the rule that serves while the model of a backtest drifts; its coverage was not measured apart. */
function fallbackCard({ served, model, trained_at, rule_mae_minutes, ...row }: BacktestRow): ModelCard | null {
  if (served !== 'model' || rule_mae_minutes === null) return null
  const { baseline_mae_minutes, samples } = row
  return {
    version: model.replace(/^model:/, 'rule:'),
    trained_at,
    basis: 'predicted',
    backtest: { mae_minutes: rule_mae_minutes, baseline_mae_minutes, coverage_80: null, samples },
  }
}

const cardOfBacktest = (version: string, row: BacktestRow): ModelCard => ({
  version,
  trained_at: row.trained_at,
  basis: 'predicted',
  backtest: {
    // Rows of earlier releases hold the figures of model and baseline only.
    mae_minutes: row.served_mae_minutes ?? (row.served === 'model' ? row.mae_minutes : row.baseline_mae_minutes),
    baseline_mae_minutes: row.baseline_mae_minutes,
    coverage_80: row.coverage_80,
    samples: row.samples,
  },
})
