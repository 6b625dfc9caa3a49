import type { CheckpointWait, StatusFields, TerminalWait } from '../../../config/answer-schemas.ts'
import { isStandardLane } from '../../../config/vocabulary.ts'

/** Whether the standard lanes of a terminal are open: its own status, unless they are closed while another lane is open. */
export function standardStatus(terminal: TerminalWait): StatusFields {
  const standard = terminal.checkpoints.filter(({ lane }) => isStandardLane(lane))
  const isClosed = standard.length > 0 && standard.every(({ status }) => status === 'closed')
  if (terminal.status === 'closed' || !isClosed) return terminal
  const opening = (lane: CheckpointWait) => Date.parse(lane.reopens_at ?? '') || Number.POSITIVE_INFINITY
  return standard.reduce((first, lane) => (opening(lane) < opening(first) ? lane : first))
}
