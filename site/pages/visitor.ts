import type { HoldshortError } from '../../config/errors.ts'
import type { Tier } from '../../config/vocabulary.ts'

/** A person who is signed in. */
export interface Visitor {
  person_id: string
  account_id: string
  email: string
  /** The tier of the account: pages show what its API would answer. */
  tier: Tier
  /** Keyed hash of the session's cookie; the state identifies the session by it. */
  session: string
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The person who is signed in; null when nobody is. The accounts area sets it before a page is built. */
    visitor: Visitor | null
    /** Why it is not known who is signed in, on a page that is open to everybody; null if it is known. */
    visitorFault: HoldshortError | null
  }
}

/** Name and attributes of one of our cookies. On an https site it is bound to this host alone. */
export function cookieOf(site_url: string, name: string) {
  const secure = site_url.startsWith('https:')
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const
  return { name: secure ? `__Host-hs_${name}` : `hs_${name}`, attributes }
}
