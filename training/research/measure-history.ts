import { HoldshortError } from '../../config/errors.ts'
import { DAY_MS, HORIZON_HOURS, HOUR_MS } from '../../config/vocabulary.ts'
import { prepareSeries } from '../../forecasting/features/profile.ts'
import { OPPONENTS } from '../../forecasting/opponents/opponents.ts'
import { LAG_HOURS } from '../../warehouse/storage/import-sql.ts'
import { type BacktestOptions, backtest } from '../backtest/backtest.ts'
import { renderReport } from '../backtest/report.ts'
import { type BacktestSummary, summariseBacktest } from '../backtest/summary.ts'
import { withoutSoleTerminals } from '../border/border-history.ts'
import { hoursFrom } from '../history/hourly-series.ts'
import { settingsOfKind } from '../settings/kinds.ts'
import type { TrainingSettings } from '../settings/training-settings.ts'
import { readHistorySet, readLaneFolder } from './history-files.ts'
import { type LevelShifts, levelShifts } from './level-shifts.ts'
import { type LongWaits, longWaits } from './long-waits.ts'
import { type NewAirports, newAirports } from './new-airports.ts'
import { type ForecastsBeside, type OpponentScores, opponentScores } from './opponents.ts'

export interface HistoryMeasure extends BacktestSummary {
  /** The quality of the probability of a long wait, of security. */
  long_waits?: LongWaits[]
  /** How long the 80 % range of security took to follow a new level. */
  level_shifts?: LevelShifts
  /** How near the forecasts of an airport are after its first days, of security. */
  new_airports?: NewAirports[]
  /** Simple rules from elsewhere on the same hours, of security. */
  opponents?: OpponentScores[]
}

export interface MeasureOptions {
  /** First and last origin, epoch ms; default: the last 28 days that leave a whole horizon of truths. */
  from_ms?: number
  to_ms?: number
  settings?: TrainingSettings
  /** Forecasts of other programs, which are scored beside the rules from elsewhere on the hours that all have. */
  beside?: readonly ForecastsBeside[]
  onProgress?: (done: number, total: number) => void
}

/** The backtest of a folder of historical readings (see `readHistorySet`): airports, and the terminals of immigration; `series` are parallel to `runs`. */
async function backtestFolder(folder: string, options: MeasureOptions) {
  const { kind, series: all } = readHistorySet(folder)
  if (all.length === 0) throw new HoldshortError('IMPORT_INVALID', `${folder}: has no usable wait of a known airport`)
  const last = Math.max(...all.map(({ hour_ms }) => hour_ms.at(-1)!))
  const to_ms = options.to_ms ?? last - HORIZON_HOURS * HOUR_MS
  const settings = settingsOfKind(kind, options.settings)
  const from_ms = options.from_ms ?? to_ms - settings.backtest.hold_out_days * DAY_MS
  const series = (kind === 'security' ? all.filter(({ terminal }) => terminal === '') : withoutSoleTerminals(all))
    .map((queueSeries) =>
      hoursFrom(queueSeries, from_ms - (settings.backtest.burn_in_days + settings.history.days) * DAY_MS),
    )
    .filter(({ hour_ms }) => hour_ms.length > 0)
    .map(prepareSeries)
  const lanes = kind === 'security' ? readLaneFolder(folder).map(prepareSeries) : []
  const request: BacktestOptions = {
    kind,
    from_ms,
    to_ms,
    truth_cutoff_ms: to_ms + (HORIZON_HOURS + LAG_HOURS[kind]) * HOUR_MS,
    settings,
    lanes,
  }
  if (options.onProgress) request.onProgress = options.onProgress
  return { kind, series, runs: await backtest(series, request) }
}

/** Backtests a folder and scores the forecasts. */
export async function measureHistory(folder: string, options: MeasureOptions): Promise<HistoryMeasure> {
  const { kind, series, runs } = await backtestFolder(folder, options)
  const summary = summariseBacktest(runs, kind)
  if (kind === 'immigration') return summary
  return {
    ...summary,
    long_waits: longWaits(runs, series),
    level_shifts: levelShifts(runs, series),
    new_airports: newAirports(runs, series),
    opponents: opponentScores(runs, options.beside),
  }
}

/** Renders a measure as Markdown (see `renderReport`). */
export const renderMeasure = (measure: HistoryMeasure): string =>
  renderReport(measure) +
  longWaitTable(measure.long_waits ?? []) +
  (measure.level_shifts ? levelShiftTable(measure.level_shifts) : '') +
  newAirportTable(measure.new_airports ?? []) +
  opponentTable(measure.opponents ?? [])

/** A Markdown table behind an empty line, its columns but the first at the right; empty without rows. */
function tableOf(columns: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  if (rows.length === 0) return ''
  const header = `|${columns.map((name) => (name === '' ? ' ' : ` ${name} `)).join('|')}|\n`
  const lines = rows.map((cells) => `| ${cells.join(' | ')} |\n`)
  return `\n${header}|---${'|---:'.repeat(columns.length - 1)}|\n${lines.join('')}`
}

const scoreText = (score: number) => score.toFixed(4)
const minutesText = (minutes: number) => minutes.toFixed(2)

/** The columns of the forecasts that this project makes. */
const OWN_FORECASTS = ['served', 'rule', 'same hour'] as const

/** Brier scores; skill is 1 − score ÷ that of climatology. */
function longWaitTable(all: readonly LongWaits[]): string {
  const known = all.filter(({ airports }) => airports > 0)
  const rows = known.map(({ minutes, from_hours, to_hours, airports, samples, share, brier }) => {
    const { served, rule, baseline, climatology } = brier
    const scores = [served, rule, baseline, climatology].map(scoreText)
    const what = `over ${minutes} min, ${from_hours}–${to_hours} h ahead`
    return [what, airports, samples, percent(share), ...scores, percent(1 - served / climatology)]
  })
  const parts = known.map(({ minutes, from_hours, to_hours, parts: { served, climatology } }) => {
    const what = `over ${minutes} min, ${from_hours}–${to_hours} h ahead`
    const ofServed = [served.reliability, served.resolution].map(scoreText)
    const ofClimatology = [climatology.reliability, climatology.resolution].map(scoreText)
    return [what, ...ofServed, ...ofClimatology, scoreText(served.uncertainty)]
  })
  return (
    tableOf(['', 'airports', 'hours', 'longer', ...OWN_FORECASTS, 'climatology', 'skill'], rows) +
    tableOf(['', 'reliability', 'resolution', 'reliability of climatology', 'its resolution', 'uncertainty'], parts)
  )
}

/** One row a shift; days are whole days until no more than five points of coverage are missing. */
function levelShiftTable(measured: LevelShifts): string {
  const { shifts, median_days, worst_days, coverage_by_day, covered_days, soon_covered_days } = measured
  if (shifts.length === 0) return ''
  const rows = shifts.map((shift) => {
    const { iata, day, before_minutes, after_minutes, first_day_coverage, days_until_covered } = shift
    const days = [days_until_covered.day_ahead, days_until_covered.issued].map(daysText)
    const level = `${before_minutes.toFixed(1)} → ${after_minutes.toFixed(1)}`
    return `| ${[iata, day, level, percent(first_day_coverage), ...days].join(' | ')} |\n`
  })
  const byDay = (coverages: readonly (number | null)[]) =>
    coverages.map((share) => (share === null ? '–' : (100 * share).toFixed(0))).join(' / ')
  return `\n| shift of level | day | minutes | coverage of that day | days until covered, a day ahead | by day of issue |\n|---|---|---:|---:|---:|---:|\n${rows.join('')}Median ${daysText(median_days.day_ahead)} and ${daysText(median_days.issued)} days, worst ${daysText(worst_days.day_ahead)} and ${daysText(worst_days.issued)}. Mean coverage day by day ${byDay(coverage_by_day.day_ahead)} % and ${byDay(coverage_by_day.issued)} %. Of all days of all airports ${percent(covered_days.day_ahead)} and ${percent(covered_days.issued)} are covered, from ${percent(soon_covered_days.day_ahead)} and ${percent(soon_covered_days.issued)} a covered day is at most two days away.\n`
}

const daysText = (days: number | null) => days ?? 'not yet'

function newAirportTable(all: readonly NewAirports[]): string {
  const rows = all
    .filter(({ airports }) => airports > 0)
    .map(({ own_days, airports, own_hours, samples, mae_minutes }) => {
      const { served, prior, rule, baseline, trained } = mae_minutes
      const errors = [served, prior, rule, baseline, trained].map(minutesText)
      return [own_days, airports, own_hours.toFixed(0), samples, ...errors]
    })
  const columns = ['days of own readings', 'airports', 'own hours', 'hours']
  return tableOf([...columns, 'MAE', 'prior alone', 'rule', 'same hour', 'whole history'], rows)
}

function opponentTable(all: readonly OpponentScores[]): string {
  const rows = all
    .filter(({ airports }) => airports > 0)
    .map(({ from_hours, to_hours, airports, samples, mae_minutes }) => {
      return [`${from_hours}–${to_hours} h ahead`, airports, samples, ...Object.values(mae_minutes).map(minutesText)]
    })
  const beside = Object.keys(all[0]?.mae_minutes ?? {}).slice(OWN_FORECASTS.length + OPPONENTS.length)
  return tableOf(['MAE', 'airports', 'hours', ...OWN_FORECASTS, 'newest wait', 'trend rule', ...beside], rows)
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`
