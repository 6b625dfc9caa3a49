import type { AirportSize } from '../../config/domain.ts'
import { priorTableIndex } from '../../config/prior/typical.ts'
import { prepare } from '../features/profile.ts'
import type { HourlySeries } from '../history/hourly-series.ts'

/** Observed waits of an airport by place of the prior's table (24 weekday hours, then 24 of the weekend). */
export interface AirportCells {
  iata: string
  size: AirportSize
  hours: number
  /** 48 lists of hourly means, minutes. */
  cells: number[][]
}

export interface CellQuantiles {
  p10: number
  p50: number
  p90: number
}

/** Sorts hourly means of an airport's series (of several sets, perhaps) into the prior's places. */
export function cellsOf(iata: string, size: AirportSize, series: readonly HourlySeries[]): AirportCells {
  const cells: number[][] = Array.from({ length: 48 }, () => [])
  for (const { mean, clock } of series.map(prepare))
    mean.forEach((minutes, k) => {
      cells[priorTableIndex(clock.hour[k]!, clock.weekday[k]!)]!.push(minutes)
    })
  return { iata, size, hours: cells.reduce((sum, cell) => sum + cell.length, 0), cells }
}

/** An hour is described by this many airports at least; where fewer saw it, neighbouring hours are lent. */
const ENOUGH_AIRPORTS = 5
/** An airport of another class counts this fraction of one of the class itself. */
const OTHER_CLASS_WEIGHT = 0.2

/**
 * Quantiles of a class at each place: a mixture in which every airport weighs the same, however long it was observed, so
 * that the spread is that of an airport one knows nothing of. Airports of other classes count a fifth: a class with few of
 * its own leans on them, one with none is theirs.
 */
export function classTable(airports: readonly AirportCells[], size: AirportSize): CellQuantiles[] {
  return Array.from({ length: 48 }, (_, place) => {
    const weighted: { minutes: number; weight: number }[] = []
    for (let reach = 0, seen = 0; seen < Math.min(ENOUGH_AIRPORTS, airports.length) && reach <= 12; reach++) {
      weighted.length = 0
      seen = 0
      for (const airport of airports) {
        const waits = nearHours(airport, place, reach)
        if (waits.length === 0) continue
        seen++
        const weight = (airport.size === size ? 1 : OTHER_CLASS_WEIGHT) / waits.length
        for (const minutes of waits) weighted.push({ minutes, weight })
      }
    }
    weighted.sort((a, b) => a.minutes - b.minutes)
    return {
      p10: weightedQuantile(weighted, 0.1),
      p50: weightedQuantile(weighted, 0.5),
      p90: weightedQuantile(weighted, 0.9),
    }
  })
}

function nearHours(airport: AirportCells, place: number, reach: number): number[] {
  const day = place - (place % 24)
  const near = new Set(Array.from({ length: 2 * reach + 1 }, (_, k) => day + (((place % 24) + k - reach + 48) % 24)))
  return [...near].flatMap((hour) => airport.cells[hour]!)
}

/** Smallest of ascending values at which the quantile's share of the weight is reached. */
export function weightedQuantile(ascending: readonly { minutes: number; weight: number }[], quantile: number): number {
  const total = ascending.reduce((sum, { weight }) => sum + weight, 0)
  let reached = 0
  for (const { minutes, weight } of ascending) {
    reached += weight
    if (reached >= quantile * total - 1e-12) return minutes
  }
  return Number.NaN
}
