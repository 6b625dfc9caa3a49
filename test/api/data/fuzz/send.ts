import type { HTTPMethods, InjectOptions, LightMyRequestResponse } from 'fastify'
import { issueFurtherKey, issueKey, revokeKey } from '../../../../api/accounts/keys/keys.ts'
import { snapshotAt } from '../../example-snapshot.ts'
import type { Harness } from '../../harness.ts'
import type { FuzzRequest } from './requests.ts'

/** Longer apart than the smallest limit asks for, though one request may need three. */
const STEP_MS = 7_000
const PUBLISH_MS = 60_000

/** What was sent in the end, and what came back. */
export interface Exchange {
  method: string
  /** As the app read it. */
  url: string
  headers: Record<string, string>
  payload: string | Buffer | null
  /** Whether a good key was sent, and only one. */
  authenticated: boolean
  answer: LightMyRequestResponse
  /** The answer to the same as GET: of a HEAD, and of what asks for `{etag}`. */
  plain: LightMyRequestResponse | null
}

export type Send = (request: FuzzRequest) => Promise<Exchange>

/** A function that sends drawn requests to a harness, some seconds apart so that no minute's limit is met. */
export async function sender(harness: Harness, stepMs = STEP_MS): Promise<Send> {
  const { app, state, keys, controls } = harness
  const [spare, gone] = [await issueFurtherKey(state, keys.pro.account_id, controls.now), keys.pro.account_id]
  const revoked = await issueFurtherKey(state, gone, controls.now)
  const other = await issueKey(state, { tier: 'pro' }, controls.now)
  await revokeKey(state, revoked.key_id, controls.now)
  const meaning: Record<string, string> = {
    free: keys.free.key,
    pro: keys.pro.key,
    enterprise: keys.enterprise.key,
    revoked_key: revoked.key,
    spare: spare.key_id,
    revoked: revoked.key_id,
    other: other.key_id,
  }
  const meant = (text: string, etag = '"none"') =>
    text.replace(/\{(\w+)\}/g, (written, name: string) => (name === 'etag' ? etag : (meaning[name] ?? written)))
  const inject = (request: FuzzRequest, method: string, etag?: string) => {
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, text]) => [name, meant(text, etag)]))
    const options = { method: method as HTTPMethods & 'GET', url: meant(request.url), headers }
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
    const { method, url, payload } = { ...request, url: answer.raw.req.url ?? '' }
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, text]) => [name, meant(text, etag)]))
    return { method, url, headers, payload, authenticated: isAuthenticated(request.headers), answer, plain }
  }
}

const GOOD_KEY = /^\{(?:free|pro|enterprise)\}$/

function isAuthenticated({ authorization, 'x-api-key': key }: Record<string, string>): boolean {
  if (authorization === undefined) return GOOD_KEY.test(key ?? '')
  return key === undefined && GOOD_KEY.test(authorization.replace(/^bearer /i, ''))
}
