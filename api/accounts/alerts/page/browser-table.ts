import { createHash } from 'node:crypto'
import { escaped, head, moment, table } from '../../../site/pages/html.ts'
import type { PushSubscriptionRow } from '../../../state/tables.ts'

/** The connected browsers as HTML. `data-browser` lets the script find its own among them; the endpoint itself stays here. */
export function browserTable(browsers: PushSubscriptionRow[], post: (action: string, inner: string) => string): string {
  if (browsers.length === 0) return '<p>None yet: until one is connected, no alert can reach you.</p>'
  const rows = browsers.map(({ id, label, endpoint, created_at, delivered_at }) => {
    const name = escaped(label)
    const digest = createHash('sha256').update(endpoint).digest('base64url')
    const chosen = `<input type="hidden" name="id" value="${escaped(id)}">`
    const button = (action: string, kind: string, text: string, whole: string) =>
      `<td>${post(action, `${chosen}<button class="${kind}" aria-label="${whole} ${name}">${text}</button>`)}</td>`
    const last = delivered_at ? `last message ${moment(delivered_at)}` : 'no message yet'
    return `<tr data-browser="${digest}"><th scope="row">${name}<span>connected ${moment(created_at)}</span><span>${last}</span></th>
${button('/alerts/browsers/test', 'second', 'Test', 'Send a test to')}
${button('/alerts/browsers/disconnect', 'danger', 'Disconnect', 'Disconnect')}</tr>`
  })
  return table('Connected browsers', [head('Browser'), head('Test'), head('Disconnect')], rows)
}
