import type { Source } from '../../config/sources.ts'
import type { SourceRequest } from '../parsing/collector.ts'
import type { Circuits } from './circuits.ts'

/** An answer as it came over the wire (content encoding undone), with what the raw store must know of it. */
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

export interface HttpClientOptions {
  /** Version of this software, for the User-Agent. */
  version: string
  /** Who answers for this installation, for the User-Agent. */
  contact: string
  /** Base address of the simulated world; null or absent asks the real sites. */
  simulated_world?: string | null
  /** Default 20,000: from the request to the last byte of the body. */
  timeout_ms?: number
  /** Default 5 MB, counted after decompression. */
  max_bytes?: number
  /** Default 2: attempts after the first, for network errors, 429 and 5xx. */
  retries?: number
  /** Default 1,000: the first backoff; each further one doubles, each with jitter. */
  backoff_ms?: number
  /** Default 60,000: the longest we wait in place, for Retry-After or backoff; beyond it the run fails and says so. */
  max_wait_ms?: number
  /** Default 5: consecutive failed fetches of a source that open its circuit. */
  breaker_failures?: number
  /** Default 300,000: how long an open circuit rests before its first probe is due. */
  breaker_rest_ms?: number
  /** Default 1,800,000: how long a 401 or 403 is taken as final for the same address and headers. */
  refusal_ms?: number
  now?: () => number
  sleep?: (ms: number) => Promise<void>
  /** In [0, 1). */
  random?: () => number
}

/** The one HTTP door. Every error it throws is a FetchError. */
export interface HttpClient {
  readonly user_agent: string
  readonly simulated_world: string | null
  readonly circuits: Circuits
  /** Asks politely. @throws FetchError */
  fetch: (request: SourceRequest, source: Source, previous: Validators | null) => Promise<FetchedBody>
  /**
   * The same manners for another door (the browser): robots.txt, the circuit of the source, and the turn and pace of the
   * host, around one piece of work, whose FETCH_REFUSED is held against the address. No retries. @throws FetchError, and whatever the work throws
   */
  withManners: <T>(url: string, source: Source, work: () => Promise<T>) => Promise<T>
}
