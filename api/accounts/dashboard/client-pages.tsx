import type { FastifyInstance, FastifyRequest } from 'fastify'
import { HoldshortError } from '../../../config/errors.ts'
import { sendPage } from '../../site/pages/frame.tsx'
import type { AccountDependencies } from '../dependencies.ts'
import { disconnect, listConnections } from '../oauth/connections.ts'
import { ownerActor, ownerOf } from '../people/signed-in.ts'
import { ChosenName, Confirmation, Day, OWNER_ONLY } from './dashboard-parts.tsx'

type ById = { Params: { grantId: string } }

const PATH = '/dashboard/clients/:grantId/disconnect'

/** Adds the pages that disconnect a client after a confirmation. */
export function addClientPages(pages: FastifyInstance, { state, clock = Date.now }: AccountDependencies): void {
  /** Searches only the account's own clients, so the id of the address never reaches the database. */
  const requestedClient = async (request: FastifyRequest<ById>) => {
    const connections = await listConnections(state.db, ownerOf(request).account_id)
    const client = connections.find(({ grant_id }) => grant_id === request.params.grantId)
    if (!client) throw new HoldshortError('NOT_FOUND', 'your account has no connected client with this id')
    return client
  }

  pages.get<ById>(PATH, OWNER_ONLY, async (request, reply) => {
    const { grant_id, client_name, redirect_uri, created_at } = await requestedClient(request)
    const what = (
      <>
        <strong>
          <ChosenName name={client_name} />
        </strong>{' '}
        <code>{hostOf(redirect_uri)}</code> connected <Day of={created_at} />
      </>
    )
    const body = (
      <Confirmation
        action={PATH.replace(':grantId', encodeURIComponent(grant_id))}
        what={what}
        consequence="Its next call is refused. To use it again, connect it again and give your consent."
        button="Disconnect"
      />
    )
    return sendPage(request, reply, { title: 'Disconnect this client?', body })
  })

  pages.post<ById>(PATH, OWNER_ONLY, async (request, reply) => {
    const { grant_id } = await requestedClient(request)
    await disconnect(state, ownerOf(request).account_id, grant_id, ownerActor(request), clock())
    return reply.redirect('/dashboard?done=client_disconnected', 303)
  })
}

/** The host that a client's redirect address names, or the scheme of an app. */
export function hostOf(redirect_uri: string): string {
  if (!URL.canParse(redirect_uri)) return redirect_uri
  const { host, protocol } = new URL(redirect_uri)
  return host || protocol
}
