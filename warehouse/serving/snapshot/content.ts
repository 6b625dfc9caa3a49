import type { QueueWait } from '../../../config/facts.ts'
import type { DelayProgram, DelayState } from '../published/delays.ts'
import type { Fact } from '../published/facts.ts'
import type { ForecastBlock } from '../published/forecasts.ts'
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
