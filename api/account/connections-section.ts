import type { Kysely } from 'kysely'
import { HoldshortError } from '../../config/errors.ts'
import { record } from '../audit/record.ts'
import { form } from '../pages/frame.ts'
import { escaped, head, moment, table } from '../site/html.ts'
import type { ConnectionRow } from '../state/tables/connections.ts'
import type { StateTables } from '../state/tables.ts'
import type { AccountSection, ActionOrder, SectionView } from './section.ts'

/** Lists the MCP clients that are connected, and disconnects one. */
export const connectionsSection: AccountSection = {
  ...{ id: 'clients', title: 'Connected MCP clients' },
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

function listConnections(db: Kysely<StateTables>, account_id: string): Promise<ConnectionRow[]> {
  return db
    .selectFrom('connections')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('revoked_at', 'is', null)
    .orderBy('created_at')
    .execute()
}

async function end({ site, visitor, posted, by, from }: ActionOrder): Promise<void> {
  const grant_id = posted['grant_id'] ?? ''
  await site.dependencies.state.changeAccess(async (transaction) => {
    const ended = await transaction
      .updateTable('connections')
      .set({ revoked_at: new Date(from.now).toISOString() })
      .where('grant_id', '=', grant_id)
      .where('account_id', '=', visitor.account_id)
      .where('revoked_at', 'is', null)
      .returning('client_name')
      .executeTakeFirst()
    if (!ended) throw new HoldshortError('CONFLICT', 'this client is not connected any more')
    const detail = { grant_id, client_name: ended.client_name }
    await record(transaction, visitor.account_id, 'client_disconnected', by, from.now, detail)
  })
}
