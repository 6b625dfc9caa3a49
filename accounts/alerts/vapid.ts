import { importJWK, SignJWT } from 'jose'
import { installationSecret } from '../../api/state/secrets.ts'
import type { State } from '../../api/state/state.ts'
import { addresses } from '../../config/addresses.ts'
import { contactUri } from '../../config/contact.ts'
import { isReservedHost } from '../../config/reserved-hosts.ts'
import type { Settings } from '../../config/settings.ts'

/** How long a token is valid; RFC 8292 allows at most 24 hours. */
const TOKEN_SECONDS = 12 * 3_600

/** The key pair that identifies this installation to push services (RFC 8292), base64url. Browsers are bound to it. */
export interface VapidKeys {
  publicKey: string
  privateKey: string
}

/** The installation's keys: created once, then the same in all its processes. */
export async function vapidKeys(state: State, now: number): Promise<VapidKeys> {
  return JSON.parse(
    await installationSecret(state, 'vapid', now, async () => {
      const { default: webPush } = await import('web-push')
      return JSON.stringify(webPush.generateVAPIDKeys())
    }),
  ) as VapidKeys
}

/** The operator's contact for push services: an https or mailto URI; null if it is a telephone number and the site has no public https address. */
export function vapidSubject(settings: Settings): string | null {
  const contact = contactUri(settings.contact)
  if (!contact.startsWith('tel:')) return contact
  const { site_url } = addresses(settings)
  return site_url.startsWith('https:') && !isReservedHost(new URL(site_url).hostname) ? site_url : null
}

/** The Authorization header of a message to a push service. */
export async function vapidAuthorization(
  { publicKey, privateKey }: VapidKeys,
  endpoint: string,
  subject: string | null,
  now: number,
): Promise<string> {
  const point = Buffer.from(publicKey, 'base64url')
  const x = point.subarray(1, 33).toString('base64url')
  const y = point.subarray(33).toString('base64url')
  const key = await importJWK({ kty: 'EC', crv: 'P-256', x, y, d: privateKey }, 'ES256')
  const token = new SignJWT(subject === null ? {} : { sub: subject })
    .setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
    .setAudience(new URL(endpoint).origin)
    .setExpirationTime(Math.floor(now / 1000) + TOKEN_SECONDS)
  return `vapid t=${await token.sign(key)}, k=${publicKey}`
}
