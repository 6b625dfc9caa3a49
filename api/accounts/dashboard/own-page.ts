import type { FastifyRequest } from 'fastify'
import type { Visitor } from '../../site/pages/visitor.ts'
import type { Actor } from '../../state/actor.ts'
import { mustBeSignedIn } from '../people/visitor.ts'

/** What every page of the dashboard is: no part of the REST API, and for who is signed in alone. */
export const OWN_PAGE = { schema: { hide: true }, onRequest: mustBeSignedIn }

/** Who asks for a page that only who is signed in comes to. */
export const owner = (request: FastifyRequest): Visitor => request.visitor!

export const byOwner = ({ ip }: FastifyRequest): Actor => ({ actor: 'owner', source: ip })
