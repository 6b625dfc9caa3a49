import type { Lane, QueueKind } from '../../../config/domain.ts'

/** A queue of the simulated world, with the names that its site uses for it. */
export interface Queue {
  /** `JFK/4/Main ChekPoint/standard`; the kind is appended unless it is security, and `mirror` for a mirror. */
  id: string
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
  may_hide?: boolean
  /** Id of the same queue in another source, with other names: both then publish the same waits. */
  mirrors?: string
}

/** Waits of other lanes as a share of the standard lane's wait. */
const LANE_SHARE: Partial<Record<Lane, number>> = { precheck: 0.32, priority: 0.45, clear: 0.35 }

export type NewQueue = Omit<Queue, 'id' | 'kind' | 'scale' | 'opens' | 'closes'> &
  Partial<Pick<Queue, 'kind' | 'scale' | 'opens' | 'closes'>>

/** Creates a queue. A PreCheck lane is shorter than a standard lane and closes earlier. */
export function queue(properties: NewQueue): Queue {
  const { kind = 'security', scale = 14, opens = 4, closes = 22.5, ...names } = properties
  const suffix = [kind === 'security' ? '' : kind, names.mirrors ? 'mirror' : ''].filter(Boolean)
  return {
    ...names,
    kind,
    id: [names.iata, names.terminal, names.checkpoint, names.lane, ...suffix].join('/'),
    scale: scale * (LANE_SHARE[names.lane] ?? 1),
    opens,
    closes: names.lane === 'precheck' && closes < 24 ? Math.min(closes, 20.5) : closes,
  }
}

/** Local opening and closing hour, as in `Queue`. */
export type Hours = [opens: number, closes: number]

/** The lanes of one checkpoint, each with the name that its site uses for it. */
export function lanes(
  place: { iata: string; terminal: string; checkpoint: string; may_hide?: boolean },
  laneNames: Partial<Record<Lane, string>>,
  scale: number,
  [opens, closes]: Hours,
): Queue[] {
  return (Object.entries(laneNames) as [Lane, string][]).map(([lane, name]) =>
    queue({ ...place, lane, scale, opens, closes, fields: { lane: name } }),
  )
}
