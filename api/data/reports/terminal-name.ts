import type { QueueKind } from '../../../config/domain.ts'
import { normalizeTerminalName } from '../../../config/terminal-name.ts'
import type { Snapshot } from '../../../warehouse/serving/snapshot/snapshot.ts'

/**
 * One name for a terminal, however travellers write it: the name of the feeds or the forecast if they know the terminal
 * ("T4", "Terminal 4" and "4" are the same), else its plain name in capitals.
 */
export function terminalName(
  reported: string | null,
  iata: string,
  queue: QueueKind,
  snapshot: Snapshot,
): string | null {
  const plain = normalizeTerminalName((reported ?? '').replace(/\s+/g, ' '))
  if (plain === '') return null
  const fromFeeds = [...snapshot.queue(iata, queue).terminals, ...snapshot.queue(iata, 'security').terminals]
  const known = [...fromFeeds.map(({ terminal }) => terminal), ...snapshot.terminals(iata)]
  return known.find((name) => normalizeTerminalName(name) === plain) ?? plain.toUpperCase()
}
