import { createHash } from 'node:crypto'
import { escaped, head, moment, table } from '../../site/html.ts'
import type { PushSubscriptionRow } from '../../state/tables/alerts.ts'

/** The connected browsers as HTML. `data-browser` lets the script find its own among them; the endpoint itself stays here. */
export function browserTable(browsers: PushSubscriptionRow[], post: (action: string, inner: string) => string): string {
  if (browsers.length === 0) return '<p>None yet: until one is connected, no alert can reach you.</p>'
  const rows = browsers.map(({ id, label, endpoint, created_at, delivered_at }) => {
    const name = escaped(label)
    const digest = createHash('sha256').update(endpoint).digest('base64url')
    const chosen = `<input type="hidden" name="id" value="${escaped(id)}">`
    return `<tr data-browser="${digest}"><th scope="row">${name}</th><td>${moment(created_at)}</td><td>${delivered_at ? moment(delivered_at) : 'never'}</td>
<td>${post('/alerts/browsers/test', `${chosen}<button class="second" aria-label="Send a test to ${name}">Send a test</button>`)}</td>
<td>${post('/alerts/browsers/disconnect', `${chosen}<button class="danger" aria-label="Disconnect ${name}">Disconnect</button>`)}</td></tr>`
  })
  const heads = [head('Browser'), head('Connected'), head('Last message'), head('Test'), head('Remove')]
  return table('Connected browsers', heads, rows)
}
