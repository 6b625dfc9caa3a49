/** A person whose browser is signed in. */
export interface Visitor {
  person_id: string
  account_id: string
  email: string
  /** Keyed hash of the session's cookie: what the session is called in the state. */
  session: string
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in, on pages; null for a stranger. */
    visitor: Visitor | null
  }
}

/** Name and attributes of a cookie of ours: bound to this host alone where the site is https. */
export function cookieOf(site_url: string, name: string) {
  const secure = site_url.startsWith('https:')
  const attributes = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const
  return { name: secure ? `__Host-hs_${name}` : `hs_${name}`, attributes }
}
