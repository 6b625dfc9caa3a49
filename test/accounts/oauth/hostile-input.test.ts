import fc, { type Arbitrary } from 'fast-check'
import type { InjectOptions } from 'fastify'
import { expect, test } from 'vitest'
import { HOSTILE_ENCODED, HOSTILE_JSON, HOSTILE_TEXTS } from '../../api/fuzz/hostile.ts'
import { repetitions } from '../../exhaustive.ts'
import { readCases } from '../../values.ts'
import { createSignedInPerson } from '../people/signed-in-person.ts'
import { authorizeUrl, openOauth, register } from './flow.ts'

/** Another seed or more requests: FUZZ_SEED=7 FUZZ_RUNS=2000 npx vitest run test/accounts/oauth/hostile */
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121)
const RUNS = Number(process.env.FUZZ_RUNS ?? repetitions(80, 320))

/** Names of parameters, and values that mean something to the authorization server. */
const KNOWN = readCases<{ names: string[]; values: string[] }>('accounts/oauth/hostile-input.json')
const TELLING = [...KNOWN.values, 'a'.repeat(5_000)]

const text = fc.constantFrom(
  ...HOSTILE_TEXTS.map(encodeURIComponent),
  ...TELLING.map(encodeURIComponent),
  ...HOSTILE_ENCODED,
)
const pairs = fc
  .array(fc.tuple(fc.constantFrom(...KNOWN.names), text), { maxLength: 8 })
  .map((drawn) => drawn.map(([name, value]) => `${name}=${value}`).join('&'))
const json = fc.oneof(
  fc.constantFrom(...HOSTILE_JSON.map((value) => JSON.stringify(value)), '{"a":', ''),
  fc
    .record(
      Object.fromEntries(
        ['redirect_uris', 'client_name', 'grant_types', 'response_types', 'jwks', 'scope', '__proto__'].map((name) => [
          name,
          fc.oneof(
            fc.jsonValue(),
            fc.constantFrom(...HOSTILE_TEXTS),
            fc.array(fc.constantFrom(...HOSTILE_TEXTS, ...TELLING)),
          ),
        ]),
      ),
      { requiredKeys: [] },
    )
    .map((value) => JSON.stringify(value)),
)
const header = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  fc.constantFrom(
    { authorization: 'Basic !!!' },
    { authorization: 'Basic Og==' },
    { authorization: 'DPoP x' },
    { dpop: 'x' },
  ),
  fc.constantFrom({ 'content-type': 'text/plain' }, { 'content-type': 'multipart/form-data' }, { accept: 'text/html' }),
)

/** Requests to all routes of the authorization server, many of them nearly valid. */
function requests(client_id: string, cookie: string): Arbitrary<InjectOptions> {
  const get = (url: string) =>
    pairs.map((drawn): InjectOptions => ({ method: 'GET', url: url + drawn, headers: { cookie } }))
  const post = (url: string, type: string, payload: Arbitrary<string>) =>
    fc.tuple(payload, header).map(([body, more]): InjectOptions => {
      const headers = { 'content-type': type, ...more }
      return { method: 'POST', url, payload: body, headers }
    })
  const form = fc
    .tuple(fc.constantFrom('', `client_id=${client_id}&`, `client_id=${client_id}&grant_type=refresh_token&`), pairs)
    .map((parts) => parts.join(''))
  const formType = 'application/x-www-form-urlencoded'
  return fc.oneof(
    { weight: 3, arbitrary: get(`${authorizeUrl(client_id)}&`) },
    get('/authorize?'),
    get('/authorize/unknown?'),
    get('/connect-mcp?request=unknown&'),
    { weight: 3, arbitrary: post('/token', formType, form) },
    post('/revoke', formType, form),
    { weight: 2, arbitrary: post('/register', 'application/json', json) },
  )
}

const ONWARD =
  /^(https:\/\/client\.example\/callback[?#]|http:\/\/127\.0\.0\.1:8080\/connect-mcp\?request=[\w-]+$|\/sign-in)/
const INSIDES = /node_modules|\.[tj]s:\d|SQLITE|select .* from|<script>|<img/i

test('refuses hostile requests without an internal error and without a redirect', async () => {
  const many = '1000000'
  const caps = { HOLDSHORT_CLIENT_REGISTRATIONS_PER_MINUTE: many, HOLDSHORT_CLIENT_REGISTRATIONS_PER_DAY: many }
  const harness = await openOauth(caps)
  const { cookies } = await createSignedInPerson(harness)
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const met = new Set<number>()
  const property = fc.asyncProperty(requests(await register(harness), cookie), async (request) => {
    harness.controls.now += 1_000
    const { statusCode, headers, body } = await harness.app.inject(request)
    met.add(statusCode)
    expect(statusCode, body).toBeLessThan(500)
    expect(body).not.toMatch(INSIDES)
    if (headers.location !== undefined) expect(String(headers.location)).toMatch(ONWARD)
    if (statusCode >= 400) expect(String(headers['content-type'])).toMatch(/^(application\/json|text\/html)/)
  })
  await fc.assert(property, { seed: SEED, numRuns: RUNS })
  for (const status of [303, 400, 401, 404]) expect([...met]).toContain(status)
})
