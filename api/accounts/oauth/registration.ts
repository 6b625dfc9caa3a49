import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type HoldshortError, RateLimitedError } from '../../../config/errors.ts'
import { asHoldshortError } from '../../data/rest/problem.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { takeRegistrationSlot } from '../keys/registration.ts'
import type { AuthorizationServer } from './authorization-server.ts'
import { ClientMetadataError, clientMetadata } from './client-metadata.ts'
import { ROUTES } from './constants.ts'

const LARGEST_BODY = 16_384

/** Dynamic client registration (RFC 7591): open to all, capped by source; what nobody approves is dropped after a day. */
export function addRegistration(
  app: FastifyInstance,
  dependencies: AccountDependencies,
  authorizationServer: AuthorizationServer,
): void {
  const { state, settings, logger, clock = Date.now } = dependencies
  const caps = {
    registrations_per_minute: settings.client_registrations_per_minute,
    registrations_per_day: settings.client_registrations_per_day,
  }
  app.post(ROUTES.registration, {
    schema: { hide: true },
    bodyLimit: LARGEST_BODY,
    onRequest: (_request, reply, done) => {
      reply.headers({ 'access-control-allow-origin': '*', 'cache-control': 'no-store' })
      done()
    },
    errorHandler(thrown, request, reply) {
      const { status, error, error_description, headers } = registrationFault(thrown)
      if (status === 500) logger?.error({ err: thrown, request_id: request.id }, 'a client could not be registered')
      return reply.code(status).headers(headers).send({ error, error_description })
    },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const { provider, clients, newClientId } = await authorizationServer.open()
      const client = clientMetadata(newClientId(), request.body)
      await provider.Client.validate({ ...client })
      await takeRegistrationSlot(state, 'client', caps, request.ip, clock())
      const kept = { ...client, client_id_issued_at: Math.floor(clock() / 1000) }
      await clients.upsert(client.client_id, kept)
      return reply.code(201).send(kept)
    },
  })
}

interface Fault {
  status: number
  error: string
  error_description: string
  headers: Record<string, string>
}

/** A fault in the words of RFC 7591 §3.2.2. */
function registrationFault(thrown: unknown): Fault {
  const headers = {}
  if (thrown instanceof ClientMetadataError)
    return { status: 400, error: thrown.code, error_description: thrown.message, headers }
  if (isLibraryFault(thrown))
    return { status: 400, error: thrown.error, error_description: thrown.error_description, headers }
  const error = asHoldshortError(thrown)
  if (error instanceof RateLimitedError) {
    const retry = { 'retry-after': String(error.retryAfterSeconds) }
    return { status: 429, error: 'too_many_requests', error_description: error.message, headers: retry }
  }
  if (error.code === 'INTERNAL')
    return { status: 500, error: 'server_error', error_description: error.message, headers }
  const status = error.code === 'PAYLOAD_TOO_LARGE' ? 413 : error.code === 'UNSUPPORTED_MEDIA_TYPE' ? 415 : 400
  return { status, error: 'invalid_client_metadata', error_description: messageOf(error), headers }
}

const messageOf = (error: HoldshortError) => error.message.replace(/^body: /, 'the body: ')

function isLibraryFault(thrown: unknown): thrown is { error: string; error_description: string } {
  const { error, error_description } = (thrown ?? {}) as Record<string, unknown>
  return typeof error === 'string' && /^invalid_/.test(error) && typeof error_description === 'string'
}
