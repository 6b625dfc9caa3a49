import type { FastifyReply, FastifyRequest } from 'fastify'
import { htmlDocument, pageHeaders } from './document.ts'
import { escaped } from './html.ts'

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

const STRANGERS_WAYS = { '/sign-in': 'Sign in', '/signup': 'Sign up', '/plans': 'Plans', '/': 'Holdshort' }
const OWNERS_WAYS = {
  '/dashboard': 'Dashboard',
  '/alerts': 'Alerts',
  '/plans': 'Plans',
  '/account': 'Account',
  '/': 'Holdshort',
}

/** Ways in: whoever takes the other of them goes on to where the first would have led, to the consent of an MCP client say. */
const KEEPING_NEXT = new Set(['/sign-in', '/signup'])

function nextOf(request: FastifyRequest): string {
  const { next } = request.query as { next?: unknown }
  return typeof next === 'string' ? `?next=${escaped(encodeURIComponent(next))}` : ''
}

/** Sends a page with its frame: never cached, and with the ways about for whoever is signed in. */
export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { title, description = title, body, status = 200, scripts = [], formTargets = [] }: PageParts,
): FastifyReply {
  const ways = Object.entries(request.visitor ? OWNERS_WAYS : STRANGERS_WAYS).map(([href, text]) => {
    const here = request.url.split('?')[0] === href ? ' aria-current="page"' : ''
    return `<li><a href="${href}${KEEPING_NEXT.has(href) ? nextOf(request) : ''}"${here}>${text}</a></li>`
  })
  const page = htmlDocument({
    title: `${title} · Holdshort`,
    description,
    skip: { to: 'main', text: 'Skip to the content' },
    simulated: false,
    scripts,
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
export const subjectOf = ({ visitor }: FastifyRequest) => visitor?.session ?? 'stranger'

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
