import type { BorderDirection } from '../../../config/border-direction.ts'
import type {
  DelayProgramType,
  DelayStatus,
  FlightCategory,
  Freshness,
  PlaceKind,
  QueueKind,
} from '../../../config/domain.ts'
import type { ModelCard, Provenance, QueueWait } from '../../../config/facts.ts'
import type { BorderForecast } from './border-types.ts'
import type { FactCoverage, SourceHealth } from './health-types.ts'

/** What a serving snapshot holds, in memory, as the api sees it. Immutable; all figures are as of `generated_at`. */

/** 168 hourly quantiles of one airport or terminal. Arrays are views of equal length; index 0 is the hour `start_ms`. */
export interface ForecastSeries {
  iata: string
  /** Empty for the airport as a whole. */
  terminal: string
  start_ms: number
  /** Tenths of a minute. */
  p10: Int16Array
  p50: Int16Array
  p90: Int16Array
  /** Percent: probability of being within 5 minutes of p50. */
  confidence: Uint8Array
  model: ModelCard
}

/** Observed hours of one airport or terminal, ascending; only hours that have readings. Minutes in tenths. */
export interface HistorySeries {
  iata: string
  terminal: string
  /** Whole hours since the epoch. */
  hour: Int32Array
  mean: Int16Array
  p50: Int16Array
  p90: Int16Array
  max: Int16Array
  samples: Int32Array
  /** Sources that were heard in an hour, joined by `+`: by their place in `sources`. */
  source: Uint16Array
  sources: string[]
}

export interface DelayProgramView {
  type: DelayProgramType
  reason: string | null
  average_minutes: number | null
  min_minutes: number | null
  max_minutes: number | null
  trend: string | null
  start: string | null
  end: string | null
}

export interface ClosureView {
  reason: string | null
  start: string | null
  end: string | null
  /** Whether scheduled airlines are shut out; most closures are partial and are not. */
  closed_to_airlines: boolean | null
  /** Daily closed hours in UTC, where the closure is not round the clock. */
  closed_hours_utc: string | null
  /** Closed to airlines at the snapshot's instant. */
  in_force: boolean
}

export interface DelayState extends Provenance {
  supported: boolean
  status: DelayStatus
  summary: string
  programs: DelayProgramView[]
  closures: ClosureView[]
}

export interface WeatherView {
  icao: string
  observed_at: string
  flight_category: FlightCategory | null
  wind_direction_deg: number | null
  wind_kt: number | null
  wind_gust_kt: number | null
  visibility_sm: number | null
  ceiling_ft: number | null
  temperature_c: number | null
  dewpoint_c: number | null
  weather: string | null
  raw: string
  source: string
  age_seconds: number
  freshness: Freshness
}

/** Sky as a report or a forecast has it. */
export type Sky = Pick<
  WeatherView,
  'flight_category' | 'wind_direction_deg' | 'wind_kt' | 'wind_gust_kt' | 'visibility_sm' | 'ceiling_ft' | 'weather'
>

/** One period of a TAF: what is forecast from then on, or a change to it. */
export interface TafPeriod extends Sky {
  from: string
  to: string
  /** Null for what holds in the main; TEMPO and PROB are for a while, or perhaps. */
  change: 'FM' | 'BECMG' | 'TEMPO' | 'PROB' | null
  probability: number | null
}

/** The newest terminal aerodrome forecast of a station. */
export interface TafView {
  icao: string
  issued_at: string
  valid_from: string
  valid_to: string
  raw: string
  source: string
  periods: TafPeriod[]
}

/** A terminal, lounge or checkpoint as a public map has it. */
export interface MapPlace {
  kind: PlaceKind
  name: string | null
  ref: string | null
  operator: string | null
  level: string | null
  opening_hours: string | null
  access: string | null
  airside: string | null
  fee: string | null
  /** Element of OpenStreetMap, e.g. way/123. */
  osm: string
}

/** All that the map's newest answer about an airport names. */
export interface AirportMap {
  iata: string
  fetched_at: string
  places: MapPlace[]
}

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
  flowPrograms: () => (DelayProgramView & { faa_id: string })[]
  /** Airports with any program or closure. */
  delayedAirports: () => string[]
  weather: (icao: string | null) => WeatherView | null
  /** The newest TAF that is still valid. */
  taf: (icao: string | null) => TafView | null
  /** What the map has around an airport; null where it was not asked, or names nothing. */
  map: (iata: string) => AirportMap | null
  sourceHealth: () => SourceHealth[]
  /** Ids of active sources of an airport, and whether one of them gave a live reading. */
  coverage: (iata: string) => { live: boolean; sources: string[] }
  /** What is live, modelled or unavailable at an airport, one entry a fact; airports may share the list, so it is not to be changed. */
  facts: (iata: string) => FactCoverage[]
}
