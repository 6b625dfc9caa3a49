import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HoldshortError } from '../../../config/errors.ts'
import { addresses } from '../../../config/settings.ts'
import { form, sendPage } from '../../site/pages/frame.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { insertFurtherKey, revokeKey } from '../keys/keys.ts'
import { confirmPage } from './confirm-page.ts'
import { issuedPage, spentPage } from './issued-page.ts'
import { readKeyForm } from './key-form.ts'
import { keyInBrief, type NameFault, nameOf } from './keys-section.ts'
import { ownKeys } from './own-keys.ts'
import { byOwner, OWN_PAGE, owner } from './own-page.ts'
import { day } from './parts.ts'
import { spendForm } from './spent-forms.ts'

type ById = { Params: { keyId: string } }
type ShowAgain = (request: FastifyRequest, reply: FastifyReply, wrong: NameFault) => Promise<FastifyReply>

/** Issuing a key, which its answer shows once, and revoking one, in two steps. `showAgain` shows a form with its fault. */
export function addKeyPages(
  pages: FastifyInstance,
  { settings, state, clock = Date.now }: AccountDependencies,
  showAgain: ShowAgain,
): void {
  // Who comes back to the address of the answer by hand.
  pages.get('/dashboard/keys', OWN_PAGE, (_request, reply) => reply.redirect('/dashboard', 303))

  pages.post('/dashboard/keys', OWN_PAGE, async (request, reply) => {
    const { token, name, fault } = readKeyForm(request.body)
    if (fault !== null) return showAgain(request, reply, { name, fault })
    const [now, { account_id }] = [clock(), owner(request)]
    const issued = await state.changeAccess(async (transaction) => {
      if (!(await spendForm(transaction, state.pepper, token, now))) return null
      return insertFurtherKey(transaction, state.pepper, account_id, now, name, byOwner(request))
    })
    return sendPage(request, reply, issued ? issuedPage(issued, name, addresses(settings)) : spentPage)
  })

  /** Sought among the account's own: an id of the address, whatever it is, never comes to the database before. */
  const keyAsked = async (request: FastifyRequest<ById>) => {
    const keys = await ownKeys(state.db, owner(request).account_id)
    const key = keys.find(({ id }) => id === request.params.keyId)
    if (!key) throw new HoldshortError('NOT_FOUND', 'your account has no key with this id')
    return key
  }

  pages.get<ById>('/dashboard/keys/:keyId/revoke', OWN_PAGE, async (request, reply) => {
    const key = await keyAsked(request)
    if (key.revoked_at !== null) return reply.redirect('/dashboard?done=key_revoked', 303)
    const parts = confirmPage((inside) => form(request, reply, `/dashboard/keys/${key.id}/revoke`, inside), {
      title: 'Revoke this key?',
      what: `<strong>${nameOf(key)}</strong> ${keyInBrief(key)} created ${day(key.created_at)}`,
      follows: 'The next call with it is refused. It cannot be made good again; you can issue another key.',
      button: 'Revoke key',
    })
    return sendPage(request, reply, parts)
  })

  pages.post<ById>('/dashboard/keys/:keyId/revoke', OWN_PAGE, async (request, reply) => {
    const { id } = await keyAsked(request)
    await revokeKey(state, id, clock(), owner(request).account_id, byOwner(request))
    return reply.redirect('/dashboard?done=key_revoked', 303)
  })
}
