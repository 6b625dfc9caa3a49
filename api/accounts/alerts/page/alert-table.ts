import type { Directory } from '../../../../config/airports/directory.ts'
import type { Snapshot } from '../../../../warehouse/serving/snapshot/snapshot.ts'
import { durationText } from '../../../data/status/duration-text.ts'
import { escaped, head, moment, table } from '../../../site/pages/html.ts'
import type { AlertRow } from '../../../state/tables.ts'
import { returnLevel } from '../decide.ts'
import { observedWait } from '../observed-wait.ts'

interface Seen {
  directory: Directory
  snapshot: Snapshot | null
  now: number
}

/** The alerts of an account as HTML, each with what it waits for. */
export function alertTable(alerts: AlertRow[], seen: Seen, post: (action: string, inner: string) => string): string {
  if (alerts.length === 0) return '<p>None yet.</p>'
  const rows = alerts.map((alert) => {
    const { id, iata, direction, threshold_minutes, terminal, expires_at } = alert
    const place = escaped(terminal === null ? iata : `${iata} ${terminal}`)
    const what = `${place} ${direction} ${threshold_minutes} min`
    const remove = `<input type="hidden" name="id" value="${escaped(id)}"><button class="danger" aria-label="Remove ${what}">Remove</button>`
    const name = seen.directory.byIata.get(iata)?.name ?? 'no longer in the directory'
    return `<tr><th scope="row">${what}<span>${escaped(name)}</span><span>${quietHours(alert, seen)}until ${moment(expires_at)}</span></th>
<td>${stateOf(alert)}<span>${waitNow(alert, seen)}</span></td><td>${post('/alerts/remove', remove)}</td></tr>`
  })
  return table('Your alerts', [head('Security wait of'), head('State'), head('Remove')], rows)
}

function stateOf(alert: AlertRow): string {
  const { state, fired_at, direction } = alert
  const fired = fired_at ? moment(fired_at) : ''
  if (state === 'armed') return `armed${fired && `<span>last fired ${fired}</span>`}`
  const side = direction === 'above' ? 'less' : 'more'
  return `fired<span>${fired}; armed again at ${returnLevel(alert)} min or ${side}</span>`
}

function waitNow({ iata, terminal }: AlertRow, { snapshot, now }: Seen): string {
  const wait = snapshot && observedWait(snapshot, iata, terminal)
  if (!wait) return 'not observed now: it waits until it is'
  return `now ${wait.wait_minutes} min, ${wait.basis} ${durationText(now - Date.parse(wait.observed_at))} ago`
}

function quietHours({ iata, quiet_from, quiet_to }: AlertRow, { directory }: Seen): string {
  if (quiet_from === null || quiet_to === null) return ''
  return `quiet ${quiet_from} to ${quiet_to} (${escaped(directory.byIata.get(iata)?.timezone ?? '')}), `
}
