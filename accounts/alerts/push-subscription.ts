import { ECDH } from 'node:crypto'
import { z } from 'zod'
import { parameterFaults } from '../../answers/questions/parameter-faults.ts'
import { ParameterError } from '../../config/errors.ts'
import { shortText } from '../../config/short-text.ts'

const base64url = z.string().regex(/^[A-Za-z0-9_-]{1,200}={0,2}$/, 'must be base64url')
/** Subscriptions are stored without padding. */
const withoutPadding = (text: string) => text.replace(/=+$/, '')

/** A point of P-256, uncompressed (RFC 8291): 65 bytes that lie on the curve. */
function isPoint(text: string): boolean {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length !== 65 || bytes[0] !== 4) return false
  try {
    ECDH.convertKey(bytes, 'prime256v1')
    return true
  } catch {
    return false
  }
}

function isEndpoint(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null
  return url !== null && /^https?:$/.test(url.protocol) && url.hash === '' && url.username === '' && url.password === ''
}

/** A browser's PushSubscription as JSON (Push API), with the name that its owner gives the browser. */
export const PushSubscription = z.object({
  endpoint: z.string().max(1_000, 'is too long').refine(isEndpoint, 'must be the address of a push service'),
  keys: z.object({
    p256dh: base64url.refine(isPoint, 'must be a public key on P-256, 65 bytes').transform(withoutPadding),
    auth: base64url
      .refine((text) => Buffer.from(text, 'base64url').length === 16, 'must be 16 bytes')
      .transform(withoutPadding),
  }),
  label: shortText(60).optional(),
})
export type PushSubscription = z.output<typeof PushSubscription>

/** Checks a push subscription. @throws ParameterError that names each faulty field */
export function parseSubscription(input: unknown): PushSubscription {
  const parsed = PushSubscription.safeParse(input)
  if (!parsed.success) throw new ParameterError(parameterFaults(parsed.error, PushSubscription))
  return parsed.data
}
