import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { clientOnThisComputer } from '../api/accounts/oauth/loopback-client.ts'
import type { ToolCaller } from '../api/mcp-clients.ts'
import { launchBrowser } from '../api/site/chromium.ts'

export type Kind = 'sdk 1' | 'client 2'

/** What a person does in a browser with the authorization address, until the browser is redirected to the client. */
type Approve = (address: string) => Promise<void>

/** The OAuth provider that MCP clients require: it stores their registration and tokens, and a person approves in a browser. */
class OauthProvider {
  readonly clientMetadata: object
  readonly #stored: { client?: unknown; tokens?: unknown; verifier?: string } = {}
  readonly #approve: Approve
  constructor(
    readonly redirectUrl: string,
    approve: Approve,
  ) {
    this.#approve = approve
    this.clientMetadata = {
      client_name: 'A travel agent',
      redirect_uris: [redirectUrl],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    }
  }
  clientInformation = () => this.#stored.client
  saveClientInformation = (client: unknown) => {
    this.#stored.client = client
  }
  tokens = () => this.#stored.tokens
  saveTokens = (tokens: unknown) => {
    this.#stored.tokens = tokens
  }
  codeVerifier = () => this.#stored.verifier!
  saveCodeVerifier = (verifier: string) => {
    this.#stored.verifier = verifier
  }
  redirectToAuthorization = (url: URL) => this.#approve(url.href)
}

/** Opens a browser page that is closed when the test ends. */
export async function openBrowser(): Promise<Page> {
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  return browser.newPage()
}

/** One HTTP request of an agent: method, path and status. */
export type Step = string

/**
 * Connects an agent that knows only the address of /mcp: it discovers the rest, registers, and sends the person to a browser.
 * Returns the connected agent and the requests it made.
 */
export async function connectAgent(
  kind: Kind,
  address: string,
  page: Page,
  signIn: (page: Page) => Promise<void>,
): Promise<{ agent: ToolCaller; steps: Step[] }> {
  const steps: Step[] = []
  const { came, redirect_uri } = await clientOnThisComputer()
  const provider = new OauthProvider(redirect_uri, async (url) => {
    await page.goto(url)
    await signIn(page)
    expect(await page.locator('main').innerText()).toContain('A travel agent')
    await Promise.all([page.waitForURL(/\/callback\?/), page.getByRole('button', { name: 'Approve' }).click()])
  })
  const recordingFetch = async (input: string | URL | Request, init?: RequestInit) => {
    const answer = await fetch(input, init)
    const url = new URL(input instanceof Request ? input.url : input)
    steps.push(`${init?.method ?? 'GET'} ${url.pathname} ${answer.status}`)
    return answer
  }
  const url = new URL(`${address}/mcp`)
  const options = { authProvider: provider as never, fetch: recordingFetch as typeof fetch }
  const identity = { name: 'a travel agent', version: '1' }
  const open = () =>
    kind === 'sdk 1'
      ? { client: new Client(identity), transport: new StreamableHTTPClientTransport(url, options) }
      : {
          client: new ModernClient(identity, { versionNegotiation: { mode: 'auto' } }),
          transport: new ModernTransport(url, options),
        }
  const first = open()
  await expect(first.client.connect(first.transport as never)).rejects.toThrow(/Unauthorized/i)
  const { searchParams } = came.at(-1)!
  await first.transport.finishAuth(searchParams.get('code')!, searchParams.get('iss')! as never)
  const { client, transport } = open()
  onTestFinished(() => client.close())
  await client.connect(transport as never)
  return { agent: client as unknown as ToolCaller, steps }
}
