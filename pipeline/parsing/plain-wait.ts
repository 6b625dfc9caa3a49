import type { QueueStatus } from '../../config/domain.ts'
import type { PostedColumns } from './posted.ts'

/** The wait columns of one number; a source that says nothing of opening leaves the status unknown. */
export function plainWait(wait_minutes: number | null, status: QueueStatus = 'unknown'): PostedColumns {
  return { wait_minutes, wait_minutes_low: null, wait_minutes_high: null, wait_text: null, status }
}
