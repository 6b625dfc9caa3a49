import type { FastifyInstance } from 'fastify'
import { HoldshortError } from '../../../config/errors.ts'
import { creationOptions, passkeysOf, requestOptions } from '../people/passkeys.ts'
import type { AccountSite } from './site.ts'

/** What the script of our pages asks before it makes or uses a passkey. Giving it changes nothing, so anyone may ask. */
export function addPasskeyOptions(pages: FastifyInstance, { dependencies, party, now }: AccountSite): void {
  const { state } = dependencies
  const ours = () => {
    if (!party) throw new HoldshortError('NOT_FOUND', 'passkeys need an https address, or http://localhost')
    return party
  }
  pages.get('/passkey/creation-options', { schema: { hide: true } }, async ({ visitor }, reply) => {
    const person = visitor && {
      id: visitor.person_id,
      email: visitor.email,
      passkeys: await passkeysOf(state, visitor.person_id),
    }
    return reply.header('cache-control', 'no-store').send(await creationOptions(state.pepper, ours(), person, now()))
  })
  pages.get('/passkey/request-options', { schema: { hide: true } }, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send(await requestOptions(state.pepper, ours(), now())),
  )
}
