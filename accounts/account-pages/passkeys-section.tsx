import { lockAccount } from '../../api/state/lock-account.ts'
import type { PasskeyRow } from '../../api/state/tables.ts'
import { transactionInTurn } from '../../api/state/transaction-in-turn.ts'
import { HoldshortError } from '../../config/errors.ts'
import { cleanText } from '../../config/untrusted-text.ts'
import { Moment, noted, Table } from '../../site/pages/elements.tsx'
import { type Field, Fields } from '../../site/pages/fields.tsx'
import { ButtonForm, Form } from '../../site/pages/frame.tsx'
import type { Visitor } from '../../site/pages/visitor.ts'
import { recordAuditEntry } from '../audit/audit-log.ts'
import type { SignInOrigin } from '../people/authenticate.ts'
import { confirmIdentity } from '../people/authenticate.ts'
import { type PasskeyOwner, passkeysOf, verifyNewPasskey } from '../people/passkeys.ts'
import { insertPasskey, personById } from '../people/people.ts'
import {
  type AccountContext,
  type AccountSection,
  type ActionInput,
  PasskeyButton,
  type SectionView,
} from './account-section.tsx'

const MAX_NAME_CHARACTERS = 60
const MAX_PASSKEYS = 20

/** The name of a passkey. A long one is cut, not refused: the device has made the passkey by then. */
const nameOf = (text: string) => cleanText(text.trim(), MAX_NAME_CHARACTERS)

/** Lists, adds, renames and removes passkeys. */
export const passkeysSection: AccountSection = {
  id: 'passkeys',
  title: 'Passkeys',
  render,
  actions: [
    {
      path: '/account/passkeys',
      fields: ['passkey_name', 'credential'],
      done: 'Passkey added.',
      run: add,
    },
    { path: '/account/passkeys/rename', fields: ['id', 'name'], done: 'Passkey renamed.', run: rename },
    { path: '/account/passkeys/remove', fields: ['id'], done: 'Passkey removed.', run: remove },
  ],
}

const PASSWORD: Field = {
  name: 'passkey_password',
  label: 'Password, to add a passkey',
  type: 'password',
  autocomplete: 'current-password',
}

async function render({ context, visitor, faults }: SectionView) {
  if (!context.party) return <p>Passkeys need an https address, which this site does not have.</p>
  const { state } = context.dependencies
  const passkeys = await passkeysOf(state, visitor.person_id)
  const hasPassword = (await personById(state.db, visitor.person_id))?.password_hash != null
  return (
    <>
      <p>
        A passkey signs you in with the lock of your device instead of a password. It cannot be used on a fake site.
      </p>
      {passkeys.length === 0 ? (
        <p class="none">You have none.</p>
      ) : (
        <Table
          label="Passkeys"
          columns={['Name', 'Added', 'Remove']}
          namesRows={false}
          rows={passkeys.map(passkeyRow)}
        />
      )}
      <Form action="/account/passkeys">
        <Fields
          fields={[
            {
              name: 'passkey_name',
              label: 'Name of a new passkey',
              autocomplete: 'off',
              hint: 'A name that you will recognise, like “phone”.',
              required: false,
            },
            ...(hasPassword ? [PASSWORD] : []),
          ]}
          faults={faults}
        />
        {!hasPassword && <input type="hidden" name="proof" />}
        <PasskeyButton context={context} kind="new" text="Add a passkey" />
      </Form>
      <noscript>
        <p class="hint">Adding a passkey needs JavaScript. Everything else on this page works without it.</p>
      </noscript>
    </>
  )
}

const passkeyRow = ({ id, name, created_at, used_at }: PasskeyRow) => [
  <Form action="/account/passkeys/rename">
    <input type="hidden" name="id" value={id} />
    <input name="name" value={name} aria-label={`Name of ${name}`} maxlength={MAX_NAME_CHARACTERS} required />{' '}
    <button class="second">Rename</button>
  </Form>,
  noted(<Moment instant={created_at} />, used_at === null ? 'not used yet' : ['used ', <Moment instant={used_at} />]),
  <ButtonForm action="/account/passkeys/remove" field={{ id }} kind="danger" label={`Remove ${name}`} text="Remove" />,
]

/**
 * Checks all that a further passkey needs before the device makes one, which would stay there: the password, or an earlier
 * passkey. The new one confirms the person's identity from then on.
 * @throws HoldshortError SIGN_IN_FAILED, CONFLICT; RateLimitedError
 */
export async function ownerOfFurtherPasskey(
  { dependencies, party }: AccountContext,
  visitor: Visitor,
  { passkey_password, proof }: Record<'passkey_password' | 'proof', string>,
  from: SignInOrigin,
): Promise<PasskeyOwner> {
  const { state } = dependencies
  await confirmIdentity(state, party, visitor, { password: passkey_password, credential: proof }, from)
  const passkeys = await passkeysOf(state, visitor.person_id)
  requireRoom(passkeys)
  return { id: visitor.person_id, email: visitor.email, passkeys }
}

function requireRoom(passkeys: readonly PasskeyRow[]): void {
  if (passkeys.length >= MAX_PASSKEYS)
    throw new HoldshortError('CONFLICT', `an account has up to ${MAX_PASSKEYS} passkeys; remove one first`)
}

async function add({ context, visitor, posted, by, from }: ActionInput): Promise<void> {
  const { dependencies, party } = context
  const { state } = dependencies
  const { person_id } = visitor
  const made = party && (await verifyNewPasskey(state, party, person_id, posted['credential'] ?? '', from.now))
  if (!made) throw new HoldshortError('INVALID_PARAMETER', 'the passkey was not accepted; try again')
  await transactionInTurn(state, visitor.account_id, async (transaction) => {
    await lockAccount(transaction, visitor.account_id)
    const passkeys = await passkeysOf({ db: transaction }, person_id)
    requireRoom(passkeys)
    const name = nameOf(posted['passkey_name'] ?? '') || `Passkey ${passkeys.length + 1}`
    const created_at = new Date(from.now).toISOString()
    if (!(await insertPasskey(transaction, person_id, { ...made.passkey, name }, created_at)))
      throw new HoldshortError('CONFLICT', 'this passkey is already added')
    await recordAuditEntry(transaction, visitor.account_id, 'passkey_added', by, from.now, { name })
  })
}

const passkeyGone = () => new HoldshortError('CONFLICT', 'your account has no such passkey any more')

async function rename({ context, visitor, posted }: ActionInput): Promise<void> {
  const name = nameOf(posted['name'] ?? '')
  if (name === '') throw new HoldshortError('INVALID_PARAMETER', 'a passkey needs a name')
  const { numUpdatedRows } = await context.dependencies.state.db
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', posted['id'] ?? '')
    .where('person_id', '=', visitor.person_id)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw passkeyGone()
}

async function remove({ context, visitor, posted, by, from }: ActionInput): Promise<void> {
  const { person_id: id, account_id } = visitor
  await context.dependencies.state.db.transaction().execute(async (transaction) => {
    // This write locks the person's row, so that of two removals at once the second sees what the first left.
    await transaction.updateTable('people').set({ id }).where('id', '=', id).execute()
    const passkeys = await passkeysOf({ db: transaction }, id)
    const passkey = passkeys.find((candidate) => candidate.id === posted['id'])
    if (!passkey) throw passkeyGone()
    const person = await personById(transaction, id)
    if (passkeys.length === 1 && person?.password_hash == null)
      throw new HoldshortError('CONFLICT', 'this is your only way to sign in; first add another, or set a password')
    await transaction.deleteFrom('passkeys').where('id', '=', passkey.id).execute()
    await recordAuditEntry(transaction, account_id, 'passkey_removed', by, from.now, { name: passkey.name })
  })
}
