import { ECDH } from 'node:crypto'
import { z } from 'zod'
import { ParameterError } from '../../../config/errors.ts'
import { parameterFaults } from '../../data/queries/parameter-faults.ts'

const base64url = z.string().regex(/^[A-Za-z0-9_-]{1,200}={0,2}$/, 'must be base64url')
/** Without padding, as it is stored. */
const bare = (text: string) => text.replace(/=+$/, '')

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

/** What a browser's PushSubscription is as JSON (Push API), with what its owner calls the browser. */
export const PushSubscription = z.object({
  endpoint: z.string().max(1_000, 'is too long').refine(isEndpoint, 'must be the address of a push service'),
  keys: z.object({
    p256dh: base64url.refine(isPoint, 'must be a public key on P-256, 65 bytes').transform(bare),
    auth: base64url.refine((text) => Buffer.from(text, 'base64url').length === 16, 'must be 16 bytes').transform(bare),
  }),
  label: z.string().trim().max(60, 'must be at most 60 characters').optional(),
})
export type PushSubscription = z.output<typeof PushSubscription>

/** @throws ParameterError that names each faulty field. */
export function readSubscription(given: unknown): PushSubscription {
  const parsed = PushSubscription.safeParse(given)
  if (!parsed.success) throw new ParameterError(parameterFaults(parsed.error, PushSubscription))
  return parsed.data
}

const BROWSERS: [RegExp, string][] = [
  [/Edg(A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrom(e|ium)\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const SYSTEMS: [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

/** What a browser is called when its owner gives no name: Chrome on Android. */
export function browserLabel(user_agent: string): string {
  const named = (list: [RegExp, string][]) => list.find(([pattern]) => pattern.test(user_agent))?.[1]
  const system = named(SYSTEMS)
  return (named(BROWSERS) ?? 'A browser') + (system ? ` on ${system}` : '')
}
