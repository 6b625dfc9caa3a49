import { ForecastFigures, Reliability, Skill as SkillFields } from '../../answers/accuracy/figures.ts'
import { type Accuracy, AirportRow, Horizon, Miss } from '../../answers/accuracy/get-accuracy.ts'
import type { Chart } from '../charts/chart.ts'
import { coverageChart } from '../charts/coverage-chart.ts'
import { reliabilityChart } from '../charts/reliability-chart.ts'
import { skillChart } from '../charts/skill-chart.ts'
import type { Toolkit } from '../charts/toolkit.ts'
import { columnsOf } from '../pictures/picture-files.ts'

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
const FIGURE_COLUMNS = columnsOf(ForecastFigures.shape, [
  'samples',
  'mae_minutes',
  'baseline_mae_minutes',
  'pinball_minutes',
  'baseline_pinball_minutes',
  'coverage_80',
  'below',
  'above',
  'width_minutes',
  'within_5',
  'confidence',
  'brier',
  'brier_constant',
  'opposed',
  'opposed_mae_minutes',
  'persistence_mae_minutes',
  'trend_mae_minutes',
])
const RELIABILITY_COLUMNS = columnsOf(Reliability.shape, ['confidence', 'observed', 'samples'])
const HORIZON_COLUMNS = columnsOf(Horizon.shape, ['horizon', 'airports', 'skill_pinball'])
const AIRPORT_COLUMNS = columnsOf(AirportRow.shape, ['airport', 'basis', 'drift'])
const { skill, low, high, verdict } = columnsOf(SkillFields.shape, ['skill', 'low', 'high', 'verdict'])
const SKILL_COLUMNS = { skill, skill_low: low, skill_high: high, verdict }

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
    horizon: HORIZON_COLUMNS.horizon,
    airports: HORIZON_COLUMNS.airports,
    ...FIGURE_COLUMNS,
    ...SKILL_COLUMNS,
    skill_pinball: HORIZON_COLUMNS.skill_pinball,
    skill_pinball_low: low,
    skill_pinball_high: high,
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
  columns: { record: RECORD_COLUMN, ...RELIABILITY_COLUMNS },
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
    horizon: HORIZON_COLUMNS.horizon,
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
    airport: AIRPORT_COLUMNS.airport,
    basis: AIRPORT_COLUMNS.basis,
    record: RECORD_COLUMN,
    horizon: HORIZON_COLUMNS.horizon,
    ...FIGURE_COLUMNS,
    ...SKILL_COLUMNS,
    drift: AIRPORT_COLUMNS.drift,
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
  columns: columnsOf(Miss.shape, [
    'airport',
    'hour',
    'issued_at',
    'model',
    'low',
    'wait_minutes',
    'high',
    'observed_minutes',
    'samples',
    'known',
  ]),
  rows: ({ misses: rows }) => rows.map((miss) => ({ ...miss, known: miss.known.join('; ') })),
}

/** Every file of the record, in the order of the page. */
export const ACCURACY_FILES: readonly AccuracyFile[] = [scorecard, reliability, coverage, airports, misses]
