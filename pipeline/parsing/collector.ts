import type { Source } from '../../config/sources.ts'
import type { ParsedDelay } from '../../warehouse/tables/delays.ts'
import type { Notice } from '../../warehouse/tables/notices.ts'
import type { ParsedPlace } from '../../warehouse/tables/places.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import type { ParsedMetar, ParsedTaf } from '../../warehouse/tables/weather.ts'

/** The tables a collector may land in, with the row its parser returns. */
export interface LandedRows {
  readings: ParsedReading
  delays: ParsedDelay
  metars: ParsedMetar
  tafs: ParsedTaf
  places: ParsedPlace
}
export type LandingTable = keyof LandedRows

/** One HTTP request to make, as data. `secrets` are header values to be learnt from the site, by name. */
export interface SourceRequest {
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body: string | null
  /** The airport asked for, when a request is for one airport only. */
  iata: string | null
  /** Milliseconds before we give up; the default suits most sources. */
  timeout_ms?: number
}

/** An airport of the directory, and the circle around it that is nearer to it than to any other. */
export interface AirportCircle {
  iata: string
  latitude: number
  longitude: number
  radius_m: number
}

/** What `request` may know: no clock of its own, no I/O. */
export interface RequestContext {
  source: Source
  /** Airports to ask for (all of the source's, unless the operator named some). */
  airports: string[]
  /** The instant of the run, epoch milliseconds. */
  now: number
  /** Values learnt from the site at run time (see `learn`), empty when there are none. */
  learned_keys: Record<string, string>
  /** ICAO code of an airport, null when it has none. */
  icaoOf: (iata: string) => string | null
  /** Airports whose turn it is, where the collector has `airports_a_run`. */
  airports_due?: readonly AirportCircle[]
}

/** What `parse` may know besides the body. */
export interface ParseContext {
  source: Source
  iata: string | null
  url: string
  content_type: string | null
  /** ISO UTC. Stands in for `observed_at` where the payload carries no time. */
  fetched_at: string
  /** IANA time zone of an airport; throws for a code the directory does not know. */
  timezoneOf: (iata: string) => string
  /** IATA code of an FAA or ICAO id, null when no airport has it. */
  iataOf: (id: string) => string | null
}

export interface Parsed<T extends LandingTable = LandingTable> {
  readings: LandedRows[T][]
  notices: Notice[]
  /** When the payload says of itself that it was made (ISO UTC), even if it holds no rows; null when it does not say. */
  observed_at?: string | null
}

/** How a browser run looks at a page: what to wait for, and what to keep. */
export interface PageRecipe {
  /** CSS selector whose appearance means that the numbers are there. */
  wait_for: string
  /** Keep the page's HTML after scripts have run. */
  keep: 'html'
}

/** How values that a site shows to its own browser (key, version) are read from it at run time. */
export interface LearnRecipe {
  /** Whether this member of the family has values to be learnt at all; all have when it is left out. */
  needed?: (source: Source) => boolean
  page_url: (source: Source) => string
  /** Seen by every request the page makes to `url_contains`: the headers to remember, by our name. */
  url_contains: (source: Source) => string
  headers: Record<string, string>
  /** Reads the same values from the address of such a request, where they stand in it. */
  fromUrl?: (url: string) => Record<string, string> | null
  /** Reads the same values from the text of the site's script bundles, where no such request is seen. */
  fromScript?: (script: string) => Record<string, string> | null
}

/**
 * A collector says what to fetch and reads the answer. Both are pure: no I/O, no clock, no randomness, no logging.
 * One bad row is a notice; a changed shape throws `ParseError`.
 */
export interface Collector<T extends LandingTable = LandingTable> {
  /** The family: `collector` in config/sources.json names it. */
  id: string
  lands: T
  transport: 'http' | 'browser'
  page?: PageRecipe
  learn?: LearnRecipe
  /** The setting that holds the operator's own key; `request` finds it as `learnt.operator_key`. */
  key_setting?: 'swedavia_key'
  /** Goes round all airports with scheduled service, so many a run, those it asked about longest ago first. */
  airports_per_run?: number
  request: (context: RequestContext) => SourceRequest[]
  parse: (body: string, context: ParseContext) => Parsed<T>
}
