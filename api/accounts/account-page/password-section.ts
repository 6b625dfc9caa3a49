import { ParameterError } from '../../../config/errors.ts'
import { fieldsOf } from '../../site/pages/field.ts'
import { form } from '../../site/pages/frame.ts'
import { escaped } from '../../site/pages/html.ts'
import { confirmIdentity } from '../people/authenticate.ts'
import { hashPassword, passwordFault } from '../people/passwords.ts'
import { personById, setPassword } from '../people/people.ts'
import type { AccountSection, ActionOrder, SectionView } from './section.ts'
import { passkeyButton } from './site.ts'

/** Changes the password, or sets the first one of a person with passkeys only. */
export const passwordSection: AccountSection = {
  id: 'password',
  title: 'Password',
  html,
  actions: [
    {
      path: '/account/password',
      fields: ['current_password', 'new_password', 'credential'],
      blamed: 'current_password',
      done: 'Password changed. All other browsers are signed out.',
      run: change,
    },
  ],
}

async function html({ request, reply, site, visitor, faults }: SectionView): Promise<string> {
  const person = await personById(site.dependencies.state.db, visitor.person_id)
  const has = person?.password_hash != null
  const current = { name: 'current_password', label: 'Current password', autocomplete: 'current-password' }
  const fresh = { name: 'new_password', label: 'New password', autocomplete: 'new-password' }
  const hint = 'At least 12 characters. Changing it signs all other browsers out.'
  const fields = fieldsOf(
    [...(has ? [{ ...current, type: 'password' as const }] : []), { ...fresh, type: 'password', hint }],
    faults,
  )
  // By it password managers know whose password this is.
  const username = `<input type="text" autocomplete="username" value="${escaped(visitor.email)}" hidden>`
  if (has) return form(request, reply, '/account/password', `${username}${fields}\n<button>Change password</button>`)
  const none = '<p>You have no password; you sign in by passkey. You may set one besides.</p>'
  return (
    none +
    form(
      request,
      reply,
      '/account/password',
      `${username}${fields}\n${passkeyButton(site, 'use', 'Set it, by your passkey')}`,
    )
  )
}

async function change({ site, visitor, posted, by, from }: ActionOrder): Promise<void> {
  const { state } = site.dependencies
  const { current_password = '', new_password = '', credential = '' } = posted
  const fault = passwordFault(new_password, visitor.email)
  if (fault !== null) throw new ParameterError([{ parameter: 'new_password', message: fault }])
  await confirmIdentity(state, site.party, visitor, { password: current_password, credential }, from)
  await setPassword(state, visitor, await hashPassword(new_password), by, from.now, visitor.session)
}
