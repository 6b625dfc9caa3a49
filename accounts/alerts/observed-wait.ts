import { securityNow } from '../../answers/departure/opening.ts'
import { closedToAirlines, closureText } from '../../answers/statements/closure.ts'
import { placedText, spreadOf, spreadRange } from '../../answers/statements/spread.ts'
import { closedForText } from '../../answers/statements/terminal-state.ts'
import { ifOpenShort } from '../../answers/statements/text.ts'
import type { AlertRow } from '../../api/state/tables.ts'
import { timezoneOf } from '../../config/airports/directory.ts'
import type { Provenance, StatusFields } from '../../config/answer-schemas.ts'
import { terminalNamed, WHOLE_AIRPORT } from '../../config/terminal-name.ts'
import { isoUtc } from '../../config/vocabulary.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'

/** A wait that was observed. */
export interface ObservedWait {
  wait_minutes: number
  basis: 'measured' | 'reported'
  source: string
  observed_at: string
  /** Of a 0 that may be that of a closed queue: ` if open now`; empty for every other wait. */
  condition: string
}

/** The queue of an alert. */
type Queue = Pick<AlertRow, 'iata' | 'terminal'>

const closureOf = (snapshot: Snapshot, iata: string, now: number) =>
  closedToAirlines(snapshot.delays(iata).closures, timezoneOf(iata), now)

/**
 * The security wait of an airport or of one of its terminals if it was observed less than an hour ago, else null: predictions,
 * typical values and older readings never trigger an alert, and while airlines are shut out nobody waits.
 */
export function observedWait(snapshot: Snapshot, { iata, terminal }: Queue, now: number): ObservedWait | null {
  if (closureOf(snapshot, iata, now) !== null) return null
  const queue = snapshot.queue(iata, 'security')
  const at = { timezone: timezoneOf(iata), now }
  if (terminal === null) return observed(queue.average_wait_minutes, queue, at)
  // The source in use may name it otherwise than the one when the alert was made: `4`, `T4`.
  const found = terminalNamed(queue.terminals, terminal)
  return found ? observed(found.wait_minutes, found, at) : null
}

/** The wait that an alert compares: `14 min`, `0 min if open now`, `2 min at T2` where the source names no other terminal of the airport. */
export function comparedText(snapshot: Snapshot, { iata, terminal }: Queue, minutes: number, now: number): string {
  const spread = terminal === null ? spreadOf(snapshot.queue(iata, 'security'), timezoneOf(iata), now) : null
  const placed = placedText(minutes, spreadRange(spread) === null ? spread : null)
  return `${placed}${observedWait(snapshot, { iata, terminal }, now)?.condition ?? ''}`
}

/** Why an alert waits whose queue has no observed wait, without a full stop: it is closed, or nothing observes it. */
export const unobservedText = (snapshot: Snapshot, queue: Queue, now: number): string =>
  `${closedNow(snapshot, queue, now) ?? 'Nothing observes the queue now'}: nothing is sent until a wait is observed`

/** Text for airlines shut out or closed standard lanes, without a full stop; null if neither applies. */
function closedNow(snapshot: Snapshot, { iata, terminal }: Queue, now: number): string | null {
  const closure = closureOf(snapshot, iata, now)
  if (closure !== null) return `${iata} is ${closureText(closure)}`
  const { status, open_lanes } = securityNow(snapshot, { airport: iata, terminal, lane: 'standard' })
  return status === 'closed' ? closedForText(open_lanes) : null
}

function observed(
  wait: number | null,
  { status, basis, source, observed_at, freshness }: Provenance & Pick<StatusFields, 'status'>,
  { timezone, now }: { timezone: string; now: number },
): ObservedWait | null {
  if (wait === null || source === null || observed_at === null) return null
  if (basis !== 'measured' && basis !== 'reported') return null
  if (freshness !== 'live' && freshness !== 'recent') return null
  // Whole minutes, as every answer gives them.
  const wait_minutes = Math.round(wait)
  const condition = ifOpenShort({ status, basis, wait_minutes }, timezone, isoUtc(now))
  return { wait_minutes, basis, source, observed_at, condition }
}

/** Every terminal of an airport that the snapshot names. */
export function knownTerminals(snapshot: Snapshot, iata: string): string[] {
  const observed = snapshot.queue(iata, 'security').terminals.map(({ terminal }) => terminal)
  const all = [...observed, ...snapshot.terminals(iata), ...snapshot.historyTerminals(iata)]
  return [...new Set(all)].filter((terminal) => terminal !== WHOLE_AIRPORT).sort()
}
