import { memoizeByObject } from '../../config/once.ts'
import { type LocalClock, weekHourAt } from '../../config/time-zones/local-time.ts'
import { HOUR_MS } from '../../config/vocabulary.ts'
import { type UsualWeek, type WaitForecast, WaitProcess } from '../gaussian-process/log-waits.ts'
import type { HourlySeries } from './hourly-series.ts'

type ClockSeries = HourlySeries & { clock: LocalClock }

/**
 * The process of a series at one instant after the other. Later instants learn only the hours between: a backtest learns each hour
 * once. An earlier instant begins anew.
 */
export class SeriesWalk {
  readonly #series: ClockSeries
  readonly #rows: Int32Array
  readonly #usual: UsualWeek | undefined
  #process: WaitProcess
  #count = 0
  #issued_ms = Number.NEGATIVE_INFINITY

  /** The process of the waits, or of how they lie around what is usual. */
  constructor(series: ClockSeries, usual?: UsualWeek) {
    this.#series = series
    this.#usual = usual
    this.#process = new WaitProcess(usual)
    this.#rows = rowsInOrder(series)
  }

  /** The expectation at an instant (epoch ms), from hours that had ended and were available then. */
  forecastAt(issued_ms: number): WaitForecast {
    if (issued_ms < this.#issued_ms) {
      this.#process = new WaitProcess(this.#usual)
      this.#count = 0
    }
    this.#issued_ms = issued_ms
    const { hour_ms, available_ms, mean, clock } = this.#series
    for (; this.#count < this.#rows.length; this.#count++) {
      const row = this.#rows[this.#count]!
      if (hour_ms[row]! > issued_ms - HOUR_MS || available_ms[row]! > issued_ms) break
      this.#process.observe({
        at_hours: hour_ms[row]! / HOUR_MS,
        weekHour: weekHourAt(clock, row),
        minutes: mean[row]!,
      })
    }
    return this.#process.forecast()
  }
}

const walkOf = memoizeByObject((series: ClockSeries) => new SeriesWalk(series))

/** The expectation of a series' process at an instant (epoch ms). Asking for instants in order, series by series, computes each hour once. */
export const processAt = (series: ClockSeries, issued_ms: number): WaitForecast => walkOf(series).forecastAt(issued_ms)

/** The rows that became known no later than each row after them: a process learns in order of time, so that a row which comes late is left out. */
function rowsInOrder({ available_ms }: HourlySeries): Int32Array {
  const rows = new Int32Array(available_ms.length)
  let count = 0
  let earliest = Number.POSITIVE_INFINITY
  for (let row = rows.length - 1; row >= 0; row--) {
    if (available_ms[row]! > earliest) continue
    earliest = available_ms[row]!
    rows[count++] = row
  }
  return rows.subarray(0, count).reverse()
}
