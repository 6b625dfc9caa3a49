import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../../api/state/actor.ts'
import type { State } from '../../api/state/state.ts'
import type { PersonRow } from '../../api/state/tables.ts'
import { transactionInTurn } from '../../api/state/transaction-in-turn.ts'
import { HoldshortError } from '../../config/errors.ts'
import { withTimeLimit } from '../../config/time-limit.ts'
import { cookieOf, type Visitor } from '../../site/pages/visitor.ts'
import { recordAuditEntry } from '../audit/audit-log.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { DEVICE_MS, newDeviceCookie } from './known-devices.ts'
import { lockPerson, personById } from './people.ts'
import { endSession, findVisitor, startSession } from './sessions.ts'

/** An open page does not wait longer to learn who is signed in. */
const PATIENCE_MS = 1_500

/**
 * Adds the hook that finds out who is signed in before a page is built. While the state cannot be reached, a page that is open
 * to everybody is served as to a stranger; any other page is refused.
 */
export function readVisitors(
  pages: FastifyInstance,
  { state, clock = Date.now }: AccountDependencies,
  site_url: string,
) {
  const { name } = cookieOf(site_url, 'session')
  pages.decorateRequest('visitor', null)
  pages.decorateRequest('visitorFault', null)
  pages.addHook('onRequest', async (request) => {
    const cookie = request.cookies[name]
    if (cookie === undefined) return
    const found = findVisitor(state, cookie, clock())
    if (!request.routeOptions.config.isOpenPage) {
      request.visitor = await found
      return
    }
    try {
      request.visitor = await withTimeLimit(PATIENCE_MS, found, failAsSlow)
    } catch (error) {
      if (!(error instanceof HoldshortError)) throw error
      request.visitorFault = error
    }
  })
}

function failAsSlow(): never {
  throw new HoldshortError(
    'STATE_UNREACHABLE',
    'the database of accounts and keys is slow to answer; try again shortly',
  )
}

/** A hook for pages that require a signed-in person: anyone else is redirected to sign in and then returns to the page. */
export async function requireSignIn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
  if (request.visitor) return undefined
  const next = request.method === 'GET' ? `?next=${encodeURIComponent(request.url)}` : ''
  return reply.redirect(`/sign-in${next}`, 303)
}

/** The path to go to after signing in: always on this site. */
export function safeRedirectPath(next: unknown): string {
  const base = 'https://this.site'
  const wanted = typeof next === 'string' ? next : ''
  if (!wanted.startsWith('/') || !URL.canParse(wanted, base)) return '/dashboard'
  const url = new URL(wanted, base)
  // `/.//evil.example` parses as a path of this site but would lead to another one.
  return url.origin === base && !url.pathname.startsWith('//') ? url.pathname + url.search : '/dashboard'
}

/**
 * Signs in the browser that sent this request with a new cookie and ends the session it came with.
 * @throws HoldshortError SIGN_IN_FAILED when the password was changed since the person was read; NOT_FOUND when the account was deleted
 */
export async function signIn(
  request: FastifyRequest,
  reply: FastifyReply,
  { state, clock = Date.now }: AccountDependencies,
  site_url: string,
  person: PersonRow,
  method: 'password' | 'passkey' | 'link',
): Promise<void> {
  const from = { source: request.ip, user_agent: request.headers['user-agent'] ?? null }
  const { id, account_id } = person
  const { cookie, max_age_seconds } = await transactionInTurn(state, account_id, async (transaction) => {
    await lockPerson(transaction, person)
    const transactionState = { ...state, db: transaction }
    if (request.visitor) await endSession(transactionState, request.visitor.session)
    await recordAuditEntry(transaction, account_id, 'signed_in', ownerActor(request), clock(), {
      method,
    })
    return startSession(transactionState, id, from, clock())
  })
  const { name, attributes } = cookieOf(site_url, 'session')
  reply.setCookie(name, cookie, { ...attributes, maxAge: max_age_seconds })
  await rememberDevice(reply, state, site_url, id, clock())
}

/** Gives a browser the device cookie of a person who is signed in there, in place of an earlier one. */
export async function rememberDevice(
  reply: FastifyReply,
  state: State,
  site_url: string,
  person_id: string,
  now: number,
): Promise<void> {
  const person = await personById(state.db, person_id)
  if (!person) return
  const { name, attributes } = cookieOf(site_url, 'device')
  reply.setCookie(name, newDeviceCookie(state, person, now), { ...attributes, maxAge: DEVICE_MS / 1_000 })
}

/** Deletes the device cookie from the browser of a person whose account is deleted. */
export function forgetDevice(reply: FastifyReply, site_url: string): void {
  const { name, attributes } = cookieOf(site_url, 'device')
  reply.clearCookie(name, attributes)
}

/** The device cookie that a browser presents. */
export const deviceCookieOf = ({ cookies }: FastifyRequest, site_url: string): string | undefined =>
  cookies[cookieOf(site_url, 'device').name]

/** Deletes the session cookie from the browser. */
export function clearSessionCookie(reply: FastifyReply, site_url: string): void {
  const { name, attributes } = cookieOf(site_url, 'session')
  reply.clearCookie(name, attributes)
}

/** The signed-in person of a request to a page that requires one (`requireSignIn`). */
export const ownerOf = (request: FastifyRequest): Visitor => request.visitor!

/** The owner as the actor of an audit log entry. */
export const ownerActor = ({ ip }: FastifyRequest): Actor => ({ actor: 'owner', source: ip })
