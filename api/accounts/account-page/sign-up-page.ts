import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HoldshortError, ParameterError } from '../../../config/errors.ts'
import { fieldsOf, postedTexts } from '../../site/pages/field.ts'
import { type FormFault, formFault } from '../../site/pages/form-fault.ts'
import { form, sendPage } from '../../site/pages/frame.ts'
import { escaped } from '../../site/pages/html.ts'
import { takeRegistrationSlot } from '../keys/registration.ts'
import { knownEmail } from '../people/email.ts'
import { madePasskey, personIdOf } from '../people/passkeys.ts'
import { hashPassword, passwordFault } from '../people/passwords.ts'
import { createPerson, type NewPerson, newPersonId } from '../people/people.ts'
import { safeNext, signIn } from '../people/visitor.ts'
import { type AccountSite, passkeyButton } from './site.ts'

const NAMES = ['email', 'password', 'credential', 'next'] as const
type Posted = Record<(typeof NAMES)[number], string>

/** `/signup`: an account of the free tier for a person, with a password or a passkey at once. */
export function addSignUp(pages: FastifyInstance, site: AccountSite): void {
  const { state, settings } = site.dependencies
  pages.get('/signup', { schema: { hide: true } }, (request, reply) => {
    const next = safeNext((request.query as Record<string, unknown>)['next'])
    if (request.visitor) return reply.redirect(next, 303)
    return signUpPage(request, reply, site, { email: '', next })
  })

  pages.post('/signup', { schema: { hide: true } }, async (request, reply) => {
    const posted = postedTexts(request.body, NAMES)
    const next = safeNext(posted.next)
    try {
      const email = checked(posted)
      // Every try counts, and before it is worked on: whether an email is taken cannot be asked for a list of them.
      await takeRegistrationSlot(state, 'sign-up', settings, request.ip, site.now())
      const by = { actor: 'owner', source: request.ip } as const
      const person = await createPerson(state, await newPerson(site, email, posted), by, site.now())
      if (!person) {
        const message = 'no account can be made with this email; if it is yours, sign in instead'
        throw new ParameterError([{ parameter: 'email', message }])
      }
      await signIn(request, reply, site.dependencies, site.site_url, person, posted.credential ? 'passkey' : 'password')
      return reply.redirect(next, 303)
    } catch (error) {
      return signUpPage(request, reply, site, { email: posted.email, next, refused: formFault(error, reply) })
    }
  })
}

/** The email that was posted. @throws ParameterError naming every field that is wrong. */
function checked({ email: text, password, credential }: Posted): string {
  const email = knownEmail(text)
  const fault = credential === '' ? passwordFault(password, email ?? text) : null
  const faults = [
    ...(email === null ? [{ parameter: 'email', message: 'write an email like ada@example.org' }] : []),
    ...(fault === null ? [] : [{ parameter: 'password', message: fault }]),
  ]
  if (email === null || faults.length > 0) throw new ParameterError(faults)
  return email
}

async function newPerson(site: AccountSite, email: string, { password, credential }: Posted): Promise<NewPerson> {
  const { state } = site.dependencies
  if (credential === '') return { id: newPersonId(), email, password_hash: await hashPassword(password), passkey: null }
  const made = site.party && (await madePasskey(state, site.party, credential, site.now()))
  if (!made)
    throw new HoldshortError('INVALID_PARAMETER', 'the passkey could not be taken; try again, or choose a password')
  const passkey = { ...made.passkey, name: 'First passkey' }
  return { id: personIdOf(made.challenge, state.pepper), email, password_hash: null, passkey }
}

function signUpPage(
  request: FastifyRequest,
  reply: FastifyReply,
  site: AccountSite,
  { email, next, refused }: { email: string; next: string; refused?: FormFault },
): FastifyReply {
  const { contact } = site.dependencies.settings
  const fields = fieldsOf(
    [
      {
        name: 'email',
        label: 'Email',
        type: 'email',
        value: email,
        autocomplete: 'username',
        hint: 'What you sign in with. It is not verified: this service sends no mail.',
      },
      {
        name: 'password',
        label: 'Password',
        type: 'password',
        autocomplete: 'new-password',
        hint: 'At least 12 characters of any kind; a few words will do.',
      },
    ],
    refused?.faults,
  )
  const inner = `<input type="hidden" name="next" value="${escaped(next)}">
${fields}
<button>Sign up</button>
${passkeyButton(site, 'new', 'Sign up with a passkey instead')}`
  const body = `<p>A free account: keys for the API, and MCP clients that you connect. You can choose a plan later.</p>
${refused?.html ?? ''}
${form(request, reply, '/signup', inner)}
<p>You have an account? <a href="/sign-in?next=${escaped(encodeURIComponent(next))}">Sign in</a>.</p>
<p class="hint">As there is no mail, a forgotten password cannot be mailed to you. Add a passkey besides, or ask the operator (${escaped(contact)}) for a one-time link.</p>`
  return sendPage(request, reply, {
    title: 'Sign up',
    description: 'Sign up for Holdshort.',
    body,
    status: refused?.status ?? 200,
    scripts: site.party ? ['passkey'] : [],
  })
}
