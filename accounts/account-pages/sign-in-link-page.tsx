import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HoldshortError, ParameterError } from '../../config/errors.ts'
import { Fields, postedTexts } from '../../site/pages/fields.tsx'
import { Form, sendPage } from '../../site/pages/frame.tsx'
import { type RefusedForm, refusedForm } from '../../site/pages/refused-form.tsx'
import { hashPassword, passwordFault } from '../people/passwords.ts'
import { setPassword } from '../people/people.ts'
import { consumeSignInToken } from '../people/sign-in-link.ts'
import { ownerActor, signIn } from '../people/signed-in.ts'
import type { AccountContext } from './account-section.tsx'

/**
 * Adds `/sign-in/link`, where a one-time link of the operator signs a person in and can set a new password. Loading the page
 * does not use up the link, because programs load links too; pressing its button does.
 */
export function addSignInLink(pages: FastifyInstance, context: AccountContext): void {
  const { state } = context.dependencies
  pages.get('/sign-in/link', (request, reply) => {
    const { token } = request.query as Record<string, unknown>
    return linkPage(request, reply, typeof token === 'string' ? token : '')
  })
  pages.post('/sign-in/link', async (request, reply) => {
    const { token, new_password } = postedTexts(request.body, ['token', 'new_password'])
    try {
      const person = await consumeSignInToken(state, token, context.now(), ({ email }) => {
        const fault = new_password === '' ? null : passwordFault(new_password, email)
        if (fault !== null) throw ParameterError.of('new_password', fault)
      })
      if (!person)
        throw new HoldshortError(
          'SIGN_IN_FAILED',
          'this link is used, expired, older than the password or unknown; ask for a new one',
        )
      const by = ownerActor(request)
      const stored =
        new_password === ''
          ? person
          : await setPassword(state, person, await hashPassword(new_password), by, context.now())
      await signIn(request, reply, context.dependencies, context.site_url, stored, 'link')
      return reply.redirect('/account', 303)
    } catch (error) {
      return linkPage(request, reply, token, refusedForm(error, reply))
    }
  })
}

function linkPage(request: FastifyRequest, reply: FastifyReply, token: string, refused?: RefusedForm): FastifyReply {
  const body = (
    <>
      {refused?.warning}
      <p>This link signs you in once.</p>
      <Form action="/sign-in/link">
        <input type="hidden" name="token" value={token} />
        <Fields
          fields={[
            {
              name: 'new_password',
              label: 'New password',
              type: 'password',
              autocomplete: 'new-password',
              hint: 'Only if you have lost your password or your passkey, because without either you cannot add another passkey. A new password signs out all your browsers. Leave it empty to keep what you have.',
              required: false,
            },
          ]}
          faults={refused?.faults}
        />
        <button>Sign in</button>
      </Form>
    </>
  )
  return sendPage(request, reply, { title: 'Sign in by link', body, status: refused?.status ?? 200 })
}
