import type { AirportSize } from '../../config/domain.ts'
import { priorTableIndex } from '../../config/prior/typical.ts'
import { prepareSeries } from '../features/profile.ts'
import type { HourlySeries } from '../history/hourly-series.ts'

/** Observed waits of an airport by slot of the prior's table: 24 local hours of weekdays, then 24 of the weekend. */
export interface AirportSlots {
  iata: string
  size: AirportSize
  hours: number
  /** 48 lists of hourly means, minutes. */
  waits: number[][]
}

export interface SlotQuantiles {
  p10: number
  p50: number
  p90: number
}

/** Sorts the hourly means of an airport's series (from one set or several) into the prior's slots. */
export function slotsOf(iata: string, size: AirportSize, series: readonly HourlySeries[]): AirportSlots {
  const waits: number[][] = Array.from({ length: 48 }, () => [])
  for (const { mean, clock } of series.map(prepareSeries))
    mean.forEach((minutes, row) => {
      waits[priorTableIndex(clock.hour[row]!, clock.weekday[row]!)]!.push(minutes)
    })
  return { iata, size, hours: waits.reduce((sum, slot) => sum + slot.length, 0), waits }
}

/** A slot observed at fewer airports than this also uses its neighbouring hours. */
const MIN_AIRPORTS = 5
/** Weight of an airport of another size class; an airport of the class itself has weight 1. */
const OTHER_CLASS_WEIGHT = 0.2

interface WeightedWait {
  minutes: number
  weight: number
}

/**
 * Quantiles of a size class at each of the 48 slots. All airports weigh the same, however long they were observed, so
 * the spread is that of an unknown airport. Airports of other classes count a fifth: they support a class with few
 * airports, and make up the table of a class with none.
 */
export function classTable(airports: readonly AirportSlots[], size: AirportSize): SlotQuantiles[] {
  return Array.from({ length: 48 }, (_, slot) => {
    const waits = weightedWaits(airports, size, slot)
    return {
      p10: weightedQuantile(waits, 0.1),
      p50: weightedQuantile(waits, 0.5),
      p90: weightedQuantile(waits, 0.9),
    }
  })
}

/** Waits of a slot, ascending; more hours on each side are added until enough airports are among them. */
function weightedWaits(airports: readonly AirportSlots[], size: AirportSize, slot: number): WeightedWait[] {
  const enough = Math.min(MIN_AIRPORTS, airports.length)
  let weighted: WeightedWait[] = []
  for (let reach = 0, observed = 0; observed < enough && reach <= 12; reach++) {
    const byAirport = airports.map((airport) => {
      const waits = waitsAround(airport, slot, reach)
      const weight = (airport.size === size ? 1 : OTHER_CLASS_WEIGHT) / waits.length
      return waits.map((minutes) => ({ minutes, weight }))
    })
    observed = byAirport.filter((waits) => waits.length > 0).length
    weighted = byAirport.flat()
  }
  return weighted.sort((a, b) => a.minutes - b.minutes)
}

/** Waits of a slot and of the hours up to `reach` around it, on the same kind of day. */
function waitsAround(airport: AirportSlots, slot: number, reach: number): number[] {
  const dayStart = slot - (slot % 24)
  const slots = new Set(
    Array.from({ length: 2 * reach + 1 }, (_, k) => dayStart + (((slot % 24) + k - reach + 48) % 24)),
  )
  return [...slots].flatMap((each) => airport.waits[each]!)
}

/** Smallest of ascending values at which the quantile's share of the total weight is reached; NaN of none. */
function weightedQuantile(ascending: readonly WeightedWait[], quantile: number): number {
  const total = ascending.reduce((sum, { weight }) => sum + weight, 0)
  let reached = 0
  for (const { minutes, weight } of ascending) {
    reached += weight
    if (reached >= quantile * total - 1e-12) return minutes
  }
  return Number.NaN
}
