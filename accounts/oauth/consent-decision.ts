import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Client, Provider } from 'oidc-provider'
import { futureFrom } from '../../api/state/from-future.ts'
import { keyedHash } from '../../api/state/key-format.ts'
import { lockAccount } from '../../api/state/lock-account.ts'
import { findByHash } from '../../api/state/peppers.ts'
import type { State } from '../../api/state/state.ts'
import type { StateTables } from '../../api/state/tables.ts'
import { recordAuditEntry } from '../audit/audit-log.ts'
import { SCOPE, SECONDS } from './constants.ts'

const KIND = 'oauth_approval'

/** The answer of a person on the consent page. */
export interface ConsentDecision {
  /** Id of the authorization request. */
  request: string
  account_id: string
  /** The session in which the person answered. */
  session: string
  approved: boolean
  /** Whether the client may also file reports and set alerts. */
  may_write: boolean
}

/**
 * Stores a decision until the browser has returned to the authorization server. Returns the token that the browser carries
 * there, valid once and for a minute. The token works only together with the cookie of the browser that began the request,
 * so a link to another person's consent page cannot make its reader approve that person's client.
 */
export async function storeDecision({ db, pepper }: State, decision: ConsentDecision, now: number): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await db
    .insertInto('challenges')
    .values({
      hash: keyedHash(token, pepper),
      kind: KIND,
      payload: JSON.stringify(decision),
      expires_at: new Date(now + SECONDS.approval * 1000).toISOString(),
    })
    .execute()
  return token
}

/** The decision of a token, which is thereby used up; null for a token that is unknown, expired or of another request. */
export async function redeemDecision(
  { db, peppers }: State,
  token: string,
  request: string,
  now: number,
): Promise<ConsentDecision | null> {
  const found = await findByHash(token, peppers, (hashes) =>
    db
      .deleteFrom('challenges')
      .where('hash', 'in', hashes)
      .where('kind', '=', KIND)
      .returning(['payload', 'expires_at'])
      .executeTakeFirst(),
  )
  if (!found || Date.parse(found.expires_at) <= now) return null
  if (found.expires_at > futureFrom(now + SECONDS.approval * 1000)) return null
  const decision = JSON.parse(found.payload) as ConsentDecision
  return decision.request === request ? decision : null
}

export interface NewConnection {
  client: Client
  redirect_uri: string
  account_id: string
  /** The session in which the person approved. */
  session: string
  /** The resource (RFC 8707) that it may access: the address of the MCP server. */
  resource: string
  may_write: boolean
  /** Network address from which the person approved. */
  source: string | null
}

/**
 * Connects a client to an account: stores the grant, the connection and its audit log entry. Returns the grant's id; null when the
 * session in which the person approved has ended meanwhile, such as by signing out everywhere.
 * @throws HoldshortError NOT_FOUND when the account was deleted meanwhile
 */
export async function connectClient(
  provider: Provider,
  state: State,
  { client, redirect_uri, account_id, session, resource, may_write, source }: NewConnection,
  now: number,
): Promise<string | null> {
  const { clientId: client_id, clientName: client_name = client_id } = client
  const grant = new provider.Grant({ accountId: account_id, clientId: client_id })
  grant.addOIDCScope(SCOPE)
  grant.addResourceScope(resource, SCOPE)
  const grant_id = await grant.save()
  const connect = async (transaction: Kysely<StateTables>) => {
    await lockAccount(transaction, account_id)
    const present = transaction.selectFrom('sessions').select('hash').where('hash', '=', session)
    if (!(await present.executeTakeFirst())) return false
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
        may_write: may_write ? 1 : 0,
      })
      .execute()
    const detail = { grant_id, client_id, client_name, redirect_uri, may_write }
    await recordAuditEntry(transaction, account_id, 'client_connected', { actor: 'owner', source }, now, detail)
    return true
  }
  const isConnected = await state.changeAccess(connect).catch(async (error) => {
    await grant.destroy()
    throw error
  })
  if (isConnected) return grant_id
  await grant.destroy()
  return null
}
