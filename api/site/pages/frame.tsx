import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { Document, pageHeaders, renderDocument } from './document.tsx'

/** A page as a route describes it. */
export interface Page {
  /** Becomes the `h1` too. */
  title: string
  description?: string
  /** The main part, below the `h1`. */
  body: ComponentChildren
  status?: number
  /** Our own scripts that the page loads, by their file names in `pages/browser/`. */
  scripts?: string[]
  /** Other origins that a form of the page may be redirected to. */
  formTargets?: string[]
}

const LINKS_SIGNED_OUT = { '/sign-in': 'Sign in', '/signup': 'Sign up', '/plans': 'Plans', '/': 'Holdshort' }
const LINKS_SIGNED_IN = {
  '/dashboard': 'Dashboard',
  '/alerts': 'Alerts',
  '/plans': 'Plans',
  '/account': 'Account',
  '/': 'Holdshort',
}

/** Pages that lead on to `?next=`: switching between them keeps it, for example on the way to the consent page. */
const KEEPS_NEXT = new Set(['/sign-in', '/signup'])

function nextOf(request: FastifyRequest): string {
  const { next } = request.query as { next?: unknown }
  return typeof next === 'string' ? `?next=${encodeURIComponent(next)}` : ''
}

function Navigation({ request }: { request: FastifyRequest }) {
  const current = request.url.split('?')[0]
  const links = Object.entries(request.visitor ? LINKS_SIGNED_IN : LINKS_SIGNED_OUT)
  return (
    <nav aria-label="Pages">
      <ul>
        {links.map(([href, text]) => (
          <li>
            <a
              href={KEEPS_NEXT.has(href) ? href + nextOf(request) : href}
              aria-current={current === href ? 'page' : undefined}
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Sends a page with the navigation above it. It is never cached. */
export function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply {
  const { title, description = title, body, status = 200, scripts = [], formTargets = [] } = page
  const html = renderDocument(
    <Document
      title={`${title} · Holdshort`}
      description={description}
      skip={{ to: 'main', text: 'Skip to the content' }}
      simulated={false}
      scripts={scripts}
    >
      <header>
        <Navigation request={request} />
      </header>
      <main id="main" tabindex={-1}>
        <h1>{title}</h1>
        <FormToken.Provider value={formToken(request, reply)}>{body}</FormToken.Provider>
      </main>
    </Document>,
  )
  return reply
    .code(status)
    .headers({ ...pageHeaders({ forms: formTargets, scripts: scripts.length > 0 }), 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(html)
}

/** What the CSRF token of a form is bound to: the session, if there is one. The library refuses an empty text. */
export const csrfSubject = ({ visitor }: FastifyRequest) => visitor?.session ?? 'stranger'

const FormToken = createContext<() => string>(() => {
  throw new Error('a form stands outside a page that sendPage sends')
})

/** Makes the CSRF token of a page when its first form is rendered. One token serves all forms, because each new one may set a cookie. */
function formToken(request: FastifyRequest, reply: FastifyReply): () => string {
  let token: string | null = null
  return () => {
    token ??= reply.generateCsrf({ userInfo: csrfSubject(request) })
    return token
  }
}

/** A form that is posted to a path of ours, with its CSRF token. */
export function Form({ action, children }: { action: string; children: ComponentChildren }) {
  const token = useContext(FormToken)
  return (
    <form method="post" action={action}>
      <input type="hidden" name="_csrf" value={token()} />
      {children}
    </form>
  )
}
