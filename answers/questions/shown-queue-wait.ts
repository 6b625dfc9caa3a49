import { z } from 'zod'
import {
  CheckpointWait,
  provenance,
  QueueWait,
  statusFields,
  TerminalWait,
  unavailableReason,
} from '../../config/answer-schemas.ts'

const { status: _status, ...statusProvenance } = statusFields
/** Fields of a terminal and a checkpoint that repeat the level above, unless they are given. */
const inherited = { ...statusProvenance, ...provenance, unavailable_reason: unavailableReason }
type Inherited = Pick<QueueWait, keyof typeof inherited>
const FIELDS = Object.keys(inherited) as (keyof Inherited)[]
const masked = Object.fromEntries(FIELDS.map((field) => [field, true])) as Record<keyof Inherited, true>

const LEFT_OUT = 'Absent fields are as one level above.'

const ShownCheckpoint = CheckpointWait.partial(masked).extend({ observed_at: provenance.observed_at.optional() })
const ShownTerminal = TerminalWait.partial(masked)
  .extend({ checkpoints: z.array(ShownCheckpoint) })
  .meta({ id: 'TerminalWaits', description: LEFT_OUT })

/**
 * A queue wait as REST answers it: provenance once, at the level where it changes. A terminal without one of the `inherited` fields has
 * that of the queue, a checkpoint that of its terminal.
 */
export const ShownQueueWait = QueueWait.extend({
  terminals: z.array(ShownTerminal).describe(`One entry a terminal on Enterprise; empty on lower tiers. ${LEFT_OUT}`),
}).meta({
  id: 'QueueWaits',
  description: `The current wait of one kind of queue. It is closed when all its standard lanes are closed. Basis, times, source, status_*, reopens_* and reason are left out where they are those of the level above.`,
})
export type ShownQueueWait = z.output<typeof ShownQueueWait>

/** Leaves out what terminals and checkpoints have in common with the level above. */
export function withProvenanceOnce(wait: QueueWait): ShownQueueWait {
  return {
    ...wait,
    terminals: wait.terminals.map((terminal) => ({
      ...without(terminal, wait),
      checkpoints: terminal.checkpoints.map((checkpoint) => without(checkpoint, terminal)),
    })),
  }
}

/** The wait with all fields at every level: the inverse of `withProvenanceOnce`. */
export function withProvenanceEverywhere(wait: ShownQueueWait): QueueWait {
  return {
    ...wait,
    terminals: wait.terminals.map((shown) => {
      const terminal = inheriting(shown, wait)
      // Every checkpoint was observed: where it gives no instant, its terminal does.
      const checkpoints = shown.checkpoints.map((checkpoint) => inheriting(checkpoint, terminal) as CheckpointWait)
      return { ...terminal, checkpoints }
    }),
  }
}

function without<Level extends Inherited>(
  level: Level,
  above: Inherited,
): Omit<Level, keyof Inherited> & Partial<Inherited> {
  const shown: Omit<Level, keyof Inherited> & Partial<Inherited> = { ...level }
  for (const field of FIELDS) if (level[field] === above[field]) delete shown[field]
  return shown
}

type AsShown = { [Field in keyof Inherited]?: Inherited[Field] | undefined }

function inheriting<Level extends AsShown>(level: Level, above: Inherited): Omit<Level, keyof Inherited> & Inherited {
  const present = Object.entries(level).filter(([, value]) => value !== undefined)
  const common = Object.fromEntries(FIELDS.map((field) => [field, above[field]]))
  const full = { ...level, ...(common as unknown as Inherited), ...Object.fromEntries(present) }
  // A level that is measured has none, though the level above may count those of another terminal.
  if (full.basis !== 'reported') delete full.travellers
  return full
}
