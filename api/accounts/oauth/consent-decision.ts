import { randomBytes } from 'node:crypto'
import type { Client, Provider } from 'oidc-provider'
import { keyedHash } from '../../state/key-format.ts'
import type { State } from '../../state/state.ts'
import { recordAuditEntry } from '../audit/audit-log.ts'
import { SCOPE, SECONDS } from './constants.ts'

const KIND = 'oauth_approval'

/** What a person has answered on the consent page. */
export interface ConsentDecision {
  /** Id of the authorization request. */
  request: string
  account_id: string
  approved: boolean
}

/**
 * Keeps a decision until the browser is back at the authorization server; returns what it takes there, good once and for a
 * minute. It is of no use without the cookie of the browser that began the request: a link to another's consent page
 * cannot make its reader let another in.
 */
export async function storeDecision({ db, pepper }: State, decision: ConsentDecision, now: number): Promise<string> {
  const carried = randomBytes(32).toString('base64url')
  await db
    .insertInto('challenges')
    .values({
      hash: keyedHash(carried, pepper),
      kind: KIND,
      payload: JSON.stringify(decision),
      expires_at: new Date(now + SECONDS.approval * 1000).toISOString(),
    })
    .execute()
  return carried
}

/** The decision that a browser brings, which it cannot bring again; null for one that is unknown, over or of another request. */
export async function redeemDecision(
  { db, pepper }: State,
  carried: string,
  request: string,
  now: number,
): Promise<ConsentDecision | null> {
  const found = await db
    .deleteFrom('challenges')
    .where('hash', '=', keyedHash(carried, pepper))
    .where('kind', '=', KIND)
    .returning(['payload', 'expires_at'])
    .executeTakeFirst()
  if (!found || Date.parse(found.expires_at) <= now) return null
  const decision = JSON.parse(found.payload) as ConsentDecision
  return decision.request === request ? decision : null
}

export interface NewConnection {
  client: Client
  redirect_uri: string
  account_id: string
  /** What it may read: the address of the MCP server. */
  resource: string
  /** Where the person approved from. */
  source: string | null
}

/** Connects the client of a request to an account: the grant, the connection and its line in the audit. Returns the grant's id. */
export async function connectClient(
  provider: Provider,
  state: State,
  { client, redirect_uri, account_id, resource, source }: NewConnection,
  now: number,
): Promise<string> {
  const { clientId: client_id, clientName: client_name = client_id } = client
  const grant = new provider.Grant({ accountId: account_id, clientId: client_id })
  grant.addOIDCScope(SCOPE)
  grant.addResourceScope(resource, SCOPE)
  const grant_id = await grant.save()
  await state.changeAccess(async (transaction) => {
    await transaction
      .insertInto('connections')
      .values({
        grant_id,
        account_id,
        client_id,
        client_name,
        redirect_uri,
        created_at: new Date(now).toISOString(),
        used_at: null,
        revoked_at: null,
      })
      .execute()
    const detail = { grant_id, client_id, client_name, redirect_uri }
    await recordAuditEntry(transaction, account_id, 'client_connected', { actor: 'owner', source }, now, detail)
  })
  return grant_id
}
