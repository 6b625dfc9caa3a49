import type { QueueStatus } from '../../config/domain.ts'
import { textOf } from './body.ts'

/** Whether a queue is open, from a flag or a word; any other word says nothing. "closure" is BWI's. */
export function statusSaid(said: unknown): QueueStatus {
  if (typeof said === 'boolean') return said ? 'open' : 'closed'
  const word = textOf(said).toLowerCase()
  if (word === 'open') return 'open'
  return /^(closed|closure|suspended)$/.test(word) ? 'closed' : 'unknown'
}
