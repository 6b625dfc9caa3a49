import type { QueueKind } from '../../../config/domain.ts'
import { normalizeTerminalName } from '../../../config/terminal-name.ts'
import type { Snapshot } from '../../../warehouse/serving/snapshot/snapshot.ts'

/**
 * One name for what travellers call a terminal: the feeds' or the forecast's where they know it ("T4", "Terminal 4" and "4"
 * are one), else its plain name in capitals.
 */
export function terminalOf(given: string | null, iata: string, queue: QueueKind, snapshot: Snapshot): string | null {
  const plain = normalizeTerminalName((given ?? '').replace(/\s+/g, ' '))
  if (plain === '') return null
  const told = [queue, 'security' as const].flatMap((kind) => snapshot.queue(iata, kind).terminals)
  const known = [...told.map(({ terminal }) => terminal), ...snapshot.terminals(iata)]
  return known.find((name) => normalizeTerminalName(name) === plain) ?? plain.toUpperCase()
}
