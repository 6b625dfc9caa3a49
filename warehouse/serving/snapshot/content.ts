import type { ModelCard, QueueWait } from '../../../config/facts.ts'
import type { DelayProgram, DelayState } from '../published/delays.ts'
import type { Fact } from '../published/facts.ts'
import type { HistorySeries } from '../published/history.ts'
import type { SourceHealth } from '../published/source-health.ts'
import type { TafForecast } from '../published/tafs.ts'
import type { WeatherReport } from '../published/weather.ts'
import type { BorderForecast } from './border-types.ts'

/** What `publish` gathers and a snapshot's files hold: plain values, ready to be written. */
export interface SnapshotContent {
  generated_at: string
  simulated: boolean
  /** Measured or reported waits only; what is missing here answers from its forecast, or not at all. */
  queues: { iata: string; kind: string; wait: QueueWait }[]
  forecasts: ForecastBlock
  history: HistorySeries[]
  border_forecasts: BorderForecast[]
  delays: Record<string, DelayState>
  /** Airports that the FAA covers. */
  faa_airports: string[]
  /** State of an airport that the FAA covers and lists nothing for. */
  quiet: DelayState
  flow_programs: (DelayProgram & { faa_id: string })[]
  weather: WeatherReport[]
  tafs: TafForecast[]
  /** By airport, as JSON of an `AirportMap`: thousands are published, and few are asked for. */
  maps: Map<string, string>
  health: SourceHealth[]
  coverage: Record<string, { live: boolean; sources: string[] }>
  /** When a fact of an airport was seen to come into the state it is in; the reader tells the state from all the rest. */
  facts: Record<string, Partial<Record<Fact, string>>>
}

/** Series of hourly quantiles laid end to end; airports without an own model share the series of their zone and size. */
export interface ForecastBlock {
  models: ModelCard[]
  series: {
    iata: string[]
    terminal: string[]
    start_ms: number[]
    offset: number[]
    length: number[]
    model: number[]
  }
  /** Tenths of a minute. */
  p10: Int16Array
  p50: Int16Array
  p90: Int16Array
  /** Percent. */
  confidence: Uint8Array
}

/** A growing block of series; `share` lets many airports point at values that are already there. */
export class ForecastBuilder {
  readonly models: ModelCard[] = []
  readonly series: ForecastBlock['series'] = { iata: [], terminal: [], start_ms: [], offset: [], length: [], model: [] }
  private readonly values: { p10: number[]; p50: number[]; p90: number[]; confidence: number[] } = {
    p10: [],
    p50: [],
    p90: [],
    confidence: [],
  }

  addModel(card: ModelCard): number {
    return this.models.push(card) - 1
  }

  /** Appends values in minutes and fractions; returns where they lie. */
  addValues(hours: { p10: number; p50: number; p90: number; confidence: number }[]): {
    offset: number
    length: number
  } {
    const offset = this.values.p50.length
    for (const hour of hours) {
      this.values.p10.push(Math.round(hour.p10 * 10))
      this.values.p50.push(Math.round(hour.p50 * 10))
      this.values.p90.push(Math.round(hour.p90 * 10))
      this.values.confidence.push(Math.round(hour.confidence * 100))
    }
    return { offset, length: hours.length }
  }

  share(
    iata: string,
    terminal: string,
    startMs: number,
    place: { offset: number; length: number },
    model: number,
  ): void {
    const { series } = this
    series.iata.push(iata)
    series.terminal.push(terminal)
    series.start_ms.push(startMs)
    series.offset.push(place.offset)
    series.length.push(place.length)
    series.model.push(model)
  }

  build(): ForecastBlock {
    return {
      models: this.models,
      series: this.series,
      p10: Int16Array.from(this.values.p10),
      p50: Int16Array.from(this.values.p50),
      p90: Int16Array.from(this.values.p90),
      confidence: Uint8Array.from(this.values.confidence),
    }
  }
}
