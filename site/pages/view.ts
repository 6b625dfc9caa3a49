import type { FastifyRequest } from 'fastify'
import type { View } from './shell.tsx'

/** What the frame of a page shows of the installation. */
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
     * What is made once, for the first request that needs it, and takes long: the server makes it as soon as it listens. Tests and
     * tools that ask for one thing do without.
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
