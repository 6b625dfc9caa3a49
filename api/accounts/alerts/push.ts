import { createHash } from 'node:crypto'
import webPush from 'web-push'
import { HoldshortError } from '../../../config/errors.ts'
import type { PushSubscriptionRow } from '../../state/tables.ts'
import type { GuardedFetch } from '../egress/guarded-fetch.ts'
import { type VapidKeys, vapidAuthorization } from './vapid.ts'

/** Short, so that a process that is to stop can wait for it. */
const TIMEOUT_MS = 3_000
const MOST_ANSWER_BYTES = 65_536

/** How a push service took a message. */
export type PushOutcome =
  | { kind: 'taken' }
  /** It knows the browser no longer. */
  | { kind: 'gone'; why: string }
  /** It may take it later. */
  | { kind: 'later'; why: string; retry_after_ms: number | null }
  /** It never will: a fault of ours, of the keys, or of the address. */
  | { kind: 'never'; why: string }

export interface PushDoor {
  egress: GuardedFetch
  keys: VapidKeys
  subject: string | null
}

export interface PushOrder {
  subscription: Pick<PushSubscriptionRow, 'endpoint' | 'p256dh' | 'auth'>
  payload: string
  /** Undelivered messages of the same subject to the same browser take each other's place. */
  about: string
  /** How long the push service may keep it for a browser that is away. */
  ttl_seconds: number
}

/** Encrypts a message for one browser (RFC 8291) and gives it to its push service (RFC 8030). Throws nothing of the world. */
export async function push({ egress, keys, subject }: PushDoor, order: PushOrder, now: number): Promise<PushOutcome> {
  const { endpoint } = order.subscription
  const body = encrypted(order)
  if (body === null) return { kind: 'never', why: 'the keys of the browser are unusable' }
  const headers = {
    authorization: await vapidAuthorization(keys, endpoint, subject, now),
    'content-type': 'application/octet-stream',
    'content-encoding': 'aes128gcm',
    ttl: String(order.ttl_seconds),
    urgency: 'high',
    topic: createHash('sha256').update(order.about).digest('base64url').slice(0, 32),
  }
  try {
    const request = { method: 'POST', headers, body, timeout_ms: TIMEOUT_MS, max_bytes: MOST_ANSWER_BYTES } as const
    const answer = await egress(endpoint, request)
    return outcomeOf(answer.status, answer.headers['retry-after'], now)
  } catch (error) {
    if (!(error instanceof HoldshortError)) throw error
    return error.code === 'OUTWARD_REFUSED'
      ? { kind: 'never', why: error.message }
      : { kind: 'later', why: 'no answer', retry_after_ms: null }
  }
}

/** The body as RFC 8291 has it; null when the browser's keys are none. */
function encrypted({ subscription: { endpoint, p256dh, auth }, payload }: PushOrder): Buffer | null {
  try {
    const options = { contentEncoding: 'aes128gcm' } as const
    return webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, options).body
  } catch {
    return null
  }
}

function outcomeOf(status: number, retryAfter: string | undefined, now: number): PushOutcome {
  const why = `the push service answered ${status}`
  if (status >= 200 && status < 300) return { kind: 'taken' }
  if (status === 404 || status === 410) return { kind: 'gone', why }
  if (status === 429 || status >= 500) return { kind: 'later', why, retry_after_ms: waitOf(retryAfter, now) }
  return { kind: 'never', why }
}

/** Milliseconds of a Retry-After: seconds, or an HTTP date. */
function waitOf(retryAfter: string | undefined, now: number): number | null {
  if (retryAfter === undefined) return null
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * 1_000
  const until = Date.parse(retryAfter)
  return Number.isNaN(until) ? null : Math.max(0, until - now)
}
