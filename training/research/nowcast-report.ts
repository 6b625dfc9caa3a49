import { mapKeys } from '../../config/map-keys.ts'
import { NOWCAST_LEADS } from '../../forecasting/nowcast/coefficients.ts'
import { mean } from '../../forecasting/statistics/statistics.ts'
import { COMPARED, NOWCAST_RULES, type NowcastFigures } from './measure-nowcast.ts'

const SPARSE_SET = 'security-us-2026'

const HEADER = [
  '| set | minutes ahead | airports | samples | persistence | time of day | seasonal | blend | nowcast | below the best rule | airport left out | coverage 80 % |',
  '|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|',
]

/** Mean absolute errors in minutes as a Markdown table: the mean over the airports of the dense sets, then each set. */
export function renderNowcastFigures(figures: readonly NowcastFigures[]): string {
  const dense = figures.filter(({ set }) => set !== SPARSE_SET)
  const pooled = NOWCAST_LEADS.flatMap((lead) =>
    pooledFigures(dense.filter(({ lead_minutes }) => lead_minutes === lead)),
  )
  return [...HEADER, ...pooled.map(tableRow), ...figures.map(tableRow), ''].join('\n')
}

/** The mean of some sets at one lead; airports count alike. */
function pooledFigures(figures: readonly NowcastFigures[]): NowcastFigures[] {
  const [first] = figures
  if (!first || figures.length === 1) return []
  const airports = figures.reduce((sum, figure) => sum + figure.airports, 0)
  const average = (figureOf: (figure: NowcastFigures) => number) =>
    mean(figures.map((figure) => figureOf(figure) * figure.airports)) * (figures.length / airports)
  const mae = (name: keyof NowcastFigures['mae_minutes']) => average(({ mae_minutes }) => mae_minutes[name])
  return [
    {
      set: 'all dense sets',
      lead_minutes: first.lead_minutes,
      airports,
      samples: figures.reduce((sum, figure) => sum + figure.samples, 0),
      mae_minutes: mapKeys(COMPARED, mae),
      coverage_80: average(({ coverage_80 }) => coverage_80),
    },
  ]
}

function tableRow({ set, lead_minutes, airports, samples, mae_minutes, coverage_80 }: NowcastFigures): string {
  const best = Math.min(...NOWCAST_RULES.map((rule) => mae_minutes[rule]))
  const percent = (fraction: number) => `${(100 * fraction).toFixed(1)} %`
  const minutes = [...NOWCAST_RULES, 'nowcast' as const].map((name) => mae_minutes[name].toFixed(2))
  const cells = [
    set,
    lead_minutes,
    airports,
    samples,
    ...minutes,
    percent(1 - mae_minutes.nowcast / best),
    mae_minutes.left_out.toFixed(2),
    percent(coverage_80),
  ]
  return `| ${cells.join(' | ')} |`
}
