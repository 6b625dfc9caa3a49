import type { HTTPMethods, InjectOptions, LightMyRequestResponse } from 'fastify'
import { issueFurtherKey, issueKey, revokeKey } from '../../../accounts/keys/keys.ts'
import { snapshotAt } from '../example-snapshot.ts'
import type { Harness } from '../harness.ts'
import type { FuzzRequest } from './requests.ts'

/** Between two requests: long enough for the smallest limit, although one request may send up to three. */
const STEP_MS = 7_000
const PUBLISH_MS = 60_000

/** A sent request and its answer. */
export interface Exchange {
  method: string
  /** As the app received it. */
  url: string
  headers: Record<string, string>
  payload: string | Buffer | null
  /** Whether exactly one valid key was sent. */
  authenticated: boolean
  answer: LightMyRequestResponse
  /** For HEAD and requests with `{etag}`: the answer to the same request as GET. */
  plain: LightMyRequestResponse | null
}

export type Send = (request: FuzzRequest) => Promise<Exchange>

/** Returns a function that sends generated requests to a harness, some seconds apart so that no limit per minute is reached. */
export async function sender(harness: Harness, stepMs = STEP_MS): Promise<Send> {
  const { app, state, keys, controls } = harness
  const spare = await issueFurtherKey(state, keys.pro.account_id, controls.now)
  const revoked = await issueFurtherKey(state, keys.pro.account_id, controls.now)
  const other = await issueKey(state, { tier: 'pro' }, controls.now)
  await revokeKey(state, revoked.key_id, controls.now)
  const placeholders: Record<string, string> = {
    free: keys.free.key,
    pro: keys.pro.key,
    enterprise: keys.enterprise.key,
    revoked_key: revoked.key,
    spare: spare.key_id,
    revoked: revoked.key_id,
    other: other.key_id,
  }
  const filled = (text: string, etag = '"none"') =>
    text.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
      name === 'etag' ? etag : (placeholders[name] ?? placeholder),
    )
  const inject = (request: FuzzRequest, method: string, etag?: string) => {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, text]) => [name, filled(text, etag)]),
    )
    const options = { method: method as HTTPMethods & 'GET', url: filled(request.url), headers }
    return app.inject(request.payload === null ? options : ({ ...options, payload: request.payload } as InjectOptions))
  }

  return async (request) => {
    controls.now += stepMs
    if (request.starting) controls.snapshot = null
    else if (!controls.snapshot || controls.now - controls.snapshot.generated_ms > PUBLISH_MS)
      controls.snapshot = snapshotAt(controls.now)
    const tagged = Object.values(request.headers).some((text) => text.includes('{etag}'))
    const reads = request.method === 'GET' || request.method === 'HEAD'
    let plain: LightMyRequestResponse | null = null
    if (tagged && reads) {
      const { 'if-none-match': _, ...headers } = request.headers
      plain = await inject({ ...request, headers }, 'GET')
    }
    const etag = plain?.headers.etag
    if (request.method === 'HEAD') plain = await inject(request, 'GET', etag)
    const answer = await inject(request, request.method, etag)
    const { method, payload } = request
    const url = answer.raw.req.url ?? ''
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, text]) => [name, filled(text, etag)]),
    )
    return { method, url, headers, payload, authenticated: isAuthenticated(request.headers), answer, plain }
  }
}

const VALID_KEY = /^\{(?:free|pro|enterprise)\}$/

function isAuthenticated({ authorization, 'x-api-key': key }: Record<string, string>): boolean {
  if (authorization === undefined) return VALID_KEY.test(key ?? '')
  return key === undefined && VALID_KEY.test(authorization.replace(/^bearer /i, ''))
}
