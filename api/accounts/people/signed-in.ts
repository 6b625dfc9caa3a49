import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { cookieOf, type Visitor } from '../../site/pages/visitor.ts'
import type { Actor } from '../../state/actor.ts'
import { recordAuditEntry } from '../audit/audit-log.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { endSession, findVisitor, startSession } from './sessions.ts'

/** Adds the hook that finds out who is signed in before a page is built. */
export function readVisitors(
  pages: FastifyInstance,
  { state, clock = Date.now }: AccountDependencies,
  site_url: string,
) {
  const { name } = cookieOf(site_url, 'session')
  pages.decorateRequest('visitor', null)
  pages.addHook('onRequest', async (request) => {
    const cookie = request.cookies[name]
    if (cookie !== undefined) request.visitor = await findVisitor(state, cookie, clock())
  })
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

/** Signs in the browser that sent this request with a new cookie and ends the session it came with. */
export async function signIn(
  request: FastifyRequest,
  reply: FastifyReply,
  { state, clock = Date.now }: AccountDependencies,
  site_url: string,
  { id, account_id }: { id: string; account_id: string },
  method: 'password' | 'passkey' | 'link',
): Promise<void> {
  const from = { source: request.ip, user_agent: request.headers['user-agent'] ?? null }
  const { cookie, max_age_seconds } = await state.db.transaction().execute(async (transaction) => {
    const inTransaction = { ...state, db: transaction }
    if (request.visitor) await endSession(inTransaction, request.visitor.session)
    await recordAuditEntry(transaction, account_id, 'signed_in', ownerActor(request), clock(), {
      method,
    })
    return startSession(inTransaction, id, from, clock())
  })
  const { name, attributes } = cookieOf(site_url, 'session')
  reply.setCookie(name, cookie, { ...attributes, maxAge: max_age_seconds })
}

/** Deletes the session cookie from the browser. */
export function clearSessionCookie(reply: FastifyReply, site_url: string): void {
  const { name, attributes } = cookieOf(site_url, 'session')
  reply.clearCookie(name, attributes)
}

/** The signed-in person of a request to a page that requires one (`requireSignIn`). */
export const ownerOf = (request: FastifyRequest): Visitor => request.visitor!

/** The owner as the actor of an audit log entry. */
export const ownerActor = ({ ip }: FastifyRequest): Actor => ({ actor: 'owner', source: ip })
