import { DAY_MS, HORIZON_BUCKETS, HORIZON_HOURS, HOUR_MS } from '../../config/domain.ts'
import { localClock } from '../../config/time-zones/local-time.ts'
import { type DayKind, dayKind } from '../../forecasting/features/holidays.ts'
import type { PreparedSeries } from '../../forecasting/features/profile.ts'
import type { CalibratedForecast } from '../../forecasting/quantiles/calibration.ts'
import { isWithin5 } from '../../forecasting/quantiles/quantiles.ts'
import { type DayLosses, pairedSkill, type SkillInterval } from '../../forecasting/skill/bootstrap.ts'
import { pinballOf } from '../../forecasting/skill/metrics.ts'
import { lowerBound } from '../../forecasting/statistics/lower-bound.ts'
import { quantile } from '../../forecasting/statistics/quantile.ts'
import { ascending, mean } from '../../forecasting/statistics/statistics.ts'
import { type SeriesBacktest, servedForecasts } from '../backtest/backtest.ts'
import { CONTENDERS, type Contender } from '../models/contenders.ts'

/** The forecasters that have quantiles, and simple rules that have a single value. */
export const REFERENCES = ['baseline', 'rule', 'model', 'week_ago', 'week_hour', 'persistence'] as const
export type Reference = (typeof REFERENCES)[number]
const QUANTILE_REFERENCES: readonly Reference[] = ['baseline', 'rule', 'model']

/** One bucket of hours ahead, or all. */
export interface SkillFigures {
  from_hours: number
  to_hours: number
  samples: number
  /** Mean over airports, minutes. */
  mae_minutes: number
  pinball_minutes: number
  coverage_80: number
  /** Quantiles of p90 − p10, minutes. */
  width: { p10: number; p50: number; p90: number }
  references: {
    name: Reference
    mae_minutes: number
    mae_skill: SkillInterval | null
    pinball_skill: SkillInterval | null
  }[]
}

export interface AirportFigures {
  iata: string
  samples: number
  mae_minutes: number
  baseline_mae_minutes: number
  pinball_minutes: number
  skill: SkillInterval | null
  coverage_80: number
  within_5: number
  /** Share of the forecast hours that each contender served. */
  served: Record<Contender, number>
  /** The contender that would serve next. */
  choice: Contender
}

export interface ReliabilityFigures {
  /** Tenths of the confidence that was said. */
  bins: { said: number; happened: number; samples: number }[]
  expected_calibration_error: number
  brier: number
  /** Brier score of always saying how often it happened. */
  constant_brier: number
}

/** A week of forecasts issued about a day before, over what was observed. */
export interface WeekFigures {
  iata: string
  timezone: string
  skill: number | null
  hours: {
    valid_ms: number
    local_hour: number
    weekday: number
    p10: number
    p50: number
    p90: number
    truth: number | null
  }[]
}

export interface Miss {
  iata: string
  issued_ms: number
  valid_ms: number
  timezone: string
  p10: number
  p50: number
  p90: number
  truth: number
  /** What is known of the hour. */
  known: string[]
}

export interface ReportFigures {
  overall: SkillFigures
  buckets: SkillFigures[]
  airports: AirportFigures[]
  reliability: ReliabilityFigures
  weeks: WeekFigures[]
  misses: Miss[]
}

/** The losses of all forecasters at one airport, issue day and bucket. */
interface Cell {
  iata: string
  day: number
  bucket: number
  samples: number
  inside: number
  within_5: number
  error: number
  pinball: number
  reference_error: Record<Reference, number>
  reference_pinball: Record<Reference, number>
}

const byReference = (of: (name: Reference) => number): Record<Reference, number> => ({
  baseline: of('baseline'),
  rule: of('rule'),
  model: of('model'),
  week_ago: of('week_ago'),
  week_hour: of('week_hour'),
  persistence: of('persistence'),
})

/** All figures of a report from the airport-level runs of a backtest and the series they were made of. */
export function reportFigures(runs: readonly SeriesBacktest[], series: readonly PreparedSeries[]): ReportFigures {
  const airports = runs
    .filter(({ terminal }) => terminal === '')
    .map((run) => ({
      run,
      served: servedForecasts(run),
      series: series.find(({ iata, terminal }) => iata === run.iata && terminal === '')!,
    }))
    .filter(({ run }) => run.truth.some((truth, row) => run.scored[row] === 1 && !Number.isNaN(truth)))
  const cells = airports.flatMap(cellsOf)
  const figures = airports.map((airport) => airportFigures(airport, cells))
  return {
    overall: skillFigures(airports, cells, [0, HORIZON_HOURS]),
    buckets: HORIZON_BUCKETS.map((bucket) => skillFigures(airports, cells, bucket)),
    airports: figures,
    reliability: reliability(airports),
    weeks: weeks(airports, figures),
    misses: worstMisses(airports),
  }
}

interface ReportedAirport {
  run: SeriesBacktest
  served: CalibratedForecast
  series: PreparedSeries
}

const bucketOf = (horizon: number) => HORIZON_BUCKETS.findIndex(([from, to]) => horizon >= from && horizon < to)

/** The rows that count: issued in the scored span, and observed. */
function scoredRows({ scored, truth }: SeriesBacktest): number[] {
  const rows: number[] = []
  for (let row = 0; row < truth.length; row++) if (scored[row] === 1 && !Number.isNaN(truth[row]!)) rows.push(row)
  return rows
}

function cellsOf({ run, served, series }: ReportedAirport): Cell[] {
  const cells = new Map<string, Cell>()
  const simple = simpleRules(series)
  for (const row of scoredRows(run)) {
    const bucket = bucketOf(run.horizon[row]!)
    const day = Math.floor(run.issued_ms[row]! / DAY_MS)
    const key = `${day}/${bucket}`
    const cell = cells.get(key) ?? emptyCell(run.iata, day, bucket)
    cells.set(key, cell)
    const truth = run.truth[row]!
    const { baseline, rule, model } = run.calibrated
    cell.samples++
    cell.error += Math.abs(truth - served.p50[row]!)
    cell.pinball += pinballOf(truth, served, row)
    if (truth >= served.p10[row]! && truth <= served.p90[row]!) cell.inside++
    if (isWithin5(truth, served.p50[row]!)) cell.within_5++
    for (const [name, of] of [
      ['baseline', baseline],
      ['rule', rule],
      ['model', model],
    ] as const) {
      cell.reference_error[name] += Math.abs(truth - of.p50[row]!)
      cell.reference_pinball[name] += pinballOf(truth, of, row)
    }
    const values = simple(run.issued_ms[row]!, run.valid_ms[row]!, baseline.p50[row]!)
    for (const name of ['week_ago', 'week_hour', 'persistence'] as const)
      cell.reference_error[name] += Math.abs(truth - values[name])
  }
  return [...cells.values()]
}

function emptyCell(iata: string, day: number, bucket: number): Cell {
  const none = { samples: 0, inside: 0, within_5: 0, error: 0, pinball: 0 }
  return Object.assign(none, {
    iata,
    day,
    bucket,
    reference_error: byReference(() => 0),
    reference_pinball: byReference(() => 0),
  })
}

const WEEK_MS = 7 * DAY_MS

/**
 * Rules of a single value, from what was known at the issue: the newest hour, the same hour a week ago, and the median of the same hour of
 * the last four weeks. Where nothing is known of these, the baseline stands in.
 */
function simpleRules(series: PreparedSeries) {
  const rowOfHour = new Map(Array.from(series.hour_ms, (hour, row) => [hour, row]))
  const newestAt = new Map<number, number>()
  const newest = (issued_ms: number) => {
    let row = newestAt.get(issued_ms)
    if (row === undefined) {
      row = lowerBound(series.hour_ms, issued_ms) - 1
      while (row >= 0 && series.available_ms[row]! > issued_ms) row--
      newestAt.set(issued_ms, row)
    }
    return row
  }
  return (issued_ms: number, valid_ms: number, baseline: number) => {
    const weeks: number[] = []
    for (let week = 1; week <= 4; week++) {
      const row = rowOfHour.get(valid_ms - week * WEEK_MS)
      if (row !== undefined && series.available_ms[row]! <= issued_ms) weeks.push(series.mean[row]!)
    }
    const last = newest(issued_ms)
    return {
      week_ago: weeks[0] ?? baseline,
      week_hour: weeks.length > 0 ? quantile(ascending(weeks), 0.5) : baseline,
      persistence: last < 0 ? baseline : series.mean[last]!,
    }
  }
}

function skillFigures(
  airports: readonly ReportedAirport[],
  cells: readonly Cell[],
  bucket: readonly [number, number],
): SkillFigures {
  const [from_hours, to_hours] = bucket
  const selected = cells.filter((cell) => {
    const [from, to] = HORIZON_BUCKETS[cell.bucket]!
    return from >= from_hours && to <= to_hours
  })
  const groups = airports
    .map(({ run }) => selected.filter(({ iata }) => iata === run.iata))
    .filter((group) => group.length > 0)
  /** Mean over airports of a sum by forecast hour. */
  const overAirports = (of: (cell: Cell) => number) =>
    mean(groups.map((group) => sumOf(group, of) / sumOf(group, ({ samples }) => samples)))
  const skillBy = (own: (cell: Cell) => number, other: (cell: Cell) => number) =>
    pairedSkill(
      selected.map((cell): DayLosses => ({ iata: cell.iata, day: cell.day, loss: own(cell), other_loss: other(cell) })),
    )
  const widths = ascending(
    airports.flatMap(({ run, served }) =>
      scoredRows(run)
        .filter((row) => run.horizon[row]! >= from_hours && run.horizon[row]! < to_hours)
        .map((row) => served.p90[row]! - served.p10[row]!),
    ),
  )
  return {
    from_hours,
    to_hours,
    samples: sumOf(selected, ({ samples }) => samples),
    mae_minutes: overAirports(({ error }) => error),
    pinball_minutes: overAirports(({ pinball }) => pinball),
    coverage_80: overAirports(({ inside }) => inside),
    width: { p10: quantile(widths, 0.1), p50: quantile(widths, 0.5), p90: quantile(widths, 0.9) },
    references: REFERENCES.map((name) => ({
      name,
      mae_minutes: overAirports(({ reference_error }) => reference_error[name]),
      mae_skill: skillBy(
        ({ error }) => error,
        ({ reference_error }) => reference_error[name],
      ),
      pinball_skill: QUANTILE_REFERENCES.includes(name)
        ? skillBy(
            ({ pinball }) => pinball,
            ({ reference_pinball }) => reference_pinball[name],
          )
        : null,
    })),
  }
}

const sumOf = (cells: readonly Cell[], of: (cell: Cell) => number) => cells.reduce((sum, cell) => sum + of(cell), 0)

function airportFigures({ run }: ReportedAirport, all: readonly Cell[]): AirportFigures {
  const cells = all.filter(({ iata }) => iata === run.iata)
  const samples = sumOf(cells, (cell) => cell.samples)
  const rows = scoredRows(run)
  const share = (contender: Contender) =>
    rows.filter((row) => CONTENDERS[run.served[row]!] === contender).length / rows.length
  return {
    iata: run.iata,
    samples,
    mae_minutes: sumOf(cells, ({ error }) => error) / samples,
    baseline_mae_minutes: sumOf(cells, ({ reference_error }) => reference_error.baseline) / samples,
    pinball_minutes: sumOf(cells, ({ pinball }) => pinball) / samples,
    skill: pairedSkill(
      cells.map((cell) => ({
        iata: cell.iata,
        day: cell.day,
        loss: cell.error,
        other_loss: cell.reference_error.baseline,
      })),
    ),
    coverage_80: sumOf(cells, ({ inside }) => inside) / samples,
    within_5: sumOf(cells, ({ within_5 }) => within_5) / samples,
    served: { model: share('model'), rule: share('rule'), baseline: share('baseline') },
    choice: run.choice,
  }
}

const CONFIDENCE_BINS = 10

function reliability(airports: readonly ReportedAirport[]): ReliabilityFigures {
  const bins = Array.from({ length: CONFIDENCE_BINS }, () => ({ said: 0, happened: 0, samples: 0 }))
  let squares = 0
  for (const { run, served } of airports)
    for (const row of scoredRows(run)) {
      const said = served.p_within_5[row]!
      const happened = isWithin5(run.truth[row]!, served.p50[row]!) ? 1 : 0
      const bin = bins[Math.min(CONFIDENCE_BINS - 1, Math.floor(said * CONFIDENCE_BINS))]!
      bin.said += said
      bin.happened += happened
      bin.samples++
      squares += (said - happened) ** 2
    }
  const samples = bins.reduce((sum, bin) => sum + bin.samples, 0)
  const rate = bins.reduce((sum, bin) => sum + bin.happened, 0) / samples
  const used = bins.filter((bin) => bin.samples > 0)
  return {
    bins: used.map((bin) => ({
      said: bin.said / bin.samples,
      happened: bin.happened / bin.samples,
      samples: bin.samples,
    })),
    expected_calibration_error: used.reduce((sum, bin) => sum + Math.abs(bin.said - bin.happened), 0) / samples,
    brier: squares / samples,
    constant_brier: rate * (1 - rate),
  }
}

/** The newest forecast of each hour that was issued at least this many hours before. */
const WEEK_LEAD_HOURS = 24

/** With fewer observed hours, an airport's skill is chance. */
const WEEK_SAMPLES = 500

/** The last week of the span at four airports: the best, the worst, and two between them. */
function weeks(airports: readonly ReportedAirport[], figures: readonly AirportFigures[]): WeekFigures[] {
  const enough = figures.filter(({ samples }) => samples >= WEEK_SAMPLES)
  const ranked = (enough.length >= 4 ? enough : figures).toSorted(
    (a, b) => (b.skill?.skill ?? -1) - (a.skill?.skill ?? -1),
  )
  const picked = new Set([0, 1 / 3, 2 / 3, 1].map((share) => ranked[Math.round(share * (ranked.length - 1))]))
  return [...picked].flatMap((figure) => {
    const airport = airports.find(({ run }) => run.iata === figure?.iata)
    return figure && airport ? [weekOf(airport, figure)] : []
  })
}

function weekOf({ run, served, series }: ReportedAirport, { skill }: AirportFigures): WeekFigures {
  const newest = new Map<number, number>()
  for (let row = 0; row < run.valid_ms.length; row++) {
    if (run.scored[row] !== 1 || run.horizon[row]! < WEEK_LEAD_HOURS) continue
    const other = newest.get(run.valid_ms[row]!)
    if (other === undefined || run.issued_ms[other]! < run.issued_ms[row]!) newest.set(run.valid_ms[row]!, row)
  }
  const lastIssue = run.issued_ms.at(-1)!
  const from = lastIssue + DAY_MS - WEEK_MS
  const hours = [...newest.keys()].filter((hour) => hour >= from && hour < from + WEEK_MS).sort((a, b) => a - b)
  const clock = localClock(series.timezone, hours)
  return {
    iata: run.iata,
    timezone: series.timezone,
    skill: skill?.skill ?? null,
    hours: hours.map((valid_ms, k) => {
      const row = newest.get(valid_ms)!
      const truth = run.truth[row]!
      return {
        valid_ms,
        local_hour: clock.hour[k]!,
        weekday: clock.weekday[k]!,
        p10: served.p10[row]!,
        p50: served.p50[row]!,
        p90: served.p90[row]!,
        truth: Number.isNaN(truth) ? null : truth,
      }
    }),
  }
}

const WORST = 10

/** The largest errors, one for each airport and day. */
function worstMisses(airports: readonly ReportedAirport[]): Miss[] {
  const worst = airports.flatMap((airport) => {
    const { run, served } = airport
    const byDay = new Map<number, number>()
    const error = (row: number) => Math.abs(run.truth[row]! - served.p50[row]!)
    for (const row of scoredRows(run)) {
      const day = Math.floor(run.valid_ms[row]! / DAY_MS)
      const other = byDay.get(day)
      if (other === undefined || error(row) > error(other)) byDay.set(day, row)
    }
    return [...byDay.values()].map((row) => ({ airport, row, error: error(row) }))
  })
  return worst
    .sort((a, b) => b.error - a.error)
    .slice(0, WORST)
    .map(({ airport, row }) => missOf(airport, row))
}

const DAY_KIND_NAMES: Record<DayKind, string | null> = {
  0: null,
  1: 'a public holiday',
  2: 'the day before a public holiday',
  3: 'the day after a public holiday',
}

function missOf({ run, served, series }: ReportedAirport, row: number): Miss {
  const valid_ms = run.valid_ms[row]!
  const truth = run.truth[row]!
  const { day } = localClock(series.timezone, [valid_ms])
  const known: string[] = []
  const holiday = DAY_KIND_NAMES[dayKind(series.country, day[0]!)]
  if (holiday) known.push(holiday)
  const near = hoursNear(series, valid_ms)
  const sign = Math.sign(truth - served.p50[row]!)
  const others = Array.from(run.truth).flatMap((other, k) =>
    run.issued_ms[k] === run.issued_ms[row] && !Number.isNaN(other) ? [Math.sign(other - served.p50[k]!)] : [],
  )
  const sameSide = others.filter((side) => side === sign).length / Math.max(1, others.length)
  if (sameSide > 0.75)
    known.push(
      `a level shift: ${Math.round(100 * sameSide)} % of the observed hours of this forecast lie on the same side`,
    )
  if (near.length === 0) known.push('no neighbouring hour was observed')
  else if (near.every((minutes) => Math.abs(minutes - truth) > Math.abs(truth - served.p50[row]!) / 2))
    known.push(
      `a single hour: the hours beside it had ${near.map((minutes) => minutes.toFixed(0)).join(' and ')} minutes`,
    )
  else known.push(`the hours beside it were alike (${near.map((minutes) => minutes.toFixed(0)).join(' and ')} minutes)`)
  return {
    iata: run.iata,
    issued_ms: run.issued_ms[row]!,
    valid_ms,
    timezone: series.timezone,
    p10: served.p10[row]!,
    p50: served.p50[row]!,
    p90: served.p90[row]!,
    truth,
    known,
  }
}

/** Observed means of the hours before and after. */
function hoursNear(series: PreparedSeries, valid_ms: number): number[] {
  return [-HOUR_MS, HOUR_MS].flatMap((shift) => {
    const row = lowerBound(series.hour_ms, valid_ms + shift)
    return series.hour_ms[row] === valid_ms + shift ? [series.mean[row]!] : []
  })
}
