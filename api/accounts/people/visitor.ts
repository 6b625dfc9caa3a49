import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { cookieOf } from '../../site/pages/visitor.ts'
import { recordAuditEntry } from '../audit/audit-log.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { endSession, startSession, visitorOf } from './sessions.ts'

/** Finds out who is signed in before a page is made. */
export function readVisitors(
  pages: FastifyInstance,
  { state, clock = Date.now }: AccountDependencies,
  site_url: string,
) {
  const { name } = cookieOf(site_url, 'session')
  pages.decorateRequest('visitor', null)
  pages.addHook('onRequest', async (request) => {
    const cookie = request.cookies[name]
    if (cookie !== undefined) request.visitor = await visitorOf(state, cookie, clock())
  })
}

/** The hook of pages that are of a person: a stranger is sent to sign in, and comes back to where he wanted to go. */
export async function mustBeSignedIn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
  if (request.visitor) return undefined
  const next = request.method === 'GET' ? `?next=${encodeURIComponent(request.url)}` : ''
  return reply.redirect(`/sign-in${next}`, 303)
}

/** Where to go after signing in: a path of this site, never another site. */
export function safeNext(next: unknown): string {
  const [base, wanted] = ['https://this.site', typeof next === 'string' ? next : '']
  if (!wanted.startsWith('/') || !URL.canParse(wanted, base)) return '/dashboard'
  const url = new URL(wanted, base)
  // `/.//evil.example` is a path here, but what comes of it would lead away.
  return url.origin === base && !url.pathname.startsWith('//') ? url.pathname + url.search : '/dashboard'
}

/** Signs the browser in that sent this request, with a new cookie: whatever session it came with ends. */
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
    const within = { ...state, db: transaction }
    if (request.visitor) await endSession(within, request.visitor.session)
    await recordAuditEntry(transaction, account_id, 'signed_in', { actor: 'owner', source: request.ip }, clock(), {
      method,
    })
    return startSession(within, id, from, clock())
  })
  const { name, attributes } = cookieOf(site_url, 'session')
  reply.setCookie(name, cookie, { ...attributes, maxAge: max_age_seconds })
}

/** Takes the cookie of a session that is over from the browser. */
export function forgetSession(reply: FastifyReply, site_url: string): void {
  const { name, attributes } = cookieOf(site_url, 'session')
  reply.clearCookie(name, attributes)
}
