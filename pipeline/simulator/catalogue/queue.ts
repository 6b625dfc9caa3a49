import type { Lane, QueueKind } from '../../../config/domain.ts'

/** A queue of the simulated world, with the names that its site uses for it: a row of `queues.csv`. */
export interface Queue {
  /** `JFK/4/Main ChekPoint/standard`; the kind is appended unless it is security, and `mirror` for a mirror. */
  id: string
  /** The source that publishes it. */
  source: string
  kind: QueueKind
  iata: string
  /** Terminal, checkpoint and lane as the collector of the live page names them. */
  terminal: string
  checkpoint: string
  lane: Lane
  /** Minutes of wait in a busy wave of departures. */
  scale: number
  /** Local hours between which it is open; 0 and 24 for a queue that never closes. */
  opens: number
  closes: number
  /** Fields of the site's own payload that name it. */
  fields: Record<string, string>
  /** Whether its site may hide it, as mobi does with rows that are not to be displayed. */
  may_hide: boolean
  /** Id of the same queue in another source, with other names: both then publish the same waits. */
  mirrors: string | null
}

/** A passport hall of the simulated world: CBP's airport, terminal and site id, a row of `passport-halls.csv`. */
export interface Hall {
  iata: string
  airport_name: string
  site_id: string
  terminal_name: string
  /** Flights in its busiest hour. */
  flights: number
  /** Minutes of wait of visitors in its busiest hour. */
  scale: number
  /** Local hours of its waves of arrivals. */
  waves: number[]
}
