import { createHash } from 'node:crypto'
import type { PushSubscriptionRow } from '../../api/state/tables.ts'
import { HoldshortError } from '../../config/errors.ts'
import type { GuardedFetch } from '../egress/guarded-fetch.ts'
import { type VapidKeys, vapidAuthorization } from './vapid.ts'

/** Short, so that a stopping process can wait for it. */
const TIMEOUT_MS = 3_000

/** These say that the subscription or our keys are not taken: no later message will be either. */
const REFUSED_STATUSES: ReadonlySet<number> = new Set([400, 401, 403])
/** How the reason of a dropped message begins whose push service refuses the browser. */
export const REFUSED = 'the push service refuses the browser:'

/** How a push service answered. */
export type PushOutcome =
  | { kind: 'accepted' }
  /** The push service no longer knows the browser. */
  | { kind: 'gone'; why: string }
  /** It may accept the message later. */
  | { kind: 'retry'; why: string; retry_after_ms: number | null }
  /** It will never accept the message: our fault, or that of the keys or the address. */
  | { kind: 'rejected'; why: string }

export interface PushSender {
  egress: GuardedFetch
  keys: VapidKeys
  subject: string | null
}

export interface PushRequest {
  subscription: Pick<PushSubscriptionRow, 'endpoint' | 'p256dh' | 'auth'>
  payload: string
  /** An undelivered message to the same browser with the same value is replaced by this one. */
  replaces: string
  /** How long the push service may hold the message for a browser that is offline. */
  ttl_seconds: number
}

/** Encrypts a message for one browser (RFC 8291) and sends it to its push service (RFC 8030). Network failures are outcomes. */
export async function sendPush(
  { egress, keys, subject }: PushSender,
  request: PushRequest,
  now: number,
): Promise<PushOutcome> {
  const { endpoint } = request.subscription
  const body = await encryptBody(request)
  if (body === null) return { kind: 'rejected', why: 'the keys of the browser are unusable' }
  const headers = {
    authorization: await vapidAuthorization(keys, endpoint, subject, now),
    'content-type': 'application/octet-stream',
    'content-encoding': 'aes128gcm',
    ttl: String(request.ttl_seconds),
    urgency: 'high',
    topic: createHash('sha256').update(request.replaces).digest('base64url').slice(0, 32),
  }
  try {
    // Whatever becomes of the body of the answer: a message that was accepted is not sent again.
    const options = { method: 'POST', headers, body, timeout_ms: TIMEOUT_MS, max_bytes: 0 } as const
    const answer = await egress(endpoint, options)
    return outcomeOf(answer.status, answer.headers['retry-after'], now)
  } catch (error) {
    if (!(error instanceof HoldshortError)) throw error
    return error.code === 'OUTWARD_REFUSED'
      ? { kind: 'rejected', why: error.message }
      : { kind: 'retry', why: 'no answer', retry_after_ms: null }
  }
}

/** The encrypted body (RFC 8291); null when the browser's keys are invalid. */
async function encryptBody({ subscription: { endpoint, p256dh, auth }, payload }: PushRequest): Promise<Buffer | null> {
  // Loaded with the first message: the package brings thirty files.
  const { default: webPush } = await import('web-push')
  try {
    const options = { contentEncoding: 'aes128gcm' } as const
    return webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, options).body
  } catch {
    return null
  }
}

function outcomeOf(status: number, retryAfter: string | undefined, now: number): PushOutcome {
  const why = `the push service answered ${status}`
  if (status >= 200 && status < 300) return { kind: 'accepted' }
  if (status === 404 || status === 410) return { kind: 'gone', why }
  if (status === 429 || status >= 500) return { kind: 'retry', why, retry_after_ms: retryAfterMs(retryAfter, now) }
  return { kind: 'rejected', why: REFUSED_STATUSES.has(status) ? `${REFUSED} ${status}` : why }
}

/** A Retry-After header in milliseconds: seconds, or an HTTP date. */
function retryAfterMs(retryAfter: string | undefined, now: number): number | null {
  if (retryAfter === undefined) return null
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * 1_000
  const until = Date.parse(retryAfter)
  return Number.isNaN(until) ? null : Math.max(0, until - now)
}
