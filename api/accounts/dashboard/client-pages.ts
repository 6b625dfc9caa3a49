import type { FastifyInstance, FastifyRequest } from 'fastify'
import { HoldshortError } from '../../../config/errors.ts'
import { form, sendPage } from '../../site/pages/frame.ts'
import { escaped } from '../../site/pages/html.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { disconnect, listConnections } from '../oauth/connections.ts'
import { confirmPage } from './confirm-page.ts'
import { placeOf } from './connections-section.ts'
import { byOwner, OWN_PAGE, owner } from './own-page.ts'
import { day, named } from './parts.ts'

type ById = { Params: { grantId: string } }

/** Disconnecting a client, in two steps. */
export function addClientPages(pages: FastifyInstance, { state, clock = Date.now }: AccountDependencies): void {
  const path = '/dashboard/clients/:grantId/disconnect'

  /** Sought among the account's own: an id of the address, whatever it is, never comes to the database before. */
  const clientAsked = async (request: FastifyRequest<ById>) => {
    const all = await listConnections(state.db, owner(request).account_id)
    const client = all.find(({ grant_id }) => grant_id === request.params.grantId)
    if (!client) throw new HoldshortError('NOT_FOUND', 'your account has no connected client with this id')
    return client
  }

  pages.get<ById>(path, OWN_PAGE, async (request, reply) => {
    const client = await clientAsked(request)
    const action = path.replace(':grantId', encodeURIComponent(client.grant_id))
    const parts = confirmPage((inside) => form(request, reply, action, inside), {
      title: 'Disconnect this client?',
      what: `<strong>${named(client.client_name)}</strong> <code>${escaped(placeOf(client.redirect_uri))}</code> connected ${day(client.created_at)}`,
      follows: 'Its next call is refused. To use it again, connect it anew and give your consent.',
      button: 'Disconnect',
    })
    return sendPage(request, reply, parts)
  })

  pages.post<ById>(path, OWN_PAGE, async (request, reply) => {
    const { grant_id } = await clientAsked(request)
    await disconnect(state, owner(request).account_id, grant_id, byOwner(request), clock())
    return reply.redirect('/dashboard?done=client_disconnected', 303)
  })
}
