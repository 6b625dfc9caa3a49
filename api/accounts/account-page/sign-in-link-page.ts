import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HoldshortError, ParameterError } from '../../../config/errors.ts'
import { fieldsOf, postedTexts } from '../../site/pages/field.ts'
import { type FormFault, formFault } from '../../site/pages/form-fault.ts'
import { form, sendPage } from '../../site/pages/frame.ts'
import { escaped } from '../../site/pages/html.ts'
import { hashPassword, passwordFault } from '../people/passwords.ts'
import { setPassword } from '../people/people.ts'
import { consumeSignInToken } from '../people/sign-in-link.ts'
import { signIn } from '../people/signed-in.ts'
import type { AccountSite } from './site.ts'

/**
 * `/sign-in/link`: signs a person in by a link that the operator has made. Looking at it does not use it up, as programs look
 * at links too; its button does. Who has lost the password can set a new one with it.
 */
export function addSignInLink(pages: FastifyInstance, site: AccountSite): void {
  const { state } = site.dependencies
  pages.get('/sign-in/link', { schema: { hide: true } }, (request, reply) => {
    const { token } = request.query as Record<string, unknown>
    return linkPage(request, reply, typeof token === 'string' ? token : '')
  })
  pages.post('/sign-in/link', { schema: { hide: true } }, async (request, reply) => {
    const { token, new_password } = postedTexts(request.body, ['token', 'new_password'])
    try {
      const fault = new_password === '' ? null : passwordFault(new_password, '')
      if (fault !== null) throw new ParameterError([{ parameter: 'new_password', message: fault }])
      const person = await consumeSignInToken(state, token, site.now())
      if (!person)
        throw new HoldshortError('SIGN_IN_FAILED', 'this link is used, over or none of ours; ask for another')
      const by = { actor: 'owner', source: request.ip } as const
      const { id: person_id, account_id } = person
      if (new_password !== '')
        await setPassword(state, { person_id, account_id }, await hashPassword(new_password), by, site.now())
      await signIn(request, reply, site.dependencies, site.site_url, person, 'link')
      return reply.redirect('/account', 303)
    } catch (error) {
      return linkPage(request, reply, token, formFault(error, reply))
    }
  })
}

function linkPage(request: FastifyRequest, reply: FastifyReply, token: string, refused?: FormFault): FastifyReply {
  const hint =
    'If you have lost the old one. It signs all your browsers out; leave it empty to keep the password you have.'
  const fields = fieldsOf(
    [
      {
        name: 'new_password',
        label: 'New password',
        type: 'password',
        autocomplete: 'new-password',
        hint,
        required: false,
      },
    ],
    refused?.faults,
  )
  const inner = `<input type="hidden" name="token" value="${escaped(token)}">\n${fields}\n<button>Sign in</button>`
  const body = `${refused?.html ?? ''}
<p>This link signs you in once.</p>
${form(request, reply, '/sign-in/link', inner)}`
  return sendPage(request, reply, { title: 'Sign in by link', body, status: refused?.status ?? 200 })
}
