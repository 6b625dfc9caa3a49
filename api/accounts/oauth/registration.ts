import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ERROR_CODES, type HoldshortError, RateLimitedError } from '../../../config/errors.ts'
import { asHoldshortError } from '../../data/rest/problem.ts'
import type { AccountDependencies } from '../dependencies.ts'
import { takeRegistrationSlot } from '../keys/registration.ts'
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
  const caps = {
    registrations_per_minute: settings.client_registrations_per_minute,
    registrations_per_day: settings.client_registrations_per_day,
  }
  app.post(ROUTES.registration, {
    schema: { hide: true },
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
      const { provider, clients, newClientId } = await authorizationServer.open()
      const client = clientMetadata(newClientId(), request.body)
      await provider.Client.validate({ ...client })
      await takeRegistrationSlot(state, 'client', caps, request.ip, clock())
      const registered = { ...client, client_id_issued_at: Math.floor(clock() / 1000) }
      await clients.upsert(client.client_id, registered)
      return reply.code(201).send(registered)
    },
  })
}

interface RegistrationError {
  status: number
  error: string
  error_description: string
  headers: Record<string, string>
}

/** The status and error body of a failed registration (RFC 7591 §3.2.2). */
function registrationError(thrown: unknown): RegistrationError {
  const headers = {}
  if (thrown instanceof ClientMetadataError)
    return { status: 400, error: thrown.code, error_description: thrown.message, headers }
  if (isLibraryError(thrown))
    return { status: 400, error: thrown.error, error_description: thrown.error_description, headers }
  const error = asHoldshortError(thrown)
  if (error instanceof RateLimitedError) {
    const retry = { 'retry-after': String(error.retryAfterSeconds) }
    return { status: 429, error: 'too_many_requests', error_description: error.message, headers: retry }
  }
  const { status: ownStatus } = ERROR_CODES[error.code]
  if (ownStatus === 503) {
    const description = `${error.code}: ${error.message}`
    return { status: 503, error: 'temporarily_unavailable', error_description: description, headers }
  }
  if (error.code === 'INTERNAL')
    return { status: 500, error: 'server_error', error_description: error.message, headers }
  const status = BODY_ERROR_STATUS[error.code] ?? 400
  return { status, error: 'invalid_client_metadata', error_description: messageOf(error), headers }
}

const BODY_ERROR_STATUS: Record<string, number> = { PAYLOAD_TOO_LARGE: 413, UNSUPPORTED_MEDIA_TYPE: 415 }

const messageOf = (error: HoldshortError) => error.message.replace(/^body: /, 'the body: ')

function isLibraryError(thrown: unknown): thrown is { error: string; error_description: string } {
  const { error, error_description } = (thrown ?? {}) as Record<string, unknown>
  return typeof error === 'string' && /^invalid_/.test(error) && typeof error_description === 'string'
}
