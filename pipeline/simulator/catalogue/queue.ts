import type { Lane } from '../../../config/domain.ts'

/** A queue of the simulated world, with the words its site uses for it. */
export interface Queue {
  /** `JFK/4/Main ChekPoint/standard`. */
  id: string
  iata: string
  /** Terminal, checkpoint and lane as a reader of the live page will name them. */
  terminal: string
  checkpoint: string
  lane: Lane
  /** Minutes of wait in a busy bank. */
  scale: number
  /** Local hours between which it is open; 0 and 24 for a queue that never closes. */
  opens: number
  closes: number
  /** Fields of the site's own payload that name it. */
  words: Record<string, string>
  /** Whether its site may leave it out, as mobi does with rows that are not to be displayed. */
  may_hide?: boolean
}

/** How much of a standard queue's wait the other lanes have. */
const LANE_SHARE: Partial<Record<Lane, number>> = { precheck: 0.32, priority: 0.45, clear: 0.35 }

export type QueueSeed = Omit<Queue, 'id' | 'scale' | 'opens' | 'closes'> &
  Partial<Pick<Queue, 'scale' | 'opens' | 'closes'>>

/** A queue with what its lane usually implies: a PreCheck line is shorter and shuts earlier. */
export function queue(given: QueueSeed): Queue {
  const { scale = 14, opens = 4, closes = 22.5, ...names } = given
  return {
    ...names,
    id: [names.iata, names.terminal, names.checkpoint, names.lane].join('/'),
    scale: scale * (LANE_SHARE[names.lane] ?? 1),
    opens,
    closes: names.lane === 'precheck' && closes < 24 ? Math.min(closes, 20.5) : closes,
  }
}
