import type { Kysely } from 'kysely'
import { type Doer, record } from '../audit/record.ts'
import { escaped } from '../site/html.ts'
import type { State } from '../state/open.ts'
import type { ConnectionRow } from '../state/tables/connections.ts'
import type { StateTables } from '../state/tables.ts'
import { day, line, lines, named, section } from './parts.ts'

export type ListedConnection = Omit<ConnectionRow, 'account_id' | 'revoked_at'>

/** The clients that an account's owner has let in and not disconnected, newest first. */
export function listConnections(db: Kysely<StateTables>, account_id: string): Promise<ListedConnection[]> {
  return db
    .selectFrom('connections')
    .select(['grant_id', 'client_id', 'client_name', 'redirect_uri', 'created_at', 'used_at'])
    .where('account_id', '=', account_id)
    .where('revoked_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('grant_id')
    .execute()
}

/** Disconnects a client; its very next call is refused. Returns false when the account has no such connection. */
export function disconnect(
  state: State,
  account_id: string,
  grant_id: string,
  by: Doer,
  now: number,
): Promise<boolean> {
  return state.changeAccess(async (transaction) => {
    const own = transaction.updateTable('connections').where('grant_id', '=', grant_id)
    const ended = await own
      .set({ revoked_at: new Date(now).toISOString() })
      .where('account_id', '=', account_id)
      .where('revoked_at', 'is', null)
      .returning(['client_id', 'client_name'])
      .executeTakeFirst()
    if (ended) await record(transaction, account_id, 'client_disconnected', by, now, { grant_id, ...ended })
    return ended !== undefined
  })
}

/** Where a client is sent after consent, in brief: its host, or the scheme of an app. */
export function placeOf(redirect_uri: string): string {
  if (!URL.canParse(redirect_uri)) return redirect_uri
  const { host, protocol } = new URL(redirect_uri)
  return host || protocol
}

/** The connected clients, each with a way to disconnect it. */
export function connectionsSection(connections: ListedConnection[]): string {
  const none =
    '<p>None. An MCP client asks for your consent when you connect it, and can then be disconnected here.</p>'
  return section('clients', 'Connected clients', connections.length === 0 ? none : lines(connections.map(clientLine)))
}

const clientLine = ({ grant_id, client_name, redirect_uri, created_at, used_at }: ListedConnection) =>
  line(
    named(client_name),
    `<code>${escaped(placeOf(redirect_uri))}</code> connected ${day(created_at)}, ${used_at === null ? 'not used yet' : `last used ${day(used_at)}`}`,
    `<a class="button danger small" href="/dashboard/clients/${encodeURIComponent(grant_id)}/disconnect" aria-label="Disconnect ${escaped(client_name)}">Disconnect</a>`,
  )
