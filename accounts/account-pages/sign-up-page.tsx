import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { contactUri } from '../../config/contact.ts'
import { HoldshortError, ParameterError, type ParameterFault } from '../../config/errors.ts'
import { Fields, postedTexts } from '../../site/pages/fields.tsx'
import { Form, sendPage } from '../../site/pages/frame.tsx'
import { type RefusedForm, refusedForm } from '../../site/pages/refused-form.tsx'
import { PlanTerms } from '../billing/plan-terms.tsx'
import { takeRegistrationSlot } from '../keys/registration.ts'
import { normaliseEmail } from '../people/email.ts'
import { type PasskeyOwner, personIdOf, verifyNewPasskey } from '../people/passkeys.ts'
import { hashPassword, passwordFault } from '../people/passwords.ts'
import { createPerson, type NewPerson, newPersonId, personByEmail } from '../people/people.ts'
import { ownerActor, safeRedirectPath, signIn } from '../people/signed-in.ts'
import { type AccountContext, PasskeyButton, Purpose } from './account-section.tsx'

const FIELDS = ['email', 'password', 'credential', 'next'] as const
type Posted = Record<(typeof FIELDS)[number], string>

/** Adds `/signup`, which makes a free account for a person with a password or a passkey. */
export function addSignUp(pages: FastifyInstance, context: AccountContext): void {
  const { state } = context.dependencies
  pages.get('/signup', (request, reply) => {
    const next = safeRedirectPath((request.query as Record<string, unknown>)['next'])
    if (request.visitor) return reply.redirect(next, 303)
    return signUpPage(request, reply, context, { email: '', next })
  })

  pages.post('/signup', async (request, reply) => {
    const posted = postedTexts(request.body, FIELDS)
    const next = safeRedirectPath(posted.next)
    try {
      const email = validEmail(posted)
      // With a passkey the attempt was counted before the device made it.
      if (posted.credential === '') await countSignUp(context, request)
      const by = ownerActor(request)
      const person = await createPerson(state, await newPerson(context, email, posted), by, context.now())
      if (!person) throw emailTaken()
      const method = posted.credential ? 'passkey' : 'password'
      await signIn(request, reply, context.dependencies, context.site_url, person, method)
      return reply.redirect(next, 303)
    } catch (error) {
      return signUpPage(request, reply, context, { email: posted.email, next, refused: refusedForm(error, reply) })
    }
  })
}

/** Every attempt counts, before any work is done, so that nobody can test a list of emails for being taken. @throws RateLimitedError */
const countSignUp = ({ dependencies: { state, settings }, now }: AccountContext, { ip }: FastifyRequest) =>
  takeRegistrationSlot(state, 'sign-up', settings, ip, now())

const emailTaken = () =>
  ParameterError.of('email', 'no account can be made with this email; if it is yours, sign in instead')

/**
 * Checks all that a person needs who signs up with a passkey, before the device makes it: it would stay there.
 * @throws ParameterError, RateLimitedError
 */
export async function ownerOfFirstPasskey(
  context: AccountContext,
  request: FastifyRequest,
  text: string,
): Promise<PasskeyOwner> {
  const email = normaliseEmail(text)
  if (email === null) throw new ParameterError([INVALID_EMAIL])
  await countSignUp(context, request)
  if (await personByEmail(context.dependencies.state.db, email)) throw emailTaken()
  return { id: null, email, passkeys: [] }
}

const INVALID_EMAIL = { parameter: 'email', message: 'write an email like ada@example.org' }

/** The posted email, after checking email and password. @throws ParameterError naming every field that is wrong. */
function validEmail({ email: text, password, credential }: Posted): string {
  const email = normaliseEmail(text)
  const faults: ParameterFault[] = []
  if (email === null) faults.push(INVALID_EMAIL)
  const fault = credential === '' ? passwordFault(password, email ?? text) : null
  if (fault !== null) faults.push({ parameter: 'password', message: fault })
  if (email === null || faults.length > 0) throw new ParameterError(faults)
  return email
}

async function newPerson(context: AccountContext, email: string, { password, credential }: Posted): Promise<NewPerson> {
  const { state } = context.dependencies
  if (credential === '') return { id: newPersonId(), email, password_hash: await hashPassword(password), passkey: null }
  const made = context.party && (await verifyNewPasskey(state, context.party, email, credential, context.now()))
  if (!made)
    throw new HoldshortError('INVALID_PARAMETER', 'the passkey was not accepted; try again, or choose a password')
  const passkey = { ...made.passkey, name: 'First passkey' }
  return { id: personIdOf(made.challenge, state.pepper), email, password_hash: null, passkey }
}

function signUpPage(
  request: FastifyRequest,
  reply: FastifyReply,
  context: AccountContext,
  { email, next, refused }: { email: string; next: string; refused?: RefusedForm },
): FastifyReply {
  const body = (
    <>
      {refused?.warning}
      <div class="columns">
        <div>
          <p>A free account: keys for the API, and MCP clients that you connect. You can choose a plan later.</p>
          <Purpose next={next} />
          <Form action="/signup">
            <input type="hidden" name="next" value={next} />
            <Fields
              fields={[
                {
                  name: 'email',
                  label: 'Email',
                  type: 'email',
                  value: email,
                  autocomplete: 'username',
                  hint: 'You sign in with it. It is not verified: this service sends no mail.',
                },
                {
                  name: 'password',
                  label: 'Password',
                  type: 'password',
                  autocomplete: 'new-password',
                  hint: 'At least 12 characters of any kind, for example a few words.',
                },
              ]}
              faults={refused?.faults}
            />
            <p class="hint">
              <a href="/privacy">What is stored about you</a>, and the <a href="/terms">terms</a>.
            </p>
            <button>Sign up</button>
            <PasskeyButton context={context} kind="new" text="Sign up with a passkey instead" />
          </Form>
          <p>
            Already have an account? <a href={`/sign-in?next=${encodeURIComponent(next)}`}>Sign in</a>.
          </p>
          <p class="hint">
            This service sends no mail, so a forgotten password cannot be reset by mail. Add a passkey as well, or ask{' '}
            <a href={contactUri(context.dependencies.settings.contact)}>the operator</a> for a one-time link.
          </p>
        </div>
        <div class="plans">
          <section class="plan" aria-labelledby="free-title">
            <h2 id="free-title">The Free plan</h2>
            <PlanTerms tier="free" />
            <p>
              <a href="/plans">All plans</a>
            </p>
          </section>
        </div>
      </div>
    </>
  )
  return sendPage(request, reply, {
    title: 'Sign up',
    description: 'Sign up for Holdshort.',
    body,
    status: refused?.status ?? 200,
    scripts: context.party ? ['passkey'] : [],
  })
}
