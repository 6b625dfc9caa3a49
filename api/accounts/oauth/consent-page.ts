import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Client, Interaction } from 'oidc-provider'
import { HoldshortError } from '../../../config/errors.ts'
import { addresses } from '../../../config/settings.ts'
import { TIERS } from '../../../config/tiers.ts'
import { form, sendPage } from '../../site/pages/frame.ts'
import { escaped } from '../../site/pages/html.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { mustBeSignedIn } from '../people/visitor.ts'
import { isDocumentAddress } from './client-documents.ts'
import { storeDecision } from './consent-decision.ts'
import { ROUTES } from './constants.ts'
import { isAppScheme, isLoopback, policySource } from './redirect-uris.ts'

const PATH = '/connect-mcp'

const noRequest = () =>
  new HoldshortError('NOT_FOUND', 'this connection request is over or unknown; go back to the app and begin again')

/** The page where a person lets an MCP client in, or does not. */
export function addConsentPage(pages: FastifyInstance, dependencies: AccountDependencies): void {
  const { settings, state, clock = Date.now } = dependencies
  const { auth_url } = addresses(settings)

  pages.get(PATH, { schema: { hide: true }, preHandler: mustBeSignedIn }, async (request, reply) => {
    const { request: id } = request.query as Record<string, unknown>
    if (id === undefined)
      return sendPage(request, reply, { title: 'Connect an MCP client', body: beginAtTheClient(settings) })
    const { interaction, client } = await requestOf(pages, id)
    const row = await state.db
      .selectFrom('accounts')
      .select('tier')
      .where('id', '=', request.visitor!.account_id)
      .executeTakeFirstOrThrow()
    const redirect_uri = String(interaction.params.redirect_uri)
    return sendPage(request, reply, {
      title: 'Connect an MCP client',
      body: question(request, reply, { id: interaction.uid, client, redirect_uri, tier: TIERS[row.tier].name }),
      // The form ends where the client awaits the answer, past the authorization server.
      formTargets: [new URL(auth_url).origin, policySource(redirect_uri)],
    })
  })

  pages.post(PATH, { schema: { hide: true }, preHandler: mustBeSignedIn }, async (request, reply) => {
    const { request: id, answer } = (request.body ?? {}) as Record<string, unknown>
    const { interaction } = await requestOf(pages, id)
    const { account_id } = request.visitor!
    const decision = { request: interaction.uid, account_id, approved: answer === 'approve' }
    const carried = await storeDecision(state, decision, clock())
    return reply.redirect(`${auth_url}${ROUTES.authorization}/${interaction.uid}?decision=${carried}`, 303)
  })
}

async function requestOf(pages: FastifyInstance, id: unknown): Promise<{ interaction: Interaction; client: Client }> {
  const { provider } = await pages.authorizationServer.open()
  const interaction = typeof id === 'string' && id.length < 100 ? await provider.Interaction.find(id) : undefined
  const client = interaction && (await provider.Client.find(String(interaction.params.client_id)))
  if (!client) throw noRequest()
  return { interaction: interaction!, client }
}

interface Asked {
  id: string
  client: Client
  redirect_uri: string
  tier: string
}

function question(request: FastifyRequest, reply: FastifyReply, { id, client, redirect_uri, tier }: Asked): string {
  const name = escaped(client.clientName ?? client.clientId)
  const buttons = `<input type="hidden" name="request" value="${escaped(id)}">
<p><button name="answer" value="approve">Approve</button><button name="answer" value="deny" class="second">Deny</button></p>`
  return `<p><strong>${name}</strong> asks to read airport data as you.</p>
<dl>
<dt>Who asks</dt><dd>${whoAsks(client, name)}</dd>
<dt>What it may do</dt><dd>Call the MCP tools as your account, on the ${escaped(tier)} tier; its calls are metered as yours. It sees no key, password or
invoice, and cannot change the account.</dd>
<dt>Where the answer goes</dt><dd>${whereTo(redirect_uri)}</dd>
<dt>Your account</dt><dd>${escaped(request.visitor!.email)}</dd>
</dl>
<p>Approve only if you have just begun this in that app yourself. You can disconnect it at any time on your account’s pages.</p>
${form(request, reply, PATH, buttons)}`
}

function whoAsks({ clientId }: Client, name: string): string {
  if (!isDocumentAddress(clientId))
    return `An app that calls itself “${name}”. The name is not verified: anyone may use it.`
  return `${name}, described by <strong>${escaped(new URL(clientId).host)}</strong>`
}

function whereTo(redirect_uri: string): string {
  const { protocol, host } = new URL(redirect_uri)
  if (isLoopback(redirect_uri)) return `To an app on this computer (<code>${escaped(host)}</code>).`
  if (isAppScheme(redirect_uri)) return `To the app on this device that opens <code>${escaped(protocol)}</code> links.`
  return `To the site <strong>${escaped(host)}</strong>.`
}

const beginAtTheClient = (settings: AccountDependencies['settings']) =>
  `<p>Give your MCP client this address; it then sends you here to approve it:</p>
<p><code>${escaped(addresses(settings).mcp_url)}/mcp</code></p>`
