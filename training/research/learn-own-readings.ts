import { weekHourAt } from '../../config/time-zones/local-time.ts'
import { DAY_MS, HORIZON_HOURS, HOUR_MS, startOfHour } from '../../config/vocabulary.ts'
import { type PreparedSeries, prepareSeries } from '../../forecasting/features/profile.ts'
import type { OwnDaysScore, OwnReadings } from '../../forecasting/prior/typical.ts'
import { hitRates, missScores } from '../../forecasting/quantiles/calibration.ts'
import { isWithin5 } from '../../forecasting/quantiles/quantiles.ts'
import {
  lowerBound,
  mean,
  rounded,
  seededRandom,
  slopeOf,
  weightedQuantiles,
} from '../../forecasting/statistics/statistics.ts'
import { hoursWithin } from '../history/hourly-series.ts'
import {
  type AdaptedHour,
  AdaptedSeries,
  calibratedHour,
  type OwnStrengths,
  type WeekTable,
} from '../prior/own-readings.ts'
import type { AirportSlots } from './prior-table.ts'

/** An airport that is treated as new: its series, and a prior that was made from the other airports. */
export interface NewAirport {
  iata: string
  series: PreparedSeries
  week: WeekTable
}

/** A random instant at which some days of own readings were known, and the waits of the next 168 hours. */
interface Start {
  airport: NewAirport
  own_days: number
  issued_ms: number
  own: PreparedSeries
  /** The observed waits and their hours of the week. */
  waits: Float64Array
  weekHours: Uint8Array
  /** The instant lies in the part of the set that the strengths are chosen on. */
  isEarly: boolean
}

const SCORED_DAYS = [1, 3, 7, 14] as const
/** Days of own readings that the calibration is learned from; 0 is an airport without any. */
const LEARNED_DAYS = [0, 0.1, 0.25, 0.5, 2, 21] as const
export const STARTS_PER_AIRPORT = 24
/** A start is scored when at least this many of the next 168 hours were observed. */
const MIN_SCORED_HOURS = 5
/** The strengths are chosen on starts in this first part of a series. */
const EARLY_SHARE = 0.75
const FOLDS = 5
/** Weights of own hours that the calibration is learned at. */
const EVIDENCE_STEPS = [0, 1, 3, 10, 30, 100] as const
const MISS = 0.1

/** The unit of the process, and how long what it learned of an airport lasts: 60 days in place of 350 cost 1 to 2 % of the error. */
const PROCESS = { deviation: 0.45, fade_days: 350 } as const
/**
 * Variances that are tried. A level of 1 saves 1 % more after a day and nothing after a week, and lets a few nights speak for the days: of
 * that the airports here, which are read all day, show nothing.
 */
const LEVELS = [0.1, 0.3] as const
const TIMES_OF_DAY = [0.6, 1, 2] as const
const HOURS = [0.3, 0.6] as const
const SPREAD_PRIOR_HOURS = 6

/** Random starts of an airport after some days of own readings; seeded, so that a build can be repeated. */
function startsOf(airport: NewAirport, own_days: number, starts: number, seed: number): Start[] {
  const { series } = airport
  const random = seededRandom(seed)
  const first = series.hour_ms[0]! + own_days * DAY_MS
  const last = series.hour_ms.at(-1)! - (HORIZON_HOURS / 2) * HOUR_MS
  const early = series.hour_ms[0]! + EARLY_SHARE * (series.hour_ms.at(-1)! - series.hour_ms[0]!)
  if (last <= first) return []
  return Array.from({ length: starts }, () => first + random() * (last - first)).flatMap((instant) => {
    const issued_ms = startOfHour(instant)
    const from = lowerBound(series.hour_ms, issued_ms)
    const to = lowerBound(series.hour_ms, issued_ms + HORIZON_HOURS * HOUR_MS)
    if (to - from < MIN_SCORED_HOURS) return []
    return [
      {
        airport,
        own_days,
        issued_ms,
        own: prepareSeries(hoursWithin(series, issued_ms - own_days * DAY_MS, issued_ms)),
        waits: series.mean.slice(from, to),
        weekHours: Uint8Array.from({ length: to - from }, (_, k) => weekHourAt(series.clock, from + k)),
        isEarly: issued_ms + HORIZON_HOURS * HOUR_MS <= early,
      },
    ]
  })
}

/** Mean over airports of the mean absolute error of each. */
function macroError(starts: readonly Start[], medianAt: (start: Start) => (weekHour: number) => number): number {
  const airports = new Map<string, { error: number; hours: number }>()
  for (const start of starts) {
    const median = medianAt(start)
    const sum = airports.get(start.airport.iata) ?? { error: 0, hours: 0 }
    start.waits.forEach((wait, k) => {
      sum.error += Math.abs(wait - median(start.weekHours[k]!))
    })
    sum.hours += start.waits.length
    airports.set(start.airport.iata, sum)
  }
  return mean([...airports.values()].map(({ error, hours }) => error / hours))
}

/** The strengths of shrinkage with the smallest error after 1, 3, 7 and 14 own days, on the first part of each series. */
function chosenStrengths(starts: readonly Start[], spread: OwnReadings['spread']): OwnStrengths {
  const early = starts.filter(({ isEarly }) => isEarly)
  const selected = early.length > 0 ? early : starts
  const candidates = LEVELS.flatMap((level) =>
    TIMES_OF_DAY.flatMap((time_of_day) => HOURS.map((hour) => ({ ...PROCESS, level, time_of_day, hour }))),
  )
  const strengthsOf = (process: OwnStrengths['process']): OwnStrengths => ({ process, spread })
  const errors = candidates.map((candidate) => {
    const strengths = strengthsOf(candidate)
    const byDays = SCORED_DAYS.map((days) => selected.filter(({ own_days }) => own_days === days))
    return mean(
      byDays.filter(({ length }) => length > 0).map((hoursOfDays) => macroError(hoursOfDays, adaptedMedian(strengths))),
    )
  })
  return strengthsOf(candidates[errors.indexOf(Math.min(...errors))] ?? candidates[0]!)
}

const weekAfter = ({ own, airport, issued_ms }: Start, strengths: OwnStrengths): AdaptedHour[] =>
  new AdaptedSeries(own, airport.week, strengths).weekAt(issued_ms)

const adaptedMedian = (strengths: OwnStrengths) => (start: Start) => {
  const week = weekAfter(start, strengths)
  return (weekHour: number) => week[weekHour]!.p50
}

const MIN_SLOT_HOURS = 8

/** How the mean deviation from the median of a slot grows with that median: a line through the slots of all airports. */
function spreadLine(airports: readonly AirportSlots[]): OwnReadings['spread'] {
  const points = airports.flatMap(({ waits, points: quantiles }) =>
    waits.flatMap((minutes, slot) => {
      if (minutes.length < MIN_SLOT_HOURS) return []
      const [median] = weightedQuantiles(quantiles[slot]!, new Float64Array(quantiles[slot]!.length).fill(1), [0.5])
      return [{ median: median!, deviation: mean(minutes.map((wait) => Math.abs(wait - median!))) }]
    }),
  )
  if (points.length < 2) return { base_minutes: 1, per_minute: 0.2, prior_hours: SPREAD_PRIOR_HOURS }
  const medians = points.map(({ median }) => median)
  const deviations = points.map(({ deviation }) => deviation)
  const per_minute = Math.max(0, slopeOf(medians, deviations))
  return {
    base_minutes: rounded(Math.max(0, mean(deviations) - per_minute * mean(medians)), 2),
    per_minute: rounded(per_minute, 3),
    prior_hours: SPREAD_PRIOR_HOURS,
  }
}

/** A forecast hour of a start with the wait that was observed. */
interface ScoredHour extends AdaptedHour {
  iata: string
  own_days: number
  wait: number
}

function scoredHours(starts: readonly Start[], strengths: OwnStrengths): ScoredHour[] {
  return starts.flatMap((start) => {
    const { airport, own_days, waits, weekHours } = start
    const week = weekAfter(start, strengths)
    return Array.from(waits, (wait, k) => ({ ...week[weekHours[k]!]!, iata: airport.iata, own_days, wait }))
  })
}

/** The step of EVIDENCE_STEPS that an evidence is nearest to, on a scale of its logarithm. */
function nearestStep(evidence: number): number {
  const distances = EVIDENCE_STEPS.map((step) => Math.abs(Math.log1p(step) - Math.log1p(evidence)))
  return distances.indexOf(Math.min(...distances))
}

/** The correction at each evidence that makes whole minutes miss 10 % on either side, all airports with the same weight. */
function learnCalibration(hours: readonly ScoredHour[]): OwnReadings['calibration'] {
  const groups: ScoredHour[][] = EVIDENCE_STEPS.map(() => [])
  for (const hour of hours) groups[nearestStep(hour.evidence)]!.push(hour)
  return EVIDENCE_STEPS.flatMap((evidence_hours, step) => {
    const group = groups[step]!
    if (group.length === 0) return []
    const weights = equalWeights(group.map(({ iata }) => iata))
    const scores = group.map((hour) => missScores(hour, hour.wait))
    const factor = (side: 0 | 1) =>
      Math.max(
        0.2,
        weightedQuantiles(
          scores.map((score) => score[side]),
          weights,
          [1 - MISS],
        )[0]!,
      )
    const factors = { evidence_hours, low_factor: rounded(factor(0), 3), high_factor: rounded(factor(1), 3) }
    const unit = [{ ...factors, within_5: [{ spread: 0, probability: 0.5 }] }]
    const hits = group.map((hour) => {
      const { p10, p90 } = calibratedHour(hour, unit)
      return { spread: p90 - p10, hit: isWithin5(hour.wait, hour.p50) }
    })
    const within_5 = hitRates(hits).map(({ spread, probability }) => ({
      spread: rounded(spread, 2),
      probability: rounded(probability, 3),
    }))
    return [{ ...factors, within_5 }]
  })
}

/** Weights by which each airport counts the same, however many hours it has. */
function equalWeights(airports: readonly string[]): Float64Array {
  const counts = new Map<string, number>()
  for (const iata of airports) counts.set(iata, (counts.get(iata) ?? 0) + 1)
  return Float64Array.from(airports, (iata) => 1 / counts.get(iata)!)
}

/** Learns how the prior follows own readings, and how well, treating each airport as new. */
export function learnOwnReadings(
  airports: readonly NewAirport[],
  observed: readonly AirportSlots[],
  starts_per_airport: number,
): OwnReadings {
  const startsAfter = (days: readonly number[]) =>
    airports.flatMap((airport, k) =>
      days.flatMap((own_days, d) => startsOf(airport, own_days, starts_per_airport, 1_000 * (k + 1) + d)),
    )
  const scored = startsAfter(SCORED_DAYS)
  const strengths = chosenStrengths(scored, spreadLine(observed))
  const all = [...scored, ...startsAfter(LEARNED_DAYS)]
  const hours = scoredHours(all, strengths)
  return { ...strengths, calibration: learnCalibration(hours), measured: measuredScores(airports, scored, hours) }
}

/** Scores after some own days; each fifth of the airports is calibrated with what was learned from the others. */
function measuredScores(
  airports: readonly NewAirport[],
  scored: readonly Start[],
  hours: readonly ScoredHour[],
): OwnDaysScore[] {
  const codes = [...new Set(airports.map(({ iata }) => iata))].sort()
  const foldOf = (iata: string) => codes.indexOf(iata) % FOLDS
  const calibrations = Array.from({ length: Math.min(FOLDS, codes.length) }, (_, fold) => {
    const others = hours.filter(({ iata }) => foldOf(iata) !== fold)
    return learnCalibration(others.length > 0 ? others : hours)
  })
  return SCORED_DAYS.flatMap((own_days) => {
    const starts = scored.filter((start) => start.own_days === own_days)
    const hoursOfDays = hours.filter((hour) => hour.own_days === own_days)
    if (hoursOfDays.length === 0) return []
    const results = hoursOfDays.map((hour) => {
      const { p10, p50, p90, p_within_5 } = calibratedHour(hour, calibrations[foldOf(hour.iata)]!)
      const isInside = hour.wait >= p10 && hour.wait <= p90
      return {
        error: Math.abs(hour.wait - p50),
        inside: isInside ? 1 : 0,
        near: isWithin5(hour.wait, p50) ? 1 : 0,
        p_within_5,
      }
    })
    const weights = equalWeights(hoursOfDays.map(({ iata }) => iata))
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    const macro = (figureOf: (result: (typeof results)[number]) => number) =>
      rounded(results.reduce((sum, result, k) => sum + weights[k]! * figureOf(result), 0) / total, 3)
    return [
      {
        own_days,
        own_hours: rounded(mean(starts.map(({ own }) => own.hour_ms.length)), 1),
        airports: Math.round(total),
        samples: results.length,
        mae_minutes: macro(({ error }) => error),
        prior_mae_minutes: rounded(
          macroError(
            starts,
            ({ airport }) =>
              (weekHour) =>
                airport.week[weekHour]!.p50,
          ),
          3,
        ),
        coverage_80: macro(({ inside }) => inside),
        within_5: macro(({ near }) => near),
        confidence: macro(({ p_within_5 }) => p_within_5),
      },
    ]
  })
}
