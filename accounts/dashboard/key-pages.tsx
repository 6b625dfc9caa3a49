import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { keyedHash } from '../../api/state/key-format.ts'
import type { StateTables } from '../../api/state/tables.ts'
import { addresses } from '../../config/addresses.ts'
import { HoldshortError } from '../../config/errors.ts'
import { isPlainText } from '../../config/untrusted-text.ts'
import { LinkButton } from '../../site/pages/elements.tsx'
import { sendPage } from '../../site/pages/frame.tsx'
import type { Page } from '../../site/pages/shell.tsx'
import type { AccountDependencies } from '../dependencies.ts'
import { insertFurtherKey, revokeKey } from '../keys/keys.ts'
import { endGrant, listConnections, setMayWrite } from '../oauth/connections.ts'
import { LONGEST_CHALLENGE_MS } from '../people/periodic-task.ts'
import { ownerActor, ownerOf } from '../people/signed-in.ts'
import { ChosenName, Confirmation, Day, FirstSteps, OWNER_ONLY } from './dashboard-parts.tsx'
import { type OwnKey, ownKeys } from './overview.ts'

export const MAX_KEY_NAME_LENGTH = 60

/** A form for a new key that was refused: the name as typed, and what is wrong with it. */
export interface RefusedKeyName {
  name: string
  fault: string
}

type ById = { Params: { keyId: string } }
type ShowDashboard = (request: FastifyRequest, reply: FastifyReply, refused: RefusedKeyName) => Promise<FastifyReply>

/**
 * Adds the forms that issue a key, which is shown only in the answer, and that revoke one after a confirmation.
 * `showDashboard` shows the dashboard again with a refused form.
 */
export function addKeyPages(
  pages: FastifyInstance,
  { settings, state, clock = Date.now }: AccountDependencies,
  showDashboard: ShowDashboard,
): void {
  // The form below is posted to this address; a person may load it later by hand.
  pages.get('/dashboard/keys', OWNER_ONLY, (_request, reply) => reply.redirect('/dashboard', 303))

  pages.post('/dashboard/keys', { ...OWNER_ONLY, config: { checksOwnTexts: true } }, async (request, reply) => {
    const { token, name, fault } = readKeyForm(request.body)
    if (fault !== null) return showDashboard(request, reply, { name, fault })
    const now = clock()
    const { account_id } = ownerOf(request)
    const issued = await state.changeAccess(async (transaction) => {
      if (!(await spendForm(transaction, state.pepper, token, now))) return null
      return insertFurtherKey(transaction, state.pepper, account_id, now, name, ownerActor(request))
    })
    if (!issued) return sendPage(request, reply, ALREADY_ISSUED)
    const steps = <FirstSteps addresses={addresses(settings)} tier={issued.tier} />
    return sendPage(request, reply, {
      title: 'Your new key',
      scripts: ['copy-once'],
      body: (
        <>
          <p class="notice">
            <strong>Copy it now.</strong> This page shows it once; it is not stored and cannot be recovered.
          </p>
          <label for="new-key">
            Key <ChosenName name={name} />
          </label>
          <textarea class="secret" id="new-key" readonly rows={2} spellcheck={false} autocomplete="off">
            {issued.key}
          </textarea>
          <p>
            <button type="button" data-copy="new-key" hidden>
              Copy
            </button>
          </p>
          <h2>Use it</h2>
          {steps}
          <BackToDashboard />
        </>
      ),
    })
  })

  /** Searches only the account's own keys, so the id of the address never reaches the database. */
  const requestedKey = async (request: FastifyRequest<ById>) => {
    const keys = await ownKeys(state.db, ownerOf(request).account_id)
    const key = keys.find(({ id }) => id === request.params.keyId)
    if (!key) throw new HoldshortError('NOT_FOUND', 'your account has no key with this id')
    return key
  }

  pages.get<ById>('/dashboard/keys/:keyId/revoke', OWNER_ONLY, async (request, reply) => {
    const key = await requestedKey(request)
    if (key.revoked_at !== null) return reply.redirect('/dashboard?done=key_revoked', 303)
    const what = (
      <>
        <strong>
          <KeyName ownKey={key} />
        </strong>{' '}
        <KeyInBrief ownKey={key} /> created <Day date={key.created_at} />
      </>
    )
    const body = (
      <Confirmation
        action={`/dashboard/keys/${key.id}/revoke`}
        what={what}
        consequence="The next call with it is refused. A revoked key cannot be restored; you can issue another one."
        button="Revoke key"
      />
    )
    return sendPage(request, reply, { title: 'Revoke this key?', body })
  })

  pages.post<ById>('/dashboard/keys/:keyId/revoke', OWNER_ONLY, async (request, reply) => {
    const { id } = await requestedKey(request)
    await revokeKey(state, id, clock(), ownerOf(request).account_id, ownerActor(request))
    return reply.redirect('/dashboard?done=key_revoked', 303)
  })
}

export const KeyName = ({ ownKey: { name } }: { ownKey: OwnKey }) =>
  name === null ? <>Unnamed</> : <ChosenName name={name} />

export const KeyInBrief = ({ ownKey: { prefix, last_four } }: { ownKey: OwnKey }) => (
  <code>{`${prefix}…${last_four}`}</code>
)

const BackToDashboard = () => (
  <p>
    <LinkButton href="/dashboard" text="Back to the dashboard" isSecond />
  </p>
)

/** The answer when a form is sent a second time: no key is issued, and the first one is not shown again. */
const ALREADY_ISSUED: Page = {
  title: 'This key was already shown',
  status: 409,
  body: (
    <>
      <p>This form was sent before. Its key was issued and shown then; no key was issued now.</p>
      <p>If you do not have the key, revoke it on the dashboard and issue another.</p>
      <BackToDashboard />
      <p class="none">CONFLICT</p>
    </>
  ),
}

/** Reads the form of a new key: the CSRF token of its page, the name, and what is wrong with it. @throws HoldshortError FORM_REFUSED for another form. */
function readKeyForm(body: unknown): { token: string; name: string; fault: string | null } {
  const { _csrf: token, name: typed } = (body ?? {}) as { _csrf?: unknown; name?: unknown }
  if (typeof token !== 'string' || typeof typed !== 'string')
    throw new HoldshortError('FORM_REFUSED', 'the form of a key has one name and the token of its page')
  const name = typed.normalize('NFC').trim()
  if (name === '') return { token, name, fault: 'Give the key a name.' }
  if ([...name].length > MAX_KEY_NAME_LENGTH)
    return { token, name, fault: `A name has at most ${MAX_KEY_NAME_LENGTH} characters.` }
  if (!isPlainText(name)) return { token, name, fault: 'A name is one line of text that can be seen.' }
  return { token, name, fault: null }
}

const SPENT_FORM_KIND = 'spent_form'

/**
 * Records that a form was sent, by the token of its page. Returns false when it was sent before, for example by reloading the
 * answer. It runs in the transaction of the form's action, so that a form whose action failed may be sent again.
 */
async function spendForm(
  transaction: Kysely<StateTables>,
  pepper: string,
  token: string,
  now: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('challenges')
    .values({
      hash: keyedHash(`form ${token}`, pepper),
      kind: SPENT_FORM_KIND,
      payload: '{}',
      expires_at: new Date(now + LONGEST_CHALLENGE_MS).toISOString(),
    })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .executeTakeFirstOrThrow()
  await transaction
    .deleteFrom('challenges')
    .where('kind', '=', SPENT_FORM_KIND)
    .where('expires_at', '<', new Date(now).toISOString())
    .execute()
  return numInsertedOrUpdatedRows === 1n
}

type ByGrantId = { Params: { grantId: string } }

const CLIENT_PATH = '/dashboard/clients/:grantId/disconnect'

/** Adds the pages that disconnect a client after a confirmation, and the form that lets one write. */
export function addClientPages(pages: FastifyInstance, { state, clock = Date.now }: AccountDependencies): void {
  /** Searches only the account's own clients, so the id of the address never reaches the database. */
  const requestedClient = async (request: FastifyRequest<ByGrantId>) => {
    const connections = await listConnections(state.db, ownerOf(request).account_id)
    const client = connections.find(({ grant_id }) => grant_id === request.params.grantId)
    if (!client) throw new HoldshortError('NOT_FOUND', 'your account has no connected client with this id')
    return client
  }

  pages.get<ByGrantId>(CLIENT_PATH, OWNER_ONLY, async (request, reply) => {
    const { grant_id, client_name, redirect_uri, created_at } = await requestedClient(request)
    const what = (
      <>
        <strong>
          <ChosenName name={client_name} />
        </strong>{' '}
        <code>{hostOf(redirect_uri)}</code> connected <Day date={created_at} />
      </>
    )
    const body = (
      <Confirmation
        action={CLIENT_PATH.replace(':grantId', encodeURIComponent(grant_id))}
        what={what}
        consequence="Its next call is refused. To use it again, connect it again and give your consent."
        button="Disconnect"
      />
    )
    return sendPage(request, reply, { title: 'Disconnect this client?', body })
  })

  pages.post<ByGrantId>(CLIENT_PATH, OWNER_ONLY, async (request, reply) => {
    const { grant_id, account_id } = await requestedClient(request)
    await endGrant(state, { grant_id, account_id, why: 'disconnected' }, ownerActor(request), clock())
    return reply.redirect('/dashboard?done=client_disconnected', 303)
  })

  // The form is on the dashboard; a person may load its address later by hand.
  pages.get<ByGrantId>(WRITING_PATH, OWNER_ONLY, async (request, reply) => {
    await requestedClient(request)
    return reply.redirect('/dashboard#clients', 303)
  })

  pages.post<ByGrantId>(WRITING_PATH, OWNER_ONLY, async (request, reply) => {
    const { grant_id, account_id } = await requestedClient(request)
    const { may_write: chosen } = (request.body ?? {}) as { may_write?: unknown }
    if (chosen !== 'yes' && chosen !== 'no')
      throw new HoldshortError('FORM_REFUSED', 'the form has one field, may_write: yes or no')
    const may_write = chosen === 'yes'
    await setMayWrite(state, { account_id, grant_id, may_write }, ownerActor(request), clock())
    return reply.redirect(`/dashboard?done=${may_write ? 'writing_allowed' : 'writing_ended'}`, 303)
  })
}

const WRITING_PATH = '/dashboard/clients/:grantId/writing'

/** The address of the form that lets a client write, or ends that. */
export const writingPath = (grant_id: string) => WRITING_PATH.replace(':grantId', encodeURIComponent(grant_id))

/** The host that a client's redirect address names, or the scheme of an app. */
export function hostOf(redirect_uri: string): string {
  if (!URL.canParse(redirect_uri)) return redirect_uri
  const { host, protocol } = new URL(redirect_uri)
  return host || protocol
}
