import { mapKeys } from '../../config/map-keys.ts'
import { DAY_MS, HORIZON_HOURS, HOUR_MS, utcDayOf } from '../../config/vocabulary.ts'
import type { HourlySeries } from '../../forecasting/features/hourly-series.ts'
import { lowerBound, mean } from '../../forecasting/statistics/statistics.ts'
import { type SeriesBacktest, servedForecasts } from '../backtest/results.ts'

/** A level has shifted when the mean of a week differs from that of the four weeks before by more than this share of it, and by more than these minutes. */
const SHIFT_SHARE = 1 / 3
const SHIFT_MINUTES = 1.5
const AFTER_DAYS = 7
const BEFORE_DAYS = 28
/** Fewer hours do not tell a level. */
const MIN_HOURS = { after: 24, before: 96 } as const
/** Days with the same change belong to one shift when they are at most this many days apart. */
const SAME_SHIFT_DAYS = 7

/** A day is covered when its 80 % range lacks no more than five points. */
const COVERED = 0.75
/** Fewer observed hours do not tell the coverage of a day. */
const MIN_HOURS_OF_DAY = 5
/** A new level is to be covered within so many days. */
const AIMED_DAYS = 2

/** The coverage of a UTC day: of its hours as they were forecast a day ahead or less, and of all hours of the forecasts issued on it. */
const COVERAGES = ['day_ahead', 'issued'] as const
type CoverageName = (typeof COVERAGES)[number]

/** A lasting change of the waits of an airport, and how long the forecasts took to cover it. */
export interface LevelShift {
  iata: string
  /** First UTC day of the new level, YYYY-MM-DD. */
  day: string
  /** Mean waits of the four weeks before that day and of the week from it on. */
  before_minutes: number
  after_minutes: number
  /** Coverage of that day, forecast a day ahead or less. */
  first_day_coverage: number
  /** Days from that day to the first covered one, 0 for that day itself; null if the backtest has none. */
  days_until_covered: Record<CoverageName, number | null>
}

/** The shifts of a backtest. */
export interface LevelShifts {
  shifts: LevelShift[]
  /** Median days until a shift is covered; for an even number of shifts the longer of the middle two. Null if that one never is, or none was found. */
  median_days: Record<CoverageName, number | null>
  worst_days: Record<CoverageName, number | null>
  /** Mean coverage of the shifts on the day of the shift and on each day of the week from it; null if no shift has that day. */
  coverage_by_day: Record<CoverageName, (number | null)[]>
  /** Share of all days of all airports that are covered, with or without a shift. */
  covered_days: Record<CoverageName, number>
  /** Share of these days from which a covered one is at most two days away: what the noise of days leaves of the aim where nothing shifts. */
  soon_covered_days: Record<CoverageName, number>
}

/** Finds the shifts within the scored span of a backtest of airports, by airport and day; `series` are parallel to `runs`. */
export function levelShifts(runs: readonly SeriesBacktest[], series: readonly HourlySeries[]): LevelShifts {
  const coverages = runs.map(coveragesOf)
  const found = runs.flatMap(({ iata }, k) => {
    const coverage = coverages[k]!
    const inSpan = shiftsOf(series[k]!).filter(({ day_ms }) => coverage.day_ahead.has(day_ms))
    return inSpan.map((shift) => ({ iata, coverage, ...shift }))
  })
  const shifts = found.map(({ iata, coverage, day_ms, before, after }) => ({
    iata,
    day: utcDayOf(day_ms),
    before_minutes: before,
    after_minutes: after,
    first_day_coverage: coverage.day_ahead.get(day_ms)!,
    days_until_covered: mapKeys(COVERAGES, (name) => daysUntilCovered(coverage[name], day_ms)),
  }))
  const coverageAfter = (name: CoverageName, days: number) => {
    const known = found.flatMap(({ coverage, day_ms }) => coverage[name].get(day_ms + days * DAY_MS) ?? [])
    return known.length === 0 ? null : mean(known)
  }
  const coveredShare = (name: CoverageName) =>
    mean(coverages.flatMap((coverage) => [...coverage[name].values()].map((share) => (share >= COVERED ? 1 : 0))))
  const soonCoveredShare = (name: CoverageName) =>
    mean(
      coverages.flatMap((coverage) =>
        [...coverage[name].keys()].flatMap((day_ms) => {
          const days = daysUntilCovered(coverage[name], day_ms)
          return days === null ? [] : [days <= AIMED_DAYS ? 1 : 0]
        }),
      ),
    )
  const longest = mapKeys(COVERAGES, (name) => longestFirst(shifts.map((shift) => shift.days_until_covered[name])))
  return {
    shifts,
    median_days: mapKeys(COVERAGES, (name) => longest[name][Math.floor((shifts.length - 1) / 2)] ?? null),
    worst_days: mapKeys(COVERAGES, (name) => longest[name][0] ?? null),
    coverage_by_day: mapKeys(COVERAGES, (name) =>
      Array.from({ length: AFTER_DAYS }, (_, days) => coverageAfter(name, days)),
    ),
    covered_days: mapKeys(COVERAGES, coveredShare),
    soon_covered_days: mapKeys(COVERAGES, soonCoveredShare),
  }
}

/** A shift that is never covered is the longest. */
const longestFirst = (days: readonly (number | null)[]) =>
  days.toSorted((a, b) => (b ?? Number.MAX_VALUE) - (a ?? Number.MAX_VALUE))

/** Shares of observed hours inside the range by UTC day, of days with enough hours. */
type DayCoverage = ReadonlyMap<number, number>

function coveragesOf(run: SeriesBacktest): Record<CoverageName, DayCoverage> {
  return {
    day_ahead: coverageByDay(run, run.valid_ms, 24),
    issued: coverageByDay(run, run.issued_ms, HORIZON_HOURS),
  }
}

/** Coverage by the day of an instant of each row, of hours up to a lead in hours. */
function coverageByDay(run: SeriesBacktest, instant_ms: Float64Array, to_hours: number): DayCoverage {
  const { p10, p90 } = servedForecasts(run)
  const days = new Map<number, { hours: Set<number>; forecasts: number; inside: number }>()
  for (const [row, truth] of run.truth.entries()) {
    if (run.scored[row] !== 1 || Number.isNaN(truth) || run.horizon[row]! >= to_hours) continue
    const day_ms = dayOf(instant_ms[row]!)
    const day = days.get(day_ms) ?? { hours: new Set(), forecasts: 0, inside: 0 }
    days.set(day_ms, day)
    day.hours.add(run.valid_ms[row]!)
    day.forecasts++
    if (truth >= p10[row]! && truth <= p90[row]!) day.inside++
  }
  const known = [...days].filter(([, { hours }]) => hours.size >= MIN_HOURS_OF_DAY)
  return new Map(known.map(([day_ms, { inside, forecasts }]) => [day_ms, inside / forecasts]))
}

const dayOf = (ms: number) => Math.floor(ms / DAY_MS) * DAY_MS

function daysUntilCovered(coverage: DayCoverage, from_ms: number): number | null {
  const covered = [...coverage].flatMap(([day_ms, share]) => (day_ms >= from_ms && share >= COVERED ? [day_ms] : []))
  return covered.length === 0 ? null : (Math.min(...covered) - from_ms) / DAY_MS
}

interface ShiftedDay {
  day_ms: number
  before: number
  after: number
}

/** The shifts of a series: of neighbouring days with a change in the same direction the day with the largest. */
function shiftsOf(series: HourlySeries): ShiftedDay[] {
  const first_ms = dayOf(series.hour_ms[0]!)
  const days = Math.floor((series.hour_ms.at(-1)! - first_ms) / DAY_MS) + 1
  const groups: ShiftedDay[][] = []
  for (let day = 0; day < days; day++) {
    const shifted = shiftAt(series, first_ms + day * DAY_MS)
    if (shifted === null) continue
    const group = groups.at(-1)
    if (group !== undefined && isSameShift(group.at(-1)!, shifted)) group.push(shifted)
    else groups.push([shifted])
  }
  return groups.map((group) =>
    group.reduce((best, shift) => (Math.abs(changeOf(shift)) > Math.abs(changeOf(best)) ? shift : best)),
  )
}

const isSameShift = (earlier: ShiftedDay, later: ShiftedDay) =>
  later.day_ms - earlier.day_ms <= SAME_SHIFT_DAYS * DAY_MS &&
  Math.sign(changeOf(later)) === Math.sign(changeOf(earlier))

const changeOf = ({ before, after }: ShiftedDay) => (after - before) / before

function shiftAt(series: HourlySeries, day_ms: number): ShiftedDay | null {
  const after_ms = day_ms + AFTER_DAYS * DAY_MS
  // A part of a week is no level.
  if (series.hour_ms.at(-1)! < after_ms - HOUR_MS) return null
  const before = hoursBetween(series, day_ms - BEFORE_DAYS * DAY_MS, day_ms)
  const after = hoursBetween(series, day_ms, after_ms)
  if (before.length < MIN_HOURS.before || after.length < MIN_HOURS.after) return null
  const shifted = { day_ms, before: mean(before), after: mean(after) }
  const minutes = Math.abs(shifted.after - shifted.before)
  return minutes > SHIFT_MINUTES && minutes > SHIFT_SHARE * shifted.before ? shifted : null
}

const hoursBetween = ({ hour_ms, mean: waits }: HourlySeries, from_ms: number, to_ms: number) =>
  waits.subarray(lowerBound(hour_ms, from_ms), lowerBound(hour_ms, to_ms))
