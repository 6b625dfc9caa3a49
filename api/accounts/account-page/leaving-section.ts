import type { FastifyReply, FastifyRequest } from 'fastify'
import { ParameterError } from '../../../config/errors.ts'
import { fieldsOf } from '../../site/pages/field.ts'
import { form, sendPage } from '../../site/pages/frame.ts'
import { escaped } from '../../site/pages/html.ts'
import { confirmIdentity } from '../people/authenticate.ts'
import { normaliseEmail } from '../people/email.ts'
import { passkeysOf } from '../people/passkeys.ts'
import { personById } from '../people/people.ts'
import { clearSessionCookie } from '../people/signed-in.ts'
import { deleteAccount } from './delete-account.ts'
import { exportAccount } from './export-account.ts'
import type { AccountSection, ActionOrder, Answer, SectionView } from './section.ts'
import { passkeyButton } from './site.ts'

/** Gives everything held about the account, and deletes the account. */
export const leavingSection: AccountSection = {
  id: 'leaving',
  title: 'Your data',
  html,
  actions: [
    { path: '/account/export', fields: [], done: 'Exported.', run: download },
    {
      path: '/account/delete',
      fields: ['typed_email', 'delete_password', 'credential'],
      blamed: 'delete_password',
      done: 'Deleted.',
      run: leave,
    },
  ],
}

async function html({ request, reply, site, visitor, faults }: SectionView): Promise<string> {
  const { state } = site.dependencies
  const person = await personById(state.db, visitor.person_id)
  const has = person?.password_hash != null
  const hint = `Type <strong>${escaped(visitor.email)}</strong> to show that you mean it.`
  const typed = { name: 'typed_email', label: 'Email of the account to delete', autocomplete: 'off', hint }
  const password = { name: 'delete_password', label: 'Your password', autocomplete: 'current-password' }
  const fields = fieldsOf([typed, ...(has ? [{ ...password, type: 'password' as const }] : [])], faults)
  const byPasskey = (await passkeysOf(state, visitor.person_id)).length > 0
  const inner = `${fields}
${has ? '<button class="danger">Delete the account</button>' : ''}
${byPasskey ? passkeyButton(site, 'use', 'Delete the account, by your passkey') : ''}`
  return `<p>Everything held about your account, as JSON, without secrets.</p>
${form(request, reply, '/account/export', '<button class="second">Download</button>')}
<h3>Delete the account</h3>
<p>Keys, browsers and connected clients are refused at once, and what is personal is removed. This cannot be undone. Cancel a paid plan first.</p>
${form(request, reply, '/account/delete', inner)}`
}

async function download({ site, visitor, by, from }: ActionOrder): Promise<Answer> {
  const exported = await exportAccount(site.dependencies.state, visitor, by, from.now)
  const day = new Date(from.now).toISOString().slice(0, 10)
  return (_request, reply) =>
    reply
      .headers({
        'cache-control': 'no-store',
        'content-disposition': `attachment; filename="holdshort-account-${day}.json"`,
      })
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(exported, null, 2))
}

async function leave({ site, visitor, posted, by, from }: ActionOrder): Promise<Answer> {
  const { state } = site.dependencies
  const { typed_email = '', delete_password = '', credential = '' } = posted
  if (normaliseEmail(typed_email) !== visitor.email)
    throw new ParameterError([{ parameter: 'typed_email', message: 'this is not the email of the account' }])
  await confirmIdentity(state, site.party, visitor, { password: delete_password, credential }, from)
  await deleteAccount(state, visitor, by, from.now)
  return (request: FastifyRequest, reply: FastifyReply) => {
    clearSessionCookie(reply, site.site_url)
    request.visitor = null
    const body = '<p>Your account is deleted. What must be kept, as invoices must, is kept without you in it.</p>'
    return sendPage(request, reply, { title: 'Account deleted', body })
  }
}
