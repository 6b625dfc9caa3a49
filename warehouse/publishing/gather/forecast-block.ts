import type { Airport } from '../../../config/airports/directory.ts'
import type { AdjustedTo, ModelCard } from '../../../config/answer-schemas.ts'
import type { HourForecast } from '../../../forecasting/nowcast/assimilate.ts'
import type { NowcastSource } from '../../../forecasting/nowcast/next-hours.ts'
import type { Warehouse } from '../../storage/warehouse.ts'
import type { AdjustmentRow } from '../../tables/adjustments.ts'
import { type EncodedHours, type ForecastBlock, VALUE_COLUMNS } from '../read/forecasts.ts'
import { UNKNOWN_OPEN } from '../waits/learned-hours.ts'
import type { NewestWaitOf } from '../waits/newest-waits.ts'

/** A forecast hour in minutes, with the probability that the queue is open as a fraction. */
export interface IssuedHour extends HourForecast {
  open?: number | null
}

const emptyHours = (length: number): EncodedHours => ({
  p10: new Int16Array(length),
  p50: new Int16Array(length),
  p90: new Int16Array(length),
  confidence: new Uint8Array(length),
  open: new Uint8Array(length),
})

/** Encodes values in minutes, confidence (null: its model has no backtest) and the probability of being open as fractions. */
export function encodeHours(hours: readonly IssuedHour[]): EncodedHours {
  const encoded = emptyHours(hours.length)
  for (const [k, hour] of hours.entries()) {
    encoded.p10[k] = Math.round(hour.p10 * 10)
    encoded.p50[k] = Math.round(hour.p50 * 10)
    encoded.p90[k] = Math.round(hour.p90 * 10)
    encoded.confidence[k] = Math.round((hour.confidence ?? 0) * 100)
    encoded.open[k] = typeof hour.open === 'number' ? Math.round(hour.open * 100) : UNKNOWN_OPEN
  }
  return encoded
}

/** The position of a series' values in the shared arrays. */
export interface ValueSpan {
  offset: number
  length: number
}

/** Builds a block series by series; several airports can share the values of one span. */
export class ForecastBuilder {
  readonly models: ModelCard[] = []
  readonly adjustments: ForecastBlock['adjustments'] = []
  readonly series: ForecastBlock['series'] = { iata: [], terminal: [], start_ms: [], offset: [], length: [], model: [] }
  private readonly parts: EncodedHours[] = []
  private length = 0

  addModel(card: ModelCard): number {
    return this.models.push(card) - 1
  }

  /** Appends values in minutes; returns where they lie. */
  addValues(hours: readonly IssuedHour[]): ValueSpan {
    return this.addEncoded(encodeHours(hours))
  }

  /** Appends values that are encoded already; returns where they lie. */
  addEncoded(hours: EncodedHours): ValueSpan {
    const span = { offset: this.length, length: hours.p50.length }
    this.parts.push(hours)
    this.length += span.length
    return span
  }

  /** Adds the series of an airport or terminal over values that are already in the block. */
  addSeries(
    iata: string,
    terminal: string,
    startMs: number,
    span: ValueSpan,
    model: number,
    adjusted_to: AdjustedTo | null = null,
  ): void {
    if (adjusted_to) this.adjustments.push({ series: this.series.iata.length, adjusted_to })
    const { series } = this
    series.iata.push(iata)
    series.terminal.push(terminal)
    series.start_ms.push(startMs)
    series.offset.push(span.offset)
    series.length.push(span.length)
    series.model.push(model)
  }

  build(): ForecastBlock {
    const { models, series, adjustments } = this
    const values = emptyHours(this.length)
    let offset = 0
    for (const part of this.parts) {
      for (const name of VALUE_COLUMNS) values[name].set(part[name], offset)
      offset += part.p50.length
    }
    return { models, series, adjustments, ...values }
  }
}

/** The input of a snapshot's forecasts. */
export interface ForecastRequest {
  warehouse: Warehouse
  airports: readonly Airport[]
  /** Epoch milliseconds. */
  now: number
  /** The current wait of an airport or terminal, to which the next hours are adjusted; none by default. */
  newestWaitOf?: NewestWaitOf
  /** The input of an airport's or terminal's nowcast; none by default. */
  nowcastOf?: (iata: string, terminal: string) => NowcastSource | null
  /** Whether a queue is expected to be open in an hour; nothing is known by default. */
  openAt?: OpenProbability
  /** Takes a row for each adjusted series. */
  record?: AdjustmentRow[]
  /** For the benchmark: every airport of the list, no values shared. */
  everywhere?: boolean
}

/** The probability that a queue is open in the hour that starts at an instant (epoch ms), or null; null for an unknown queue. */
export type OpenProbability = (iata: string, terminal: string) => ((start: number) => number | null) | null
