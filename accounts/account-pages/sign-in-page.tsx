import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { contactUri } from '../../config/contact.ts'
import { Fields, postedTexts } from '../../site/pages/fields.tsx'
import { Form, sendPage } from '../../site/pages/frame.tsx'
import { type RefusedForm, refusedForm } from '../../site/pages/refused-form.tsx'
import { authenticateByPasskey, authenticateByPassword } from '../people/authenticate.ts'
import { normaliseEmail } from '../people/email.ts'
import { deviceCookieOf, safeRedirectPath, signIn } from '../people/signed-in.ts'
import { type AccountContext, PasskeyButton, Purpose } from './account-section.tsx'

/** Adds `/sign-in`, by email and password or by passkey. */
export function addSignIn(pages: FastifyInstance, context: AccountContext): void {
  const { state } = context.dependencies
  // Addresses that people type.
  pages.get('/login', (_request, reply) => reply.redirect('/sign-in', 308))
  pages.get('/sign-in', (request, reply) => {
    const next = safeRedirectPath((request.query as Record<string, unknown>)['next'])
    if (request.visitor) return reply.redirect(next, 303)
    return signInPage(request, reply, context, { email: '', next })
  })

  pages.post('/sign-in', async (request, reply) => {
    const posted = postedTexts(request.body, ['email', 'password', 'credential', 'next'])
    const next = safeRedirectPath(posted.next)
    const device_cookie = deviceCookieOf(request, context.site_url)
    const from = { address: request.ip, now: context.now(), device_cookie }
    const method = posted.credential === '' ? 'password' : 'passkey'
    try {
      const person =
        method === 'passkey'
          ? await authenticateByPasskey(state, context.party, posted.credential, from)
          : // A text that is no email is refused like an unknown email.
            await authenticateByPassword(state, normaliseEmail(posted.email) ?? posted.email, posted.password, from)
      await signIn(request, reply, context.dependencies, context.site_url, person, method)
      return reply.redirect(next, 303)
    } catch (error) {
      const refused = refusedForm(error, reply, method === 'password' ? 'password' : undefined)
      return signInPage(request, reply, context, { email: posted.email, next, refused })
    }
  })
}

function signInPage(
  request: FastifyRequest,
  reply: FastifyReply,
  context: AccountContext,
  { email, next, refused }: { email: string; next: string; refused?: RefusedForm },
): FastifyReply {
  const body = (
    <>
      {refused?.warning}
      <Purpose next={next} />
      <Form action="/sign-in">
        <input type="hidden" name="next" value={next} />
        <Fields
          fields={[
            { name: 'email', label: 'Email', type: 'email', value: email, autocomplete: 'username webauthn' },
            { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' },
          ]}
          faults={refused?.faults}
        />
        <button>Sign in</button>
        <PasskeyButton context={context} kind="use" text="Sign in with a passkey" />
      </Form>
      <p>
        New here? <a href={`/signup?next=${encodeURIComponent(next)}`}>Sign up</a>.
      </p>
      <p class="hint">
        Lost your password or passkey? This service sends no mail.{' '}
        <a href={contactUri(context.dependencies.settings.contact)}>The operator</a> can give you a one-time link.
      </p>
    </>
  )
  return sendPage(request, reply, {
    title: 'Sign in',
    description: 'Sign in to Holdshort.',
    body,
    status: refused?.status ?? 200,
    scripts: context.party ? ['passkey'] : [],
  })
}
