import type { FastifyInstance } from 'fastify'
import type { Interaction } from 'oidc-provider'
import { addresses } from '../../config/addresses.ts'
import { HoldshortError } from '../../config/errors.ts'
import { TIERS, type TierTerms } from '../../config/tiers.ts'
import { Form, sendPage } from '../../site/pages/frame.tsx'
import type { AccountDependencies } from '../dependencies.ts'
import { requireSignIn } from '../people/signed-in.ts'
import { isDocumentAddress } from './client-documents.ts'
import { ClientMetadataError } from './client-metadata.ts'
import { listConnections } from './connections.ts'
import { storeDecision } from './consent-decision.ts'
import { ROUTES, SECONDS } from './constants.ts'
import { isAppScheme, isLoopback } from './redirect-uris.ts'

const PATH = '/connect-mcp'

const unknownRequest = () =>
  new HoldshortError('NOT_FOUND', 'this connection request is expired or unknown; go back to the app and start again')

/** Adds the page where a person approves or denies an MCP client. */
export function addConsentPage(pages: FastifyInstance, dependencies: AccountDependencies): void {
  const { settings, state, clock = Date.now } = dependencies
  const { auth_url, mcp_url } = addresses(settings)

  pages.get(PATH, { preHandler: requireSignIn }, async (request, reply) => {
    const { request: id } = request.query as Record<string, unknown>
    if (id === undefined)
      return sendPage(request, reply, { title: 'Connect an MCP client', body: <StartAtTheClient mcpUrl={mcp_url} /> })
    const { interaction, client } = await requestOf(pages, id, request.ip)
    const [present] = (await listConnections(state.db, request.visitor!.account_id)).filter(
      ({ client_id }) => client_id === client.client_id,
    )
    const row = await state.db
      .selectFrom('accounts')
      .select('tier')
      .where('id', '=', request.visitor!.account_id)
      .executeTakeFirstOrThrow()
    const redirect_uri = String(interaction.params.redirect_uri)
    const body = (
      <Consent
        requestId={interaction.uid}
        client={client}
        redirectUri={redirect_uri}
        tier={TIERS[row.tier]}
        email={request.visitor!.email}
        mayWrite={present?.may_write === 1}
      />
    )
    return sendPage(request, reply, {
      title: 'Connect an MCP client',
      body,
      // Chromium holds the form to its policy through every redirect, and a client's callback may lead on to any site or app.
      formTargets: 'any',
    })
  })

  pages.post(PATH, { preHandler: requireSignIn }, async (request, reply) => {
    const { request: id, answer, may_write } = (request.body ?? {}) as Record<string, unknown>
    const { interaction } = await requestOf(pages, id, request.ip)
    const { account_id, session } = request.visitor!
    const decision = {
      request: interaction.uid,
      account_id,
      session,
      approved: answer === 'approve',
      may_write: may_write === 'yes',
    }
    const carried = await storeDecision(state, decision, clock())
    return reply.redirect(`${auth_url}${ROUTES.authorization}/${interaction.uid}?decision=${carried}`, 303)
  })
}

interface ShownClient {
  client_id: string
  name: string
}

/** The connection request that a person at a network address answers, and its client. */
async function requestOf(
  pages: FastifyInstance,
  id: unknown,
  source: string,
): Promise<{ interaction: Interaction; client: ShownClient }> {
  const { provider, clientFor } = await pages.authorizationServer.open()
  const isId = typeof id === 'string' && id.length < 100
  const interaction = isId ? await provider.Interaction.find(id).catch(throwCause) : undefined
  if (!interaction) throw unknownRequest()
  const client_id = String(interaction.params.client_id)
  const client = await clientFor(source, client_id).catch((error) => {
    throw clientFault(error)
  })
  if (!client) throw unknownRequest()
  return { interaction, client: { client_id, name: client.client_name ?? client_id } }
}

/** Throws our error for the library's error that was made of it. */
function throwCause(error: Error): never {
  throw error.cause instanceof HoldshortError ? error.cause : error
}

/** What a person is told when the metadata document of a client cannot be read while they answer its request. */
function clientFault(error: unknown): unknown {
  if (error instanceof ClientMetadataError)
    return new HoldshortError('NOT_FOUND', `this app cannot be connected any more: ${error.message}`)
  if (error instanceof HoldshortError && error.code === 'OUTWARD_FAILED')
    return new HoldshortError(
      'NOT_READY',
      `the site of this app cannot be read now: ${error.message}; try again shortly`,
    )
  return error
}

/** The permitted writes of a client whose owner allows it, by the tool: all tools that are not read-only. */
export const CLIENT_WRITES = {
  submit_wait_time_report:
    'It may file reports of waits. Other travellers see those that are accepted, without your name; they count against your account’s limits.',
  create_wait_time_alert:
    'It may make alerts, which are sent to the browsers and phones that you have connected. You see and remove them on your alerts page.',
} as const

export const MAY_WRITE_LABEL = 'This app may also file wait reports and set alerts in my name'

interface ConsentProps {
  requestId: string
  client: ShownClient
  redirectUri: string
  tier: TierTerms
  email: string
  /** The person's earlier choice for this client; false for a new one. */
  mayWrite: boolean
}

function Consent({ requestId, client, redirectUri, tier, email, mayWrite }: ConsentProps) {
  const { client_id, name } = client
  return (
    <div class="columns">
      <div>
        <p class="lead">
          <strong>{name}</strong> asks to read airport data as {email}.
        </p>
        <p>
          {isDocumentAddress(client_id) ? (
            <>
              The app is described by <strong>{new URL(client_id).host}</strong>.
            </>
          ) : (
            `“${name}” is what the app calls itself. The name is not verified: anyone may use it.`
          )}{' '}
          The answer goes <Destination redirectUri={redirectUri} />
        </p>
        <p>Approve only if you have just started this in that app yourself.</p>
        <Form action={PATH}>
          <input type="hidden" name="request" value={requestId} />
          <p>
            <label class="tick">
              <input type="checkbox" name="may_write" value="yes" checked={mayWrite} /> {MAY_WRITE_LABEL}
            </label>
          </p>
          <p>
            <button name="answer" value="approve">
              Approve
            </button>
            <button name="answer" value="deny" class="second">
              Deny
            </button>
          </p>
        </Form>
      </div>
      <div>
        <h2>What you allow</h2>
        <dl>
          <dt>What it may do</dt>
          <dd>
            Call the MCP tools as your account, on the tier that the account has at the time (now {tier.name}). Its
            calls count against your limits
            {tier.overage_usd_per_1000 !== null && ', and calls beyond those of your plan may be charged to you'}. It
            sees no key, password or invoice, and cannot change your plan or how you sign in. It learns how many
            browsers and phones get your alerts.
          </dd>
          <dt>What it may do in your name, where you tick it</dt>
          <dd>
            <ul>
              {Object.values(CLIENT_WRITES).map((consequence) => (
                <li>{consequence}</li>
              ))}
            </ul>
          </dd>
          <dt>For how long</dt>
          <dd>
            Until you disconnect it, until it was not used for {days(SECONDS.refresh_token)} days, and for at most{' '}
            {days(SECONDS.grant)} days. You disconnect it, and change what it may do, on your dashboard.
          </dd>
        </dl>
      </div>
    </div>
  )
}

const days = (seconds: number) => seconds / 86_400

function Destination({ redirectUri }: { redirectUri: string }) {
  const { protocol, host } = new URL(redirectUri)
  if (isLoopback(redirectUri))
    return (
      <>
        to an app on this computer (<code>{host}</code>).
      </>
    )
  if (isAppScheme(redirectUri))
    return (
      <>
        to the app on this device that opens <code>{protocol}</code> links.
      </>
    )
  return (
    <>
      to the site <strong>{host}</strong>.
    </>
  )
}

const StartAtTheClient = ({ mcpUrl }: { mcpUrl: string }) => (
  <>
    <p>Give your MCP client this address; it then sends you here to approve it:</p>
    <p>
      <code>{mcpUrl}/mcp</code>
    </p>
    <p>
      <a href="/docs/start">How each client takes it</a>: Claude, ChatGPT, Cursor, VS Code and others.
    </p>
  </>
)
