import type { Source } from '../../config/sources.ts'
import type { LearnRecipe, PageRecipe, SourceRequest } from '../parsing/collector.ts'
import type { Circuits } from './circuits.ts'

/** How collecting reaches the sites: by HTTP and by a browser, with the same manners. Every error it throws is a FetchError. */
export interface Transport {
  /** Sends a request, conditionally where an earlier answer had validators. */
  fetch: (request: SourceRequest, source: Source, previous: Validators | null) => Promise<FetchedBody>
  /** Opens a page in a browser and returns its HTML after its scripts have run. */
  openPage: (request: SourceRequest, source: Source, recipe: PageRecipe) => Promise<FetchedBody>
  /** The circuit breakers of the sources, for HTTP and browser alike. */
  circuits: Circuits
  /** Learns the keys that a site shows to every visitor's browser. */
  learn: (source: Source, recipe: LearnRecipe) => Promise<Record<string, string>>
}

/** An answer with its content encoding undone, and what the raw store records about it. */
export interface FetchedBody {
  status: number
  /** Empty when `not_modified`. */
  body: Uint8Array
  content_type: string | null
  etag: string | null
  last_modified: string | null
  /** ISO UTC: when the answer was complete. */
  fetched_at: string
  /** The address that answered, after redirects. */
  url: string
  not_modified: boolean
}

/** Validators of an earlier answer, for a conditional request. */
export interface Validators {
  etag: string | null
  last_modified: string | null
}
