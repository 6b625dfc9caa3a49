import type { BorderDirection } from '../../../config/border-direction.ts'
import type { QueueKind } from '../../../config/domain.ts'
import type { QueueWait } from '../../../config/facts.ts'
import type { DelayProgram, DelayState } from '../published/delays.ts'
import type { FactCoverage } from '../published/facts.ts'
import type { ForecastSeries } from '../published/forecasts.ts'
import type { HistorySeries } from '../published/history.ts'
import type { AirportMap } from '../published/maps.ts'
import type { SourceHealth } from '../published/source-health.ts'
import type { TafForecast } from '../published/tafs.ts'
import type { WeatherReport } from '../published/weather.ts'
import type { BorderForecast } from './border-types.ts'

/** The reader the api holds. Look-ups are by Map and typed array; nothing here touches a disk or DuckDB. */
export interface Snapshot {
  id: string
  generated_at: string
  generated_ms: number
  /** True only in the demo: every answer repeats it. */
  simulated: boolean
  /**
   * The snapshot as it may be read at `now` (epoch ms): itself while it is fresh. When nothing newer has been published for
   * five minutes, ages and freshness grow with the clock, to the minute, and what has expired meanwhile is withdrawn.
   */
  asOf: (now: number) => Snapshot
  /** Current wait of a queue; an airport without fresh readings answers from its forecast and says so. */
  queue: (iata: string, kind: QueueKind) => QueueWait
  /** Security forecast; null when not even a typical value may be claimed. */
  forecast: (iata: string, terminal?: string) => ForecastSeries | null
  /** Terminals that have a forecast of their own. */
  terminals: (iata: string) => string[]
  history: (iata: string, terminal?: string) => HistorySeries | null
  historyTerminals: (iata: string) => string[]
  /** Forecast of the border queues that lead one way; null where too little of them was observed. */
  borderForecast: (iata: string, direction: BorderDirection) => BorderForecast | null
  delays: (iata: string) => DelayState
  /** Airspace flow programs in force, which belong to no airport. */
  flowPrograms: () => (DelayProgram & { faa_id: string })[]
  /** Airports with any program or closure. */
  delayedAirports: () => string[]
  weather: (icao: string | null) => WeatherReport | null
  /** The newest TAF that is still valid. */
  taf: (icao: string | null) => TafForecast | null
  /** What the map has around an airport; null where it was not asked, or names nothing. */
  map: (iata: string) => AirportMap | null
  sourceHealth: () => SourceHealth[]
  /** Ids of active sources of an airport, and whether one of them gave a live reading. */
  coverage: (iata: string) => { live: boolean; sources: string[] }
  /** What is live, modelled or unavailable at an airport, one entry a fact; airports may share the list, so it is not to be changed. */
  facts: (iata: string) => FactCoverage[]
}
