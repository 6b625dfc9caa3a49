import type { BorderDirection } from '../../config/border-direction.ts'
import { DAY_MS, HOUR_MS } from '../../config/vocabulary.ts'
import { lowerBound } from '../statistics/statistics.ts'

/** The columns of a series: an array each, with a value an hour. */
export const HOUR_COLUMNS = ['hour_ms', 'available_ms', 'mean', 'samples'] as const

/** Observed hourly waits of one airport or terminal, ascending by hour; an hour that was not observed is absent. */
export interface HourlySeries {
  iata: string
  /** Empty for the airport as a whole. */
  terminal: string
  /** Set for the border queues of a Schengen airport only. */
  direction?: BorderDirection
  timezone: string
  /** ISO country, for holidays; null when unknown. */
  country: string | null
  /** Start of the UTC hour, epoch ms. */
  hour_ms: Float64Array
  /** Earliest instant at which the row could have been known, epoch ms: a cutoff compares with this. */
  available_ms: Float64Array
  /** Mean wait in minutes. */
  mean: Float64Array
  /** Readings that the mean was taken from. */
  samples: Float64Array
}

/** Indices of the rows about hours that had ended, were available at `issued_ms` and are at most `days` old. */
export function knownRows({ hour_ms, available_ms }: HourlySeries, issued_ms: number, days: number): Int32Array {
  const first = lowerBound(hour_ms, issued_ms - days * DAY_MS)
  const end = lowerBound(hour_ms, issued_ms - HOUR_MS + 1)
  const known = new Int32Array(end - first)
  let count = 0
  for (let row = first; row < end; row++) if (available_ms[row]! <= issued_ms) known[count++] = row
  return known.subarray(0, count)
}
