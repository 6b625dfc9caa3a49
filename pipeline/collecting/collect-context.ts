import type { HoldshortError } from '../../config/errors.ts'
import type { CaptureHead } from '../../warehouse/storage/raw-captures.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import type { LanesByAirport } from '../checks/index.ts'
import type { Collector, SourceRequest } from '../parsing/collector.ts'
import type { Transport } from '../transport/transport.ts'
import type { Landing } from './landing.ts'

/** The context for fetching from a source. */
export interface FetchContext {
  transport: Transport
  now: () => number
  memory: CollectMemory
  /** Holds the runs of earlier processes; absent if sources are only checked. */
  warehouse?: Warehouse
  /** The operator's own keys, by setting (see `key_setting` of a collector). */
  operator_keys?: { [Setting in NonNullable<Collector['key_setting']>]?: string | undefined }
}

/** The context for collecting from a source. */
export interface CollectContext extends FetchContext {
  warehouse: Warehouse
  landing: Landing
  /** Called with the path of each stored capture, before it is parsed. */
  captureStored?: (path: string) => Promise<void>
}

/** An earlier answer with a validator (ETag or Last-Modified), and the capture it was stored as. */
interface CachedAnswer {
  etag: string | null
  last_modified: string | null
  body: Uint8Array
  capture: CaptureHead
}

/** The memory of one process between the runs of its sources. */
export interface CollectMemory {
  /** Earlier answers for conditional requests, by `requestKey`. */
  answers: Map<string, CachedAnswer>
  /** Keys learned from the sites, by source id. */
  learned_keys: Map<string, Record<string, string>>
  /** Lanes of the previous capture of each request, by `requestKey`. */
  lanes: Map<string, LanesByAirport>
}

/** A memory without entries. */
export const emptyMemory = (): CollectMemory => ({ answers: new Map(), learned_keys: new Map(), lanes: new Map() })

/** Identifies a request of a source in `CollectMemory`. */
export const requestKey = (source: { id: string }, request: SourceRequest) =>
  `${source.id} ${request.method} ${request.url} ${request.body ?? ''}`

/** The result of one request of a run, or of the whole run where it failed before its first request. */
export interface CollectOutcome {
  source: string
  /** Null when the request covers all airports of the source. */
  iata: string | null
  /** Null while another process holds the warehouse: the rows land later. */
  new_rows: number | null
  parsed_rows: number
  notices: number
  error: HoldshortError | null
}
