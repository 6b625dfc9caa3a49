import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { startSession, type Visitor, visitorOf } from '../account/sessions.ts'
import type { AppDependencies } from '../dependencies.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in, on pages; null for a stranger. */
    visitor: Visitor | null
  }
}

/** Name and attributes of a cookie of ours: bound to this host alone where the site is https. */
export function cookieOf(site_url: string, name: string) {
  const secure = site_url.startsWith('https:')
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const
  return { name: secure ? `__Host-hs_${name}` : `hs_${name}`, attributes }
}

/** Finds out who is signed in before a page is made. */
export function readVisitors(pages: FastifyInstance, { state, clock = Date.now }: AppDependencies, site_url: string) {
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
  return url.origin === base ? url.pathname + url.search : '/dashboard'
}

/** Signs the browser in that sent this request. */
export async function signIn(
  request: FastifyRequest,
  reply: FastifyReply,
  { state, clock = Date.now }: AppDependencies,
  site_url: string,
  person_id: string,
): Promise<void> {
  const from = { source: request.ip, user_agent: request.headers['user-agent'] ?? null }
  const { cookie, max_age_seconds } = await startSession(state, person_id, from, clock())
  const { name, attributes } = cookieOf(site_url, 'session')
  reply.setCookie(name, cookie, { ...attributes, maxAge: max_age_seconds })
}
