import { Readable } from 'node:stream'
import { ParameterError } from '../../config/errors.ts'
import { utcDayOf } from '../../config/vocabulary.ts'
import { type Field, Fields } from '../../site/pages/fields.tsx'
import { ButtonForm, Form, sendPage } from '../../site/pages/frame.tsx'
import type { Visitor } from '../../site/pages/visitor.ts'
import { closeCheckout } from '../billing/checkout.ts'
import { deleteCustomer, findCustomer } from '../billing/customer.ts'
import { confirmIdentity } from '../people/authenticate.ts'
import { normaliseEmail } from '../people/email.ts'
import { passkeysOf } from '../people/passkeys.ts'
import { personById } from '../people/people.ts'
import { clearSessionCookie, forgetDevice } from '../people/signed-in.ts'
import { deleteAccount } from '../privacy/delete-account.ts'
import { exportAccount, exportText } from '../privacy/export-account.ts'
import {
  type AccountContext,
  type AccountSection,
  type ActionInput,
  type Answer,
  PasskeyButton,
  type SectionView,
} from './account-section.tsx'

/** Exports everything stored about the account, and deletes the account. */
export const exportAndDeleteSection: AccountSection = {
  id: 'leaving',
  title: 'Your data',
  render,
  actions: [
    { path: '/account/export', fields: [], done: 'Exported.', run: download },
    {
      path: '/account/delete',
      fields: ['typed_email', 'delete_password', 'credential'],
      proofField: 'delete_password',
      done: 'Deleted.',
      run: deleteOwnAccount,
    },
  ],
}

async function render({ context, visitor, faults }: SectionView) {
  const { state } = context.dependencies
  const person = await personById(state.db, visitor.person_id)
  const hasPassword = person?.password_hash != null
  const hasPasskey = (await passkeysOf(state, visitor.person_id)).length > 0
  const fields: Field[] = [
    {
      name: 'typed_email',
      label: 'Email of the account to delete',
      autocomplete: 'off',
      hint: (
        <>
          Type <strong>{visitor.email}</strong> to confirm.
        </>
      ),
    },
  ]
  if (hasPassword)
    fields.push({
      name: 'delete_password',
      label: 'Your password',
      type: 'password',
      autocomplete: 'current-password',
    })
  return (
    <>
      <p>Everything stored about your account, as JSON, without secrets.</p>
      <ButtonForm action="/account/export" text="Download" />
      <h3>Delete the account</h3>
      <p>
        Keys, browsers and connected clients stop working at once, and your personal data is removed. This cannot be
        undone. Cancel a paid plan first.{(await hasPaid(context, visitor)) && ` ${AT_STRIPE}`}
      </p>
      <Form action="/account/delete">
        <Fields fields={fields} faults={faults} />
        {hasPassword && <button class="danger">Delete the account</button>}
        {hasPasskey && <PasskeyButton context={context} kind="use" text="Delete the account with your passkey" />}
      </Form>
    </>
  )
}

/** Whether an account ever had a subscription. */
const hasPaid = async ({ dependencies }: AccountContext, { account_id }: Visitor) =>
  ((await findCustomer(dependencies.state, account_id))?.subscription_id ?? null) !== null

const AT_STRIPE =
  'What Stripe knows of a paid plan (your email, payments and invoices) stays there, because law asks sellers to keep it.'

async function download({ context, visitor, by, from }: ActionInput): Promise<Answer> {
  const exported = await exportAccount(context.dependencies.state, visitor, by, from.now)
  const day = utcDayOf(from.now)
  return (_request, reply) =>
    reply
      .headers({
        'cache-control': 'no-store',
        'content-disposition': `attachment; filename="holdshort-account-${day}.json"`,
      })
      .type('application/json; charset=utf-8')
      .send(Readable.from(exportText(exported)))
}

async function deleteOwnAccount({ context, visitor, posted, by, from }: ActionInput): Promise<Answer> {
  const { state } = context.dependencies
  const { typed_email = '', delete_password = '', credential = '' } = posted
  if (normaliseEmail(typed_email) !== visitor.email)
    throw ParameterError.of('typed_email', 'this is not the email of the account')
  await confirmIdentity(state, context.party, visitor, { password: delete_password, credential }, from)
  await closeCheckout(context.dependencies, visitor.account_id)
  const wasPaid = await hasPaid(context, visitor)
  // Nobody needs the customer of an account that never bought anything.
  if (!wasPaid) await deleteCustomer(context.dependencies, visitor.account_id)
  await deleteAccount(state, visitor, by, from.now)
  return (request, reply) => {
    clearSessionCookie(reply, context.site_url)
    forgetDevice(reply, context.site_url)
    request.visitor = null
    const body = (
      <p>
        Your account is deleted. The calls that invoices are based on are kept without your personal data.
        {wasPaid && ` ${AT_STRIPE}`}
      </p>
    )
    return sendPage(request, reply, { title: 'Account deleted', body })
  }
}
