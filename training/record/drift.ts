import { DAY_MS, isoUtc } from '../../config/vocabulary.ts'
import { mean } from '../../forecasting/statistics/statistics.ts'
import { readRecordedStates, recordStateChanges } from '../../warehouse/publishing/health/recorded-states.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import { notices } from '../../warehouse/tables/notices.ts'

/** The whole UTC days before the current one that are compared with the backtest. */
export const LIVE_DAYS = 7
/** A day counts when this many forecasts of its hours came true; with fewer days that count an airport keeps its state. */
const MIN_FORECASTS_A_DAY = 24
const MIN_LIVE_DAYS = 4
const MIN_BACKTEST_DAYS = 7

/**
 * A measure of a day, chosen so that one bad day weighs little and every lasting change shows: the logarithm of the mean
 * absolute error, and the share of waits above the median, which a level that has shifted up or down moves away from a half.
 */
interface Measure {
  name: 'error' | 'bias'
  figureOf: (day: DaySums) => number
  /** A drift begins when the difference from the backtest reaches `begins` and this many standard errors. */
  begins: number
  standard_errors: number
  /** It goes on until the difference is below this. */
  ends: number
  /** No backtest shows that days differ by less than this standard deviation. */
  min_sd: number
  /** Differences in both directions count. */
  isTwoSided: boolean
}

/** 1.3 and 1.1 times the error of the backtest, and 25 and 10 points of share; see `docs/decisions/forecasts.md`. */
const MEASURES: readonly Measure[] = [
  {
    name: 'error',
    figureOf: ({ model_error, forecasts }) => Math.log(Math.max(model_error / forecasts, 0.05)),
    begins: Math.log(1.3),
    standard_errors: 4,
    ends: Math.log(1.1),
    min_sd: 0.1,
    isTwoSided: false,
  },
  {
    name: 'bias',
    figureOf: ({ above_median, forecasts }) => above_median / forecasts,
    begins: 0.25,
    standard_errors: 4,
    ends: 0.1,
    min_sd: 0.05,
    isTwoSided: true,
  },
]

/** The rule goes on serving until its error exceeds the model's by this factor. */
const RETURN_MARGIN = 1.05

/** `drifting`: the last days clearly differ from the backtest. `on_rule`: and the rule serves in place of the model. */
export type DriftState = 'steady' | 'drifting' | 'on_rule'

/** Forecasts of one UTC day that came true, as sums over all hours ahead. */
export interface DaySums {
  forecasts: number
  /** Sums of absolute errors, minutes. */
  model_error: number
  rule_error: number
  /** Waits above the model's median. */
  above_median: number
}

/** The verdict on an airport: its state, and the compared figures. */
export interface DriftVerdict {
  state: DriftState
  /** Mean absolute errors over the last days, minutes; null with too few days. */
  model_error: number | null
  rule_error: number | null
  /** The differences from the backtest in each measure: plain, and in standard errors. */
  differences: { name: Measure['name']; difference: number; standard_errors: number }[]
}

function sampleSd(values: readonly number[]): number {
  const middle = mean(values)
  return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1))
}

/**
 * Judges the last days of an airport by the days of a backtest that saw none of them. A drift begins when one measure differs clearly,
 * and ends when all are nearly back: figures in between change nothing. While it lasts the rule serves if it was no worse
 * than the model.
 */
export function judgeDrift(before: DriftState, live: readonly DaySums[], backtest: readonly DaySums[]): DriftVerdict {
  const days = live.filter(({ forecasts }) => forecasts >= MIN_FORECASTS_A_DAY)
  const expected = backtest.filter(({ forecasts }) => forecasts > 0)
  if (days.length < MIN_LIVE_DAYS || expected.length < MIN_BACKTEST_DAYS)
    return { state: before, model_error: null, rule_error: null, differences: [] }
  const compared = MEASURES.map((measure) => {
    const past = expected.map(measure.figureOf)
    const difference = mean(days.map(measure.figureOf)) - mean(past)
    const sd = Math.max(sampleSd(past), measure.min_sd)
    const standard_errors = difference / (sd * Math.sqrt(1 / days.length + 1 / past.length))
    const size = measure.isTwoSided ? Math.abs(difference) : difference
    const begins = size >= measure.begins && Math.abs(standard_errors) >= measure.standard_errors
    return { found: { name: measure.name, difference, standard_errors }, begins, lasts: size >= measure.ends }
  })
  const total = (figureOf: (day: DaySums) => number) => days.reduce((sum, day) => sum + figureOf(day), 0)
  const forecasts = total((day) => day.forecasts)
  const model_error = total((day) => day.model_error) / forecasts
  const rule_error = total((day) => day.rule_error) / forecasts
  const differences = compared.map(({ found }) => found)
  const isDrifting = compared.some(({ begins, lasts }) => begins || (before !== 'steady' && lasts))
  if (!isDrifting) return { state: 'steady', model_error, rule_error, differences }
  const allowance = before === 'on_rule' ? RETURN_MARGIN : 1
  return { state: rule_error <= allowance * model_error ? 'on_rule' : 'drifting', model_error, rule_error, differences }
}

interface DayRow extends DaySums {
  iata: string
}

const DAY_SUMS = `iata, sum(contended)::DOUBLE AS forecasts, sum(model_error_minutes) AS model_error,
  sum(rule_error_minutes) AS rule_error, sum(model_above_median) AS above_median`

/** The last days of each airport, and those of its newest backtest that ended before them. */
async function readDays(warehouse: Warehouse, now: number) {
  const today = Math.floor(now / DAY_MS) * DAY_MS
  const values = { from: isoUtc(today - LIVE_DAYS * DAY_MS), to: isoUtc(today) }
  const live = await warehouse.query<DayRow>(
    `SELECT ${DAY_SUMS} FROM scores WHERE kind = 'security' AND terminal = '' AND date >= left($from, 10)::DATE
       AND day >= $from::TIMESTAMPTZ AND day < $to::TIMESTAMPTZ GROUP BY iata, day HAVING sum(contended) > 0 ORDER BY iata, day`,
    values,
  )
  const backtest = await warehouse.query<DayRow>(
    `WITH newest AS (
       SELECT iata, arg_max(model, trained_at) AS model FROM backtests
       WHERE kind = 'security' AND cutoff <= $from::TIMESTAMPTZ GROUP BY iata
     )
     SELECT ${DAY_SUMS} FROM backtest_scores s SEMI JOIN newest n ON n.iata = s.iata AND n.model = s.model
     WHERE kind = 'security' AND terminal = '' AND day < $to::TIMESTAMPTZ GROUP BY iata, day ORDER BY iata, day`,
    values,
  )
  return { live: byIata(live), backtest: byIata(backtest) }
}

function byIata(rows: readonly DayRow[]): Map<string, DaySums[]> {
  const days = new Map<string, DaySums[]>()
  for (const { iata, ...day } of rows) days.set(iata, [...(days.get(iata) ?? []), day])
  return days
}

const SUBJECT = 'model:'
const isState = (state: string | undefined): state is DriftState =>
  state === 'steady' || state === 'drifting' || state === 'on_rule'

/** The recorded state of each airport's model; absent is steady. */
async function recordedDrift(warehouse: Warehouse, now: number) {
  const recorded = await readRecordedStates(warehouse, now)
  const stateOf = (iata: string): DriftState => {
    const state = recorded.get(SUBJECT + iata)?.state
    return isState(state) ? state : 'steady'
  }
  return { recorded, stateOf }
}

/** The airports whose rule serves because their model drifts. */
export async function airportsOnFallback(warehouse: Warehouse, now: number): Promise<Set<string>> {
  const { recorded } = await recordedDrift(warehouse, now)
  const subjects = [...recorded].filter(([subject, { state }]) => subject.startsWith(SUBJECT) && state === 'on_rule')
  return new Set(subjects.map(([subject]) => subject.slice(SUBJECT.length)))
}

/** A change of state of an airport's model. */
export interface DriftChange extends DriftVerdict {
  iata: string
  before: DriftState
  reason: string
}

/**
 * Judges every airport with a record and a backtest, records the states that change, and lands a notice for each change. The next
 * forecasts follow it. Repeating it with the same record changes nothing.
 */
export async function watchDrift(warehouse: Warehouse, now: number): Promise<DriftChange[]> {
  const { live, backtest } = await readDays(warehouse, now)
  const { recorded, stateOf } = await recordedDrift(warehouse, now)
  const changes = [...live].flatMap(([iata, days]): DriftChange[] => {
    const before = stateOf(iata)
    const verdict = judgeDrift(before, days, backtest.get(iata) ?? [])
    return verdict.state === before ? [] : [{ iata, before, reason: reasonOf(verdict), ...verdict }]
  })
  const states = changes.map(({ iata, state, reason }) => ({ subject: SUBJECT + iata, state, reason }))
  await recordStateChanges(warehouse, recorded, states, now)
  await warehouse.land(
    notices,
    changes.map(({ iata, state, reason }) => ({
      source: 'holdshort',
      code: state === 'steady' ? 'forecast_drift_over' : 'forecast_drift',
      severity: state === 'steady' ? ('info' as const) : ('warning' as const),
      path: `forecasts/security/${iata}/${isoUtc(now)}`,
      value: state,
      message: reason,
      iata,
      noticed_at: isoUtc(now),
      capture_id: '',
    })),
  )
  return changes
}

const minutesText = (minutes: number | null) => (minutes === null ? 'unknown' : `${minutes.toFixed(2)} min`)

function reasonOf({ state, model_error, rule_error, differences }: DriftVerdict): string {
  const found = differences.map(({ name, difference, standard_errors }) =>
    name === 'error'
      ? `error ${Math.exp(difference).toFixed(2)} times that of the backtest (${standard_errors.toFixed(1)} standard errors)`
      : `share of waits above the median ${difference >= 0 ? '+' : '−'}${Math.abs(100 * difference).toFixed(0)} points (${standard_errors.toFixed(1)} standard errors)`,
  )
  const consequence = {
    steady: 'The model is as good as its backtest again and serves.',
    drifting: 'The model has lately been worse than tested, but the simple rule more so, and the model is used.',
    on_rule: 'The model has lately been worse than tested, so the simple rule is used until that is over.',
  }[state]
  const errors = `Mean absolute error of the last ${LIVE_DAYS} days: model ${minutesText(model_error)}, rule ${minutesText(rule_error)}`
  return `${consequence} ${errors}; ${found.join(', ')}.`
}
