import type { Lane, QueueKind } from '../../../config/domain.ts'

/** A queue of the simulated world, with the words its site uses for it. */
export interface Queue {
  /** `JFK/4/Main ChekPoint/standard`; of another kind than security, or a mirror, with that at its end. */
  id: string
  kind: QueueKind
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
  fields: Record<string, string>
  /** Whether its site may leave it out, as mobi does with rows that are not to be displayed. */
  may_hide?: boolean
  /** Id of the queue that this is, where a second source tells of it in words of its own: then they agree. */
  mirrors?: string
}

/** How much of a standard queue's wait the other lanes have. */
const LANE_SHARE: Partial<Record<Lane, number>> = { precheck: 0.32, priority: 0.45, clear: 0.35 }

export type NewQueue = Omit<Queue, 'id' | 'kind' | 'scale' | 'opens' | 'closes'> &
  Partial<Pick<Queue, 'kind' | 'scale' | 'opens' | 'closes'>>

/** A queue with what its lane usually implies: a PreCheck line is shorter and shuts earlier. */
export function queue(given: NewQueue): Queue {
  const { kind = 'security', scale = 14, opens = 4, closes = 22.5, ...names } = given
  const mark = [kind === 'security' ? '' : kind, names.mirrors ? 'mirror' : ''].filter(Boolean)
  return {
    ...names,
    kind,
    id: [names.iata, names.terminal, names.checkpoint, names.lane, ...mark].join('/'),
    scale: scale * (LANE_SHARE[names.lane] ?? 1),
    opens,
    closes: names.lane === 'precheck' && closes < 24 ? Math.min(closes, 20.5) : closes,
  }
}
