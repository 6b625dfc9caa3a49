import type { Accuracy } from '../../answers/accuracy/get-accuracy.ts'
import type { Chart } from '../charts/chart.ts'
import { coverageChart } from '../charts/coverage-chart.ts'
import { reliabilityChart } from '../charts/reliability-chart.ts'
import { skillChart } from '../charts/skill-chart.ts'
import type { Toolkit } from '../charts/toolkit.ts'

/** The files of the record: the same rows as CSV and JSON, and as a picture where there is one. */
export interface AccuracyFile {
  /** Its address below `/accuracy`, without the ending. */
  name: string
  title: string
  /** Each column with its meaning, in the order of the CSV. */
  columns: Readonly<Record<string, string>>
  /** The fields of each row; those that are no columns are left out. */
  rows: (record: Accuracy) => object[]
  chart?: (toolkit: Toolkit, record: Accuracy) => Chart
}

const RECORD_COLUMN =
  'live: what was published; backtest: what would have been published on hours the model had not seen.'
const FIGURE_COLUMNS = {
  samples: 'Forecast hours that came true.',
  mae_minutes: 'Mean absolute error of the median.',
  baseline_mae_minutes: 'The same of the baseline on the same hours.',
  pinball_minutes: 'Mean pinball loss over the quantiles 0.1, 0.5 and 0.9.',
  baseline_pinball_minutes: 'The same of the baseline.',
  coverage_80: 'Share of hours inside low to high; 0.8 is right.',
  below: 'Share below low; 0.1 is right.',
  above: 'Share above high; 0.1 is right.',
  width_minutes: 'Mean width of the interval.',
  within_5: 'Share within 5 minutes of the median.',
  confidence: 'Mean claimed probability of that.',
  brier: 'Brier score of the claim; 0 is perfect.',
  brier_constant: 'Brier score of always claiming the rate that came true.',
  opposed: 'Forecast hours for which rules from elsewhere were known; the next three figures are of these.',
  opposed_mae_minutes: 'Mean absolute error of the median on these hours.',
  persistence_mae_minutes: 'The same of persistence: the newest hourly mean known at the issue.',
  trend_mae_minutes: 'The same of the trend rule of an open project.',
} as const
const SKILL_COLUMNS = {
  skill: 'Error saved against the baseline, as a share.',
  skill_low: 'Lower end of its 95 % interval; empty with too few days.',
  skill_high: 'Upper end.',
  verdict: 'better, worse or undecided.',
} as const

type Skill = Accuracy['horizons'][number]['skill_mae']

const skillRow = (skill: Skill | undefined) => ({ ...skill, skill_low: skill?.low, skill_high: skill?.high })

const KINDS = ['live', 'backtest'] as const

/** The buckets of hours ahead, each of both records. */
const bucketsOf = ({ horizons, backtest }: Accuracy) =>
  horizons.flatMap((live, place) =>
    KINDS.map((record) => ({ record, ...(record === 'live' ? live : backtest.horizons[place]!) })),
  )

/** The same as points of a chart: a figure of either record. */
const pointsOf = <Figure>(
  { horizons, backtest }: Accuracy,
  figureOf: (bucket: Accuracy['horizons'][number]) => Figure,
) =>
  horizons.map((live, place) => ({
    horizon: live.horizon,
    live: figureOf(live),
    backtest: figureOf(backtest.horizons[place]!),
  }))

const scorecard: AccuracyFile = {
  name: 'scorecard',
  title: 'Scorecard of the forecasts by hours ahead',
  columns: {
    record: RECORD_COLUMN,
    horizon: 'Hours ahead; the hour of the issue is the first.',
    airports: 'Airports in the skill, each counted alike.',
    ...FIGURE_COLUMNS,
    ...SKILL_COLUMNS,
    skill_pinball: 'The same of the pinball loss.',
    skill_pinball_low: 'Lower end of its 95 % interval.',
    skill_pinball_high: 'Upper end.',
  },
  rows: (record) =>
    bucketsOf(record).map(({ figures, skill_mae, skill_pinball, ...bucket }) => ({
      ...bucket,
      ...figures,
      ...skillRow(skill_mae),
      skill_pinball: skill_pinball?.skill,
      skill_pinball_low: skill_pinball?.low,
      skill_pinball_high: skill_pinball?.high,
    })),
  chart: (toolkit, record) => skillChart(toolkit, { points: pointsOf(record, ({ skill_mae }) => skill_mae) }),
}

const reliability: AccuracyFile = {
  name: 'reliability',
  title: 'Probability claimed and how often it came true',
  columns: {
    record: RECORD_COLUMN,
    confidence: 'Mean claimed probability within a tenth.',
    observed: 'Share that came true: hours within 5 minutes of the median.',
    samples: 'Forecast hours that claimed it: the histogram of what was issued.',
  },
  rows: ({ reliability: live, backtest }) => [
    ...live.map((bin) => ({ record: 'live', ...bin })),
    ...backtest.reliability.map((bin) => ({ record: 'backtest', ...bin })),
  ],
  chart: (toolkit, { reliability: live, backtest }) =>
    reliabilityChart(toolkit, { live, backtest: backtest.reliability }),
}

const coverage: AccuracyFile = {
  name: 'coverage',
  title: 'Hours inside the 80 % interval by hours ahead',
  columns: {
    record: RECORD_COLUMN,
    horizon: 'Hours ahead.',
    samples: FIGURE_COLUMNS.samples,
    coverage_80: FIGURE_COLUMNS.coverage_80,
    below: FIGURE_COLUMNS.below,
    above: FIGURE_COLUMNS.above,
    width_minutes: FIGURE_COLUMNS.width_minutes,
  },
  rows: (record) => bucketsOf(record).map(({ figures, ...bucket }) => ({ ...bucket, ...figures })),
  chart: (toolkit, record) =>
    coverageChart(toolkit, { points: pointsOf(record, ({ figures }) => figures?.coverage_80 ?? null) }),
}

const airports: AccuracyFile = {
  name: 'airports',
  title: 'Record of each airport by hours ahead',
  columns: {
    airport: 'IATA code.',
    basis: 'predicted: its own forecast; typical: the worldwide prior.',
    record: RECORD_COLUMN,
    horizon: 'Hours ahead.',
    ...FIGURE_COLUMNS,
    ...SKILL_COLUMNS,
    drift: 'Whether the last week is as the backtest said.',
  },
  rows: ({ airports: rows }) =>
    rows.flatMap(({ airport, basis, horizons, drift }) =>
      horizons.flatMap(({ horizon, ...both }) =>
        KINDS.flatMap((record) => {
          const figures = both[record]
          if (!figures) return []
          return [{ airport, basis, record, horizon, ...figures, ...skillRow(figures.skill_mae), drift }]
        }),
      ),
    ),
}

const misses: AccuracyFile = {
  name: 'misses',
  title: 'Worst misses of 30 days',
  columns: {
    airport: 'IATA code.',
    hour: 'Start of the hour (UTC).',
    issued_at: 'When the forecast was made.',
    model: 'The version that made it.',
    low: 'Lower end of the 80 % interval.',
    wait_minutes: 'The median that was forecast.',
    high: 'Upper end.',
    observed_minutes: 'Mean wait that was observed.',
    samples: 'Readings of the hour.',
    known: 'What the sources said about the hour; empty where nothing is known.',
  },
  rows: ({ misses: rows }) => rows.map((miss) => ({ ...miss, known: miss.known.join('; ') })),
}

/** Every file of the record, in the order of the page. */
export const ACCURACY_FILES: readonly AccuracyFile[] = [scorecard, reliability, coverage, airports, misses]
