import type { AirportSize } from '../../config/vocabulary.ts'
import type { HourlySeries } from '../../forecasting/features/hourly-series.ts'
import { prepareSeries } from '../../forecasting/features/profile.ts'
import { priorTableIndex } from '../../forecasting/prior/typical.ts'
import type { WaitQuantiles } from '../../forecasting/quantiles/wait-quantile.ts'
import { mean, weightedQuantiles } from '../../forecasting/statistics/statistics.ts'
import { hoursApart } from '../prior/own-readings.ts'

/** Observed waits of an airport by slot of the prior's table: 24 local hours of weekdays, then 24 of the weekend. */
export interface AirportSlots {
  iata: string
  size: AirportSize
  hours: number
  /** 48 lists of hourly means, minutes. */
  waits: number[][]
  /** 48 lists of the quantiles of the waits in and around the slot, POINTS each; empty if none was observed. */
  points: Float64Array[]
  /** Weight of the waits in and around each slot, in hours. */
  evidence: Float64Array
}

const SLOTS = 48
/** A distribution is kept as this many quantiles: 2.5 %, 7.5 %, … 97.5 %. */
const POINTS = 20
const POINT_FRACTIONS = Array.from({ length: POINTS }, (_, k) => (k + 0.5) / POINTS)
/** Waits of neighbouring clock hours count with a normal curve of this standard deviation, up to three of them. */
const NEAR_HOURS = 1
const REACH = 3 * NEAR_HOURS
/** Weekdays and weekends differ little, so each supports the other. */
const OTHER_DAY_WEIGHT = 0.5

/** Sorts the hourly means of an airport's series (from one set or several) into the prior's slots. */
export function slotsOf(iata: string, size: AirportSize, series: readonly HourlySeries[]): AirportSlots {
  const waits: number[][] = Array.from({ length: SLOTS }, () => [])
  for (const { mean: means, clock } of series.map(prepareSeries))
    means.forEach((minutes, row) => {
      waits[priorTableIndex(clock.hour[row]!, clock.weekday[row]!)]!.push(minutes)
    })
  const evidence = new Float64Array(SLOTS)
  const points = waits.map((_, slot) => {
    const near = waitsNear(waits, slot)
    evidence[slot] = near.weights.reduce((sum, weight) => sum + weight, 0)
    return near.minutes.length === 0
      ? new Float64Array(0)
      : Float64Array.from(weightedQuantiles(near.minutes, near.weights, POINT_FRACTIONS))
  })
  return { iata, size, hours: waits.reduce((sum, slot) => sum + slot.length, 0), waits, points, evidence }
}

function waitsNear(waits: readonly number[][], slot: number): { minutes: number[]; weights: number[] } {
  const minutes: number[] = []
  const weights: number[] = []
  for (let other = 0; other < SLOTS; other++) {
    const apart = hoursApart(slot % 24, other % 24)
    if (apart > REACH) continue
    const isSameDay = slot < 24 === other < 24
    const weight = Math.exp(-0.5 * (apart / NEAR_HOURS) ** 2) * (isSameDay ? 1 : OTHER_DAY_WEIGHT)
    for (const wait of waits[other]!) {
      minutes.push(wait)
      weights.push(weight)
    }
  }
  return { minutes, weights }
}

/** Weight of an airport of another size class; an airport of the class itself has weight 1. */
const OTHER_CLASS_WEIGHT = 0.5
/** An airport with this weight of hours around a slot counts half of one that was observed without end. */
const HALF_EVIDENCE_HOURS = 1
/** The level of an airport is its mean over these local hours, in which nearly all airports are observed: 7:00 to 20:00. */
const LEVEL_FROM = 7
const LEVEL_TO = 20

/**
 * Quantiles of a size class at each of the 48 slots. The median is the median level of the airports times the median shape, the wait
 * of a slot in units of the airport's own level: airports differ more in their level than in the shape of their day. p10 and p90
 * are those of all waits, each airport with the same weight, so the spread is that of an unknown airport. Airports of other classes
 * count half, and make up the table of a class with none.
 */
export function classTable(airports: readonly AirportSlots[], size: AirportSize): WaitQuantiles[] {
  const weightOf = (airport: AirportSlots) => (airport.size === size ? 1 : OTHER_CLASS_WEIGHT)
  const levels = airports.map(levelOf)
  const [level] = weightedQuantiles(levels, airports.map(weightOf), [0.5]) as [number]
  const table = Array.from({ length: SLOTS }, (_, slot) => {
    const observed = airports.flatMap((airport, k) => {
      const evidence = airport.evidence[slot]!
      const weight = (weightOf(airport) * evidence) / (evidence + HALF_EVIDENCE_HOURS)
      return evidence > 0 ? [{ points: airport.points[slot]!, level: levels[k]!, weight }] : []
    })
    if (observed.length === 0) return null
    const weights = observed.map(({ weight }) => weight)
    const shapes = observed.map((airport) => medianOf(airport.points) / airport.level)
    const p50 = level * weightedQuantiles(shapes, weights, [0.5])[0]!
    const [p10, p90] = weightedQuantiles(
      observed.flatMap(({ points }) => Array.from(points)),
      observed.flatMap(({ points, weight }) => Array.from(points, () => weight)),
      [0.1, 0.9],
    ) as [number, number]
    return { p10: Math.min(p10, p50), p50, p90: Math.max(p90, p50) }
  })
  return table.map((cell, slot) => cell ?? nearestCell(table, slot))
}

/** The cell of the nearest hour that any airport was observed in, for an hour in which none was. */
function nearestCell(table: readonly (WaitQuantiles | null)[], slot: number): WaitQuantiles {
  const distance = (other: number) => hoursApart(slot % 24, other % 24) + (slot < 24 === other < 24 ? 0 : 0.5)
  const known = table.flatMap((cell, other) => (cell ? [{ cell, distance: distance(other) }] : []))
  return known.reduce((best, candidate) => (candidate.distance < best.distance ? candidate : best)).cell
}

const medianOf = (points: Float64Array) => (points[POINTS / 2 - 1]! + points[POINTS / 2]!) / 2

/** The mean of an airport's medians over the hours of the day, at least a tenth of a minute. */
function levelOf({ points }: AirportSlots): number {
  const medians = points.filter((slot, k) => slot.length > 0 && k % 24 >= LEVEL_FROM && k % 24 < LEVEL_TO)
  const known = medians.length > 0 ? medians : points.filter((slot) => slot.length > 0)
  return Math.max(0.1, mean(known.map(medianOf)))
}
