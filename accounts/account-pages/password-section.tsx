import { ParameterError } from '../../config/errors.ts'
import { type Field, Fields } from '../../site/pages/fields.tsx'
import { Form } from '../../site/pages/frame.tsx'
import { confirmIdentity } from '../people/authenticate.ts'
import { hashPassword, passwordFault } from '../people/passwords.ts'
import { personById, setPassword } from '../people/people.ts'
import { type AccountSection, type ActionInput, PasskeyButton, type SectionView } from './account-section.tsx'

/** Changes the password, or sets the first password of a person who has only passkeys. */
export const passwordSection: AccountSection = {
  id: 'password',
  title: 'Password',
  render,
  actions: [
    {
      path: '/account/password',
      fields: ['current_password', 'new_password', 'credential'],
      proofField: 'current_password',
      done: 'Password changed. All other browsers are signed out.',
      run: change,
    },
  ],
}

const CURRENT_PASSWORD: Field = {
  name: 'current_password',
  label: 'Current password',
  type: 'password',
  autocomplete: 'current-password',
}
const NEW_PASSWORD: Field = {
  name: 'new_password',
  label: 'New password',
  type: 'password',
  autocomplete: 'new-password',
  hint: 'At least 12 characters. A new password signs out all other browsers.',
}

async function render({ context, visitor, faults }: SectionView) {
  const person = await personById(context.dependencies.state.db, visitor.person_id)
  const hasPassword = person?.password_hash != null
  return (
    <>
      {!hasPassword && <p>You have no password; you sign in with a passkey. You can add a password.</p>}
      <Form action="/account/password">
        {/* Password managers store the password under this name. */}
        <input type="text" autocomplete="username" value={visitor.email} hidden />
        <Fields fields={hasPassword ? [CURRENT_PASSWORD, NEW_PASSWORD] : [NEW_PASSWORD]} faults={faults} />
        {hasPassword ? (
          <button>Change password</button>
        ) : (
          <PasskeyButton context={context} kind="use" text="Set it with your passkey" />
        )}
      </Form>
    </>
  )
}

async function change({ context, visitor, posted, by, from }: ActionInput): Promise<void> {
  const { state } = context.dependencies
  const { current_password = '', new_password = '', credential = '' } = posted
  const fault = passwordFault(new_password, visitor.email)
  if (fault !== null) throw ParameterError.of('new_password', fault)
  const proof = { password: current_password, credential }
  const person = await confirmIdentity(state, context.party, visitor, proof, from)
  await setPassword(state, person, await hashPassword(new_password), by, from.now, visitor.session)
}
