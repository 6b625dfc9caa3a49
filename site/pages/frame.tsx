import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { pageHeaders, renderDocument } from './document.tsx'
import { isWithin, type Page, Shell } from './shell.tsx'
import { viewOf } from './view.ts'

/** Sends a page that is made for this request. It is never cached. */
export function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply {
  const { status = 200, formTargets = [] } = page
  const above = isAccountPage(request) ? <AccountLinks request={request} /> : null
  const html = renderDocument(
    <FormToken.Provider value={formToken(request, reply)}>
      <Shell view={viewOf(request)} page={page} above={above} />
    </FormToken.Provider>,
  )
  return reply
    .code(status)
    .headers({ ...pageHeaders({ formTargets }), 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(html)
}

/** The subject of a form's CSRF token: the session, if there is one. The library refuses an empty text. */
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

interface ButtonFormProps {
  action: string
  /** The value that the form sends, by its name. */
  field?: Record<string, string>
  kind?: 'second' | 'danger'
  /** The action of the button, if its text alone does not name the object. */
  label?: string
  text: string
}

/** A form that is only a button. */
export const ButtonForm = ({ action, field = {}, kind = 'second', label, text }: ButtonFormProps) => (
  <Form action={action}>
    {Object.entries(field).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
    <button class={kind} aria-label={label}>
      {text}
    </button>
  </Form>
)

const ACCOUNT_LINKS = { '/dashboard': 'Dashboard', '/alerts': 'Alerts', '/plans': 'Plans', '/account': 'Account' }
const STRANGER_LINKS = { '/sign-in': 'Sign in', '/signup': 'Sign up', '/plans': 'Plans' }

/** Pages that lead on to `?next=`: switching between them keeps it, for example on the way to the consent page. */
const KEEPS_NEXT = new Set(['/sign-in', '/signup'])

function nextOf(request: FastifyRequest): string {
  const { next } = request.query as { next?: unknown }
  return typeof next === 'string' ? `?next=${encodeURIComponent(next)}` : ''
}

const ACCOUNT_PAGES = Object.keys({ ...ACCOUNT_LINKS, ...STRANGER_LINKS })

const isAccountPage = (request: FastifyRequest) => ACCOUNT_PAGES.some((path) => isWithin(viewOf(request).path, path))

/** The links between the pages of an account, above their content. */
function AccountLinks({ request }: { request: FastifyRequest }) {
  const { path } = viewOf(request)
  return (
    <nav class="pages" aria-label="Account">
      <ul>
        {Object.entries(request.visitor ? ACCOUNT_LINKS : STRANGER_LINKS).map(([href, text]) => (
          <li>
            <a
              href={KEEPS_NEXT.has(href) ? href + nextOf(request) : href}
              aria-current={path === href ? 'page' : undefined}
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
