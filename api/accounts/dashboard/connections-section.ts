import { escaped } from '../../site/pages/html.ts'
import type { ConnectionRow } from '../../state/tables.ts'
import { day, line, lines, named, section } from './parts.ts'

/** Where a client is sent after consent, in brief: its host, or the scheme of an app. */
export function placeOf(redirect_uri: string): string {
  if (!URL.canParse(redirect_uri)) return redirect_uri
  const { host, protocol } = new URL(redirect_uri)
  return host || protocol
}

/** The connected clients, each with a way to disconnect it. */
export function connectionsSection(connections: ConnectionRow[]): string {
  const none =
    '<p>None. An MCP client asks for your consent when you connect it, and can then be disconnected here.</p>'
  return section('clients', 'Connected clients', connections.length === 0 ? none : lines(connections.map(clientLine)))
}

const clientLine = ({ grant_id, client_name, redirect_uri, created_at, used_at }: ConnectionRow) =>
  line(
    named(client_name),
    `<code>${escaped(placeOf(redirect_uri))}</code> connected ${day(created_at)}, ${used_at === null ? 'not used yet' : `last used ${day(used_at)}`}`,
    `<a class="button danger small" href="/dashboard/clients/${encodeURIComponent(grant_id)}/disconnect" aria-label="Disconnect ${escaped(client_name)}">Disconnect</a>`,
  )
