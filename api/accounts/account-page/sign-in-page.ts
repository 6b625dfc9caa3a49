import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fieldsOf, postedTexts } from '../../site/pages/field.ts'
import { type FormFault, formFault } from '../../site/pages/form-fault.ts'
import { form, sendPage } from '../../site/pages/frame.ts'
import { escaped } from '../../site/pages/html.ts'
import { authenticateByPasskey, authenticateByPassword } from '../people/authenticate.ts'
import { normaliseEmail } from '../people/email.ts'
import { safeRedirectPath, signIn } from '../people/signed-in.ts'
import { type AccountSite, passkeyButton } from './site.ts'

/** `/sign-in`: by email and password, or by passkey. */
export function addSignIn(pages: FastifyInstance, site: AccountSite): void {
  const { state } = site.dependencies
  pages.get('/sign-in', { schema: { hide: true } }, (request, reply) => {
    const next = safeRedirectPath((request.query as Record<string, unknown>)['next'])
    if (request.visitor) return reply.redirect(next, 303)
    return signInPage(request, reply, site, { email: '', next })
  })

  pages.post('/sign-in', { schema: { hide: true } }, async (request, reply) => {
    const posted = postedTexts(request.body, ['email', 'password', 'credential', 'next'])
    const next = safeRedirectPath(posted.next)
    const from = { address: request.ip, now: site.now() }
    const method = posted.credential === '' ? 'password' : 'passkey'
    try {
      const person =
        method === 'passkey'
          ? await authenticateByPasskey(state, site.party, posted.credential, from)
          : // What is no email belongs to nobody, and is refused as any that does not.
            await authenticateByPassword(state, normaliseEmail(posted.email) ?? posted.email, posted.password, from)
      await signIn(request, reply, site.dependencies, site.site_url, person, method)
      return reply.redirect(next, 303)
    } catch (error) {
      const refused = formFault(error, reply, method === 'password' ? 'password' : undefined)
      return signInPage(request, reply, site, { email: posted.email, next, refused })
    }
  })
}

function signInPage(
  request: FastifyRequest,
  reply: FastifyReply,
  site: AccountSite,
  { email, next, refused }: { email: string; next: string; refused?: FormFault },
): FastifyReply {
  const { contact } = site.dependencies.settings
  const fields = fieldsOf(
    [
      { name: 'email', label: 'Email', type: 'email', value: email, autocomplete: 'username webauthn' },
      { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' },
    ],
    refused?.faults,
  )
  const inner = `<input type="hidden" name="next" value="${escaped(next)}">
${fields}
<button>Sign in</button>
${passkeyButton(site, 'use', 'Sign in with a passkey')}`
  const body = `${refused?.html ?? ''}
${form(request, reply, '/sign-in', inner)}
<p>New here? <a href="/signup?next=${escaped(encodeURIComponent(next))}">Sign up</a>.</p>
<p class="hint">Lost your password or passkey? This service sends no mail; the operator (${escaped(contact)}) can give you a one-time link.</p>`
  return sendPage(request, reply, {
    title: 'Sign in',
    description: 'Sign in to Holdshort.',
    body,
    status: refused?.status ?? 200,
    scripts: site.party ? ['passkey'] : [],
  })
}
