import { createHash, randomBytes } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import { beforeEach, expect } from 'vitest'
import type { AccountDependencies } from '../../../accounts/dependencies.ts'
import { type Harness, openHarness, openListening, shareHarness } from '../../api/harness.ts'
import { changed, legacy, post } from '../../api/mcp/requests.ts'
import { createSignedInPerson, type SignedInPerson } from '../people/signed-in-person.ts'

export const SITE = 'http://127.0.0.1:8080'
export const RESOURCE = `${SITE}/mcp`
export const CALLBACK = 'https://client.example/callback'

/** A harness with the real time, because the library of the authorization server uses the system clock. */
export async function openOauth(
  environment: Record<string, string> = {},
  over: Partial<AccountDependencies> = {},
): Promise<Harness> {
  const harness = await openHarness(environment, over)
  harness.controls.now = Date.now()
  return harness
}

/** One such harness for the tests of a file; what is registered stays, so that registrations are hardly limited. */
export function shareOauth(): Harness {
  const harness = shareHarness({
    HOLDSHORT_CLIENT_REGISTRATIONS_PER_MINUTE: '10000',
    HOLDSHORT_CLIENT_REGISTRATIONS_PER_DAY: '10000',
  })
  beforeEach(() => {
    harness.controls.now = Date.now()
  })
  return harness
}

/** A harness that listens on its own port, which its public address names; with that address. */
export async function openOauthAtPort(
  environment: Record<string, string> = {},
  over: Partial<AccountDependencies> = {},
) {
  const opened = await openListening(environment, over)
  opened.harness.controls.now = Date.now()
  return opened
}

/** Fields of a form; what is undefined or null is not sent. */
type Fields = Record<string, string | undefined | null>
const query = (fields: Fields) =>
  new URLSearchParams(Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))

export const postForm = (app: Harness['app'], url: string, fields: Fields, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url,
    payload: query(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })

/** Registers a client; returns its id. */
export async function register({ app }: Harness, metadata: object = {}): Promise<string> {
  const payload = { client_name: 'Test client', redirect_uris: [CALLBACK], ...REFRESHING, ...metadata }
  const answer = await app.inject({ method: 'POST', url: '/register', payload })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().client_id
}
const REFRESHING = { grant_types: ['authorization_code', 'refresh_token'] }

export const verifier = () => randomBytes(32).toString('base64url')
export const challengeOf = (text: string) => createHash('sha256').update(text).digest('base64url')

/** The authorization URL to which a client sends a browser. */
export const authorizeUrl = (client_id: string, fields: Fields = {}) =>
  `/authorize?${query({
    response_type: 'code',
    client_id,
    redirect_uri: CALLBACK,
    state: 'st4te',
    resource: RESOURCE,
    code_challenge: challengeOf('v'.repeat(43)),
    code_challenge_method: 'S256',
    ...fields,
  })}`

export const locationOf = (answer: LightMyRequestResponse) => new URL(String(answer.headers.location), SITE)

/** Path and query of the redirect of an answer, on this site. */
export const onward = (answer: LightMyRequestResponse) => locationOf(answer).pathname + locationOf(answer).search

/** Begins an authorization request in a person's browser; returns the address of its consent page. */
export async function begin(person: SignedInPerson, url: string): Promise<string> {
  const began = await person.get(url)
  expect([began.statusCode, locationOf(began).pathname], began.body + String(began.headers.location)).toEqual([
    303,
    '/connect-mcp',
  ])
  return onward(began)
}

/** Answers a consent page; returns the address at the authorization server to which it redirects. */
export async function decide(
  person: SignedInPerson,
  page: string,
  answer = 'approve',
  ticked: Fields = {},
): Promise<string> {
  const request = new URL(page, SITE).searchParams.get('request')!
  const decided = await person.post('/connect-mcp', { request, answer, ...ticked }, page)
  expect(decided.statusCode, decided.body).toBe(303)
  return onward(decided)
}

/** The whole flow of a browser: request, consent, and the redirect back to the client. */
export async function authorize(
  person: SignedInPerson,
  url: string,
  answer = 'approve',
  ticked: Fields = {},
): Promise<URL> {
  const back = await person.get(await decide(person, await begin(person, url), answer, ticked))
  expect(back.statusCode, back.body).toBe(303)
  return locationOf(back)
}

export interface Connected {
  client_id: string
  code: string
  access_token: string
  refresh_token: string
}

/** Connects a new client to a person's account through the whole flow. */
export const connected = async (harness: Harness, person: SignedInPerson, metadata: object = {}): Promise<Connected> =>
  connectedAs(harness, person, await register(harness, metadata))

/** Connects a client that has an id. */
export async function connectedAs(harness: Harness, person: SignedInPerson, client_id: string): Promise<Connected> {
  const code_verifier = verifier()
  const back = await authorize(person, authorizeUrl(client_id, { code_challenge: challengeOf(code_verifier) }))
  const code = back.searchParams.get('code')!
  const fields = { grant_type: 'authorization_code', client_id, code, redirect_uri: CALLBACK, code_verifier }
  const answer = await postForm(harness.app, '/token', { ...fields, resource: RESOURCE })
  expect(answer.statusCode, answer.body).toBe(200)
  return { client_id, code, ...answer.json() }
}

export const refresh = (
  harness: Harness,
  { client_id, refresh_token }: Pick<Connected, 'client_id' | 'refresh_token'>,
  more: Fields = {},
) => postForm(harness.app, '/token', { grant_type: 'refresh_token', client_id, refresh_token, ...more })

/** Lists the tools of the MCP server with a token. */
export const mcp = ({ call }: Harness, token: string | null) => {
  const headers = token === null ? {} : { authorization: `Bearer ${token}` }
  return call(null, '/mcp', post(changed(legacy('tools/list'), { headers })))
}

/** A person and a client that is connected to their account. */
export async function openConnected(harness: Harness) {
  const person = await createSignedInPerson(harness)
  return { person, client: await connected(harness, person) }
}
