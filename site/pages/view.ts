import type { FastifyRequest } from 'fastify'
import type { View } from './shell.tsx'

/** The installation's details in the frame of a page. */
export interface Site {
  contact: string
  /** The public address, which canonical addresses begin with. */
  site_url: string
  isSimulated: () => boolean
}

declare module 'fastify' {
  interface FastifyInstance {
    site: Site
    /**
     * Values that are created once, for the first request that needs them, and take long: the server creates them as soon as it
     * listens. Tests and tools with one request do without.
     */
    preparations: (() => unknown)[]
  }
}

/** The viewer and address of a request's page. */
export function viewOf({ server: { site }, visitor, visitorFault, url }: FastifyRequest): View {
  return {
    site_url: site.site_url,
    path: url.split('?')[0]!,
    // Outside the scope of pages nobody looks for the visitor.
    isSignedIn: visitor === undefined || visitorFault ? null : visitor !== null,
    isSimulated: site.isSimulated(),
    contact: site.contact,
  }
}
