import type { Provenance, QueueWait } from '../../../config/answer-schemas.ts'
import { normalizeTerminalName } from '../../../config/terminal-name.ts'
import type { NewestWait } from '../../../forecasting/nowcast/assimilate.ts'

/** The newest wait of an airport or terminal, with where it comes from. */
export interface SourcedWait extends NewestWait {
  observed_at: string
  source: string
}

/** The current waits of a snapshot, as they were gathered. */
export interface PublishedQueues {
  queues: readonly { iata: string; kind: string; wait: QueueWait }[]
}

/** Finds the newest security wait of an airport (terminal '') or of one of its terminals; null if none is known. */
export type NewestWaitOf = (iata: string, terminal: string) => SourcedWait | null

/** Look-up of the waits that a snapshot shows as current. Terminals match by their normalised name. */
export function newestSecurityWaits(queues: PublishedQueues['queues']): NewestWaitOf {
  const waits = new Map<string, SourcedWait>()
  const add = (iata: string, terminal: string, minutes: number | null, provenance: Provenance) => {
    const wait = sourcedWait(minutes, provenance)
    if (wait) waits.set(`${iata}/${terminal}`, wait)
  }
  for (const { iata, kind, wait } of queues) {
    if (kind !== 'security') continue
    for (const terminal of wait.terminals) {
      const name = normalizeTerminalName(terminal.terminal)
      if (name !== '') add(iata, name, terminal.wait_minutes, terminal)
    }
    add(iata, '', wait.average_wait_minutes, wait)
  }
  return (iata, terminal) => waits.get(`${iata}/${normalizeTerminalName(terminal)}`) ?? null
}

function sourcedWait(wait_minutes: number | null, { basis, observed_at, source }: Provenance): SourcedWait | null {
  if (wait_minutes === null || observed_at === null || source === null) return null
  if (basis !== 'measured' && basis !== 'reported') return null
  return { wait_minutes, basis, observed_at, source, observed_ms: Date.parse(observed_at) }
}
