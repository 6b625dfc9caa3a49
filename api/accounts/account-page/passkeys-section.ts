import { HoldshortError } from '../../../config/errors.ts'
import { fieldsOf } from '../../site/pages/field.ts'
import { form } from '../../site/pages/frame.ts'
import { escaped, head, moment, table } from '../../site/pages/html.ts'
import type { PasskeyRow } from '../../state/tables.ts'
import { recordAuditEntry } from '../audit/audit-log.ts'
import { madePasskey, passkeysOf } from '../people/passkeys.ts'
import { insertPasskey, personById } from '../people/people.ts'
import type { AccountSection, ActionOrder, SectionView } from './section.ts'
import { passkeyButton } from './site.ts'

const LONGEST_NAME = 60
const MOST_PASSKEYS = 20

/** Lists, adds, names and removes passkeys. */
export const passkeysSection: AccountSection = {
  id: 'passkeys',
  title: 'Passkeys',
  html,
  actions: [
    { path: '/account/passkeys', fields: ['passkey_name', 'credential'], done: 'Passkey added.', run: add },
    { path: '/account/passkeys/rename', fields: ['id', 'name'], done: 'Passkey renamed.', run: rename },
    { path: '/account/passkeys/remove', fields: ['id'], done: 'Passkey removed.', run: remove },
  ],
}

async function html({ request, reply, site, visitor, faults }: SectionView): Promise<string> {
  if (!site.party) return '<p>Passkeys need an https address, which this site does not have.</p>'
  const passkeys = await passkeysOf(site.dependencies.state, visitor.person_id)
  const row = ({ id, name, created_at, used_at }: PasskeyRow) => {
    const hidden = `<input type="hidden" name="id" value="${escaped(id)}">`
    const named = `<input name="name" value="${escaped(name)}" aria-label="Name of ${escaped(name)}" maxlength="${LONGEST_NAME}" required>`
    return `<tr><td>${form(request, reply, '/account/passkeys/rename', `${hidden}${named} <button class="second">Rename</button>`)}</td>
<td>${moment(created_at)}<span>${used_at === null ? 'not used yet' : `used ${moment(used_at)}`}</span></td>
<td>${form(request, reply, '/account/passkeys/remove', `${hidden}<button class="danger" aria-label="Remove ${escaped(name)}">Remove</button>`)}</td></tr>`
  }
  const heads = ['Name', 'Added', 'Remove'].map((text) => head(text))
  const hint = 'By which you will know it, like “phone”.'
  const fields = fieldsOf(
    [{ name: 'passkey_name', label: 'Name of a new passkey', autocomplete: 'off', hint, required: false }],
    faults,
  )
  return `<p>A passkey signs you in by your device’s lock, without a password, and cannot be given away to a false site.</p>
${passkeys.length === 0 ? '<p class="none">You have none.</p>' : table('Passkeys', heads, passkeys.map(row))}
${form(request, reply, '/account/passkeys', `${fields}\n${passkeyButton(site, 'new', 'Add a passkey')}`)}
<noscript><p class="hint">Adding a passkey needs JavaScript; nothing else here does.</p></noscript>`
}

/** What an owner calls a passkey: one line. */
const nameOf = (text: string) =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, LONGEST_NAME)

async function add({ site, visitor, posted, by, from }: ActionOrder): Promise<void> {
  const { state } = site.dependencies
  const made = site.party && (await madePasskey(state, site.party, posted['credential'] ?? '', from.now))
  if (!made) throw new HoldshortError('INVALID_PARAMETER', 'the passkey could not be taken; try again')
  const passkeys = await passkeysOf(state, visitor.person_id)
  if (passkeys.length >= MOST_PASSKEYS)
    throw new HoldshortError('CONFLICT', `an account has up to ${MOST_PASSKEYS} passkeys; remove one first`)
  const name = nameOf(posted['passkey_name'] ?? '') || `Passkey ${passkeys.length + 1}`
  await state.db.transaction().execute(async (transaction) => {
    const created_at = new Date(from.now).toISOString()
    if (!(await insertPasskey(transaction, visitor.person_id, { ...made.passkey, name }, created_at)))
      throw new HoldshortError('CONFLICT', 'this passkey is here already')
    await recordAuditEntry(transaction, visitor.account_id, 'passkey_added', by, from.now, { name })
  })
}

const unknown = () => new HoldshortError('CONFLICT', 'you have no such passkey any more')

async function rename({ site, visitor, posted }: ActionOrder): Promise<void> {
  const name = nameOf(posted['name'] ?? '')
  if (name === '') throw new HoldshortError('INVALID_PARAMETER', 'a passkey needs a name')
  const { numUpdatedRows } = await site.dependencies.state.db
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', posted['id'] ?? '')
    .where('person_id', '=', visitor.person_id)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw unknown()
}

async function remove({ site, visitor, posted, by, from }: ActionOrder): Promise<void> {
  const { person_id: id, account_id } = visitor
  await site.dependencies.state.db.transaction().execute(async (transaction) => {
    // Writing comes first: of two removals at once the second then sees that it would take the last way in.
    await transaction.updateTable('people').set({ id }).where('id', '=', id).execute()
    const passkeys = await passkeysOf({ db: transaction }, id)
    const passkey = passkeys.find((one) => one.id === posted['id'])
    if (!passkey) throw unknown()
    const person = await personById(transaction, id)
    if (passkeys.length === 1 && person?.password_hash == null)
      throw new HoldshortError('CONFLICT', 'this is your only way to sign in; add another, or set a password, first')
    await transaction.deleteFrom('passkeys').where('id', '=', passkey.id).execute()
    await recordAuditEntry(transaction, account_id, 'passkey_removed', by, from.now, { name: passkey.name })
  })
}
