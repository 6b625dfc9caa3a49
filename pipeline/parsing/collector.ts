import type { z } from 'zod'
import type { Airport } from '../../config/airports/directory.ts'
import type { Source } from '../../config/sources.ts'
import type { ParsedDelay } from '../../warehouse/tables/delays.ts'
import type { Notice } from '../../warehouse/tables/notices.ts'
import type { ParsedPlace } from '../../warehouse/tables/places.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import type { ParsedMetar, ParsedTaf } from '../../warehouse/tables/weather.ts'
import type { ParsedWeatherAlert, ParsedWeatherZone } from '../../warehouse/tables/weather-alerts.ts'

/** The tables in which a collector may land rows, with the row that its parser returns. */
export interface LandedRows {
  readings: ParsedReading
  delays: ParsedDelay
  metars: ParsedMetar
  tafs: ParsedTaf
  weather_alerts: ParsedWeatherAlert
  weather_zones: ParsedWeatherZone
  places: ParsedPlace
}
export type LandingTable = keyof LandedRows

/** One HTTP request to make, as data. */
export interface SourceRequest {
  url: string
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body: string | null
  /** The airport that the answer will be about, when it is about one airport only. */
  iata: string | null
  /** Milliseconds until the request is abandoned; the default suits most sources. */
  timeout_ms?: number
  /** Bytes of the decoded body after which the request is abandoned; the default of 5 MB suits most sources. */
  max_bytes?: number
}

/** An airport of the directory, and the circle around it that is nearer to it than to any other airport. */
export interface AirportCircle {
  iata: string
  latitude: number
  longitude: number
  radius_m: number
}

/** The arguments of `request`. */
export interface RequestContext {
  source: Source
  /** The airports to request: all of the source's, unless the operator named some. */
  airports: string[]
  /** The instant of the run, epoch milliseconds. */
  now: number
  /** Keys that were learned from the site at run time (see `learn`), and the operator's own key as `operator_key`. */
  learned_keys: Record<string, string>
  /** ICAO code of an airport, null when it has none. */
  icaoOf: (iata: string) => string | null
  /** The airports to request in this run, for a collector with a `rotation`. */
  airports_due?: readonly AirportCircle[]
}

/** The arguments of `parse` besides the body. */
export interface ParseContext {
  source: Source
  /** The airport of the request; null when the request was not for one airport. */
  iata: string | null
  url: string
  content_type: string | null
  /** ISO UTC. It is used as `observed_at` where the payload has no time. */
  fetched_at: string
  /** IANA time zone of an airport; throws for a code that the directory does not know. */
  timezoneOf: (iata: string) => string
  /** IATA code of an FAA or ICAO id, null when no airport has it. */
  iataOf: (id: string) => string | null
}

export interface Parsed<T extends LandingTable = LandingTable> {
  readings: LandedRows[T][]
  notices: Notice[]
  /** The time of the payload itself (ISO UTC), even when it has no rows; null when it states none. */
  observed_at?: string | null
}

/** How the browser reads a page. */
export interface PageRecipe {
  /** CSS selector of an element that appears together with the numbers. */
  wait_for: string
}

/** How the keys that a site shows to its own browser (key, version) are learned from it at run time. */
export interface LearnRecipe {
  /** Whether this member of the family needs keys at all; every member does when this is missing. */
  needed?: (source: Source) => boolean
  page_url: (source: Source) => string
  /** Part of the address of the page's own requests that show the keys. */
  url_contains: (source: Source) => string
  /** The header of those requests that holds each key, by our name of the key. */
  headers: Record<string, string>
  /** Reads the keys from the address of such a request, for sites that send them there. */
  fromUrl?: (url: string) => Record<string, string> | null
  /** Reads the keys from the text of the site's scripts, where the page makes no such request. */
  fromScript?: (script: string) => Record<string, string> | null
}

/** The rotation of a source through many airports, a few per run. */
export interface Rotation {
  airports_per_run: number
  includes: (airport: Airport) => boolean
  /** An airport that has rows is not requested again. */
  once?: true
}

/**
 * A collector says what to fetch and parses the answer. Both functions are pure: no I/O, no clock, no randomness, no
 * logging. A bad row is a notice; a changed shape throws `ParseError`.
 */
export interface Collector<T extends LandingTable = LandingTable> {
  /** The id of the source family: `collector` in config/sources.json. */
  id: string
  lands: T
  transport: 'http' | 'browser'
  page?: PageRecipe
  learn?: LearnRecipe
  /** The setting that holds the operator's own key, which `request` gets as `learned_keys.operator_key`. */
  key_setting?: 'swedavia_key' | 'data_go_kr_key'
  /** The shape of `options` of a source in config/sources.json; without it a source has none. */
  options?: (source: Source) => z.ZodType
  /** For a source with one request per airport: its airports and how many to request per run, longest ago first. */
  rotation?: Rotation
  request: (context: RequestContext) => SourceRequest[]
  parse: (body: string, context: ParseContext) => Parsed<T>
}
