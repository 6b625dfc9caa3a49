import fastifyCookie from '@fastify/cookie'
import fastifyCsrf from '@fastify/csrf-protection'
import fastifyFormbody from '@fastify/formbody'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ERROR_CODES, HoldshortError } from '../../config/errors.ts'
import { addresses } from '../../config/settings.ts'
import type { Gate } from '../access/admission.ts'
import type { AppDependencies } from '../dependencies.ts'
import { asHoldshortError } from '../rest/problem.ts'
import { htmlDocument, pageHeaders } from '../site/document.ts'
import { escaped } from '../site/html.ts'
import { derivedKey } from '../state/secrets.ts'
import { PAGES } from './index.ts'
import { cookieOf, readVisitors } from './visitor.ts'

/** A page as a route makes it. */
export interface PageParts {
  title: string
  description?: string
  /** HTML of the main part, without its h1, which is the title. */
  body: string
  status?: number
  /** Scripts of ours that it needs, by the names of their files in `pages/browser/`. */
  scripts?: string[]
  /** Other origins that a form of it may end up at, after redirects. */
  formTargets?: string[]
}

/**
 * The pages for people, in a scope of their own: cookies, forms, who is signed in, faults as pages. A POST must come from a
 * page of ours: by the browser's own word (Sec-Fetch-Site, Origin) and by the token in its form.
 */
export async function addPages(app: FastifyInstance, dependencies: AppDependencies, gate: Gate): Promise<void> {
  const { settings, state, logger } = dependencies
  const { site_url } = addresses(settings)
  await app.register(async (pages) => {
    await pages.register(fastifyCookie)
    await pages.register(fastifyFormbody)
    const { name, attributes } = cookieOf(site_url, 'csrf')
    await pages.register(fastifyCsrf, {
      ...{ cookieKey: name, cookieOpts: attributes },
      csrfOpts: { hmacKey: derivedKey(state.pepper, 'csrf').toString('base64url') },
      getUserInfo: (request) => subjectOf(request),
    })
    readVisitors(pages, dependencies, site_url)
    pages.addHook('onRequest', async ({ method, headers }) => {
      const origin = headers.origin ?? site_url
      const site = headers['sec-fetch-site'] ?? 'same-origin'
      if (method === 'POST' && (origin !== new URL(site_url).origin || !['same-origin', 'none'].includes(site)))
        throw formRefused()
    })
    pages.addHook('preHandler', (request, reply, done) => {
      if (request.method === 'POST') pages.csrfProtection(request, reply, done)
      else done()
    })
    pages.setErrorHandler((thrown: FastifyError, request, reply) => {
      const error = thrown.code?.startsWith('FST_CSRF') ? formRefused() : pageError(thrown)
      if (error.code === 'INTERNAL') logger?.error({ err: thrown, request_id: request.id }, 'a page failed')
      const { status, title } = ERROR_CODES[error.code]
      const body = `<p>${escaped(error.message)}.</p>\n<p class="none">${error.code}, request ${escaped(request.id)}</p>`
      return sendPage(request, reply, { title, body, status })
    })
    for (const add of PAGES) await add(pages, dependencies, gate)
  })
}

const formRefused = () =>
  new HoldshortError(
    'FORM_REFUSED',
    'the form was not sent from this site’s own page, or the page is old; load it again',
  )

/** Pages may show any of our errors; what is not ours says nothing of our insides. */
const pageError = (thrown: Error) => (thrown instanceof HoldshortError ? thrown : asHoldshortError(thrown))

const STRANGERS_WAYS = { '/sign-in': 'Sign in', '/signup': 'Sign up', '/plans': 'Plans', '/': 'Holdshort' }
const OWNERS_WAYS = {
  '/dashboard': 'Dashboard',
  '/alerts': 'Alerts',
  '/plans': 'Plans',
  '/account': 'Account',
  '/': 'Holdshort',
}

/** Sends a page with its frame: never cached, and with the ways about for whoever is signed in. */
export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { title, description = title, body, status = 200, scripts = [], formTargets = [] }: PageParts,
): FastifyReply {
  const ways = Object.entries(request.visitor ? OWNERS_WAYS : STRANGERS_WAYS).map(([href, text]) => {
    const here = request.url.split('?')[0] === href ? ' aria-current="page"' : ''
    return `<li><a href="${href}"${here}>${text}</a></li>`
  })
  const page = htmlDocument({
    ...{ title: `${title} · Holdshort`, description, skip: { to: 'main', text: 'Skip to the content' } },
    ...{ simulated: false, scripts },
    body: `<header><nav aria-label="Pages"><ul>${ways.join('')}</ul></nav></header>
<main id="main" tabindex="-1">
<h1>${escaped(title)}</h1>
${body}
</main>`,
  })
  return reply
    .code(status)
    .headers({ ...pageHeaders({ forms: formTargets, scripts: scripts.length > 0 }), 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(page)
}

/** What a form's token is bound to: a session, or none. The library refuses an empty text. */
const subjectOf = ({ visitor }: FastifyRequest) => visitor?.session ?? 'stranger'

/** The token of a page's forms. Made once: while a browser has no cookie yet, each making sets another one. */
const tokens = new WeakMap<FastifyRequest, string>()

/** A form of ours that is posted to a path of ours. `inner` is HTML. */
export function form(request: FastifyRequest, reply: FastifyReply, action: string, inner: string): string {
  const token = tokens.get(request) ?? reply.generateCsrf({ userInfo: subjectOf(request) })
  tokens.set(request, token)
  return `<form method="post" action="${escaped(action)}"><input type="hidden" name="_csrf" value="${escaped(token)}">
${inner}
</form>`
}
