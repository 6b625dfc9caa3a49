import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { asHoldshortError, retryAfter } from '../../api/rest/problem.ts'
import { ERROR_CODES, RateLimitedError } from '../../config/errors.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { clientCaps, takeRegistrationSlot } from '../keys/registration.ts'
import type { AuthorizationServer } from './authorization-server.ts'
import { ClientMetadataError, clientMetadata } from './client-metadata.ts'
import { ROUTES } from './constants.ts'

const MAX_BODY_BYTES = 16_384

/** Adds dynamic client registration (RFC 7591). It is open to all, limited per source; unapproved clients expire after a day. */
export function addRegistration(
  app: FastifyInstance,
  dependencies: AccountDependencies,
  authorizationServer: AuthorizationServer,
): void {
  const { state, settings, logger, clock = Date.now } = dependencies
  app.post(ROUTES.registration, {
    bodyLimit: MAX_BODY_BYTES,
    onRequest: (_request, reply, done) => {
      reply.headers({ 'access-control-allow-origin': '*', 'cache-control': 'no-store' })
      done()
    },
    errorHandler(thrown, request, reply) {
      const { status, error, error_description, headers } = registrationError(thrown)
      if (status === 500) logger?.error({ err: thrown, request_id: request.id }, 'a client could not be registered')
      return reply.code(status).headers(headers).send({ error, error_description })
    },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const { provider, clients } = await authorizationServer.open()
      const client = clientMetadata(`client_${randomUUID()}`, request.body)
      await provider.Client.validate({ ...client })
      await takeRegistrationSlot(state, 'client', clientCaps(settings), request.ip, clock())
      const registered = { ...client, client_id_issued_at: Math.floor(clock() / 1000) }
      await clients.upsert(client.client_id, registered)
      return reply.code(201).send(registered)
    },
  })
}

/** The status and error body of a failed registration (RFC 7591 §3.2.2). */
function registrationError(thrown: unknown) {
  const answer = (status: number, error: string, error_description: string, headers: Record<string, string> = {}) => ({
    status,
    error,
    error_description,
    headers,
  })
  if (thrown instanceof ClientMetadataError) return answer(400, thrown.code, thrown.message)
  if (isLibraryError(thrown)) return answer(400, thrown.error, thrown.error_description)
  const error = asHoldshortError(thrown)
  const { code, message } = error
  if (error instanceof RateLimitedError) return answer(429, 'too_many_requests', message, retryAfter(error))
  if (ERROR_CODES[code].status === 503)
    return answer(503, 'temporarily_unavailable', `${code}: ${message}`, retryAfter(error))
  if (code === 'INTERNAL') return answer(500, 'server_error', message)
  return answer(BODY_ERROR_STATUS[code] ?? 400, 'invalid_client_metadata', message.replace(/^body: /, 'the body: '))
}

const BODY_ERROR_STATUS: Record<string, number> = { PAYLOAD_TOO_LARGE: 413, UNSUPPORTED_MEDIA_TYPE: 415 }

function isLibraryError(thrown: unknown): thrown is { error: string; error_description: string } {
  const { error, error_description } = (thrown ?? {}) as Record<string, unknown>
  return typeof error === 'string' && /^invalid_/.test(error) && typeof error_description === 'string'
}
