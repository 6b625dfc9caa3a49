import { HoldshortError } from '../../../config/errors.ts'
import { form } from '../../site/pages/frame.ts'
import { escaped, head, moment, table } from '../../site/pages/html.ts'
import type { ConnectionRow } from '../../state/tables.ts'
import { disconnect, listConnections } from '../oauth/connections.ts'
import type { AccountSection, ActionOrder, SectionView } from './section.ts'

/** Lists the MCP clients that are connected, and disconnects one. */
export const connectionsSection: AccountSection = {
  id: 'clients',
  title: 'Connected MCP clients',
  html,
  actions: [{ path: '/account/clients/disconnect', fields: ['grant_id'], done: 'Client disconnected.', run: end }],
}

async function html({ request, reply, site, visitor }: SectionView): Promise<string> {
  const connections = await listConnections(site.dependencies.state.db, visitor.account_id)
  if (connections.length === 0)
    return '<p class="none">None. Give an MCP client the address of this server, and it will ask you here.</p>'
  const row = ({ grant_id, client_name, redirect_uri, created_at, used_at }: ConnectionRow) => {
    const hidden = `<input type="hidden" name="grant_id" value="${escaped(grant_id)}">`
    const button = `<button class="danger" aria-label="Disconnect ${escaped(client_name)}">Disconnect</button>`
    return `<tr><td>${escaped(client_name)}<span><code>${escaped(redirect_uri)}</code></span></td>
<td>${moment(created_at)}<span>${used_at === null ? 'not used yet' : `used ${moment(used_at)}`}</span></td>
<td>${form(request, reply, '/account/clients/disconnect', hidden + button)}</td></tr>`
  }
  const heads = ['Client', 'Since', 'Disconnect'].map((text) => head(text))
  return table('Connected MCP clients', heads, connections.map(row))
}

async function end({ site, visitor, posted, by, from }: ActionOrder): Promise<void> {
  const { state } = site.dependencies
  if (!(await disconnect(state, visitor.account_id, posted['grant_id'] ?? '', by, from.now)))
    throw new HoldshortError('CONFLICT', 'this client is not connected to your account')
}
