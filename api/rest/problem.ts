import { z } from 'zod'
import {
  AirportNotFoundError,
  ERROR_CODES,
  type ErrorCode,
  HoldshortError,
  ParameterError,
  PremiumRequiredError,
  RateLimitedError,
} from '../../config/errors.ts'

/** The router takes no longer part of a path, and no valid one is as long. */
export const MAX_PART_LENGTH = 200

/** The error codes of the REST API. Each is documented, and a test provokes each. */
export const WIRE_CODES = [
  'INVALID_PARAMETER',
  'INVALID_API_KEY',
  'PREMIUM_REQUIRED',
  'AIRPORT_NOT_FOUND',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'NOT_ACCEPTABLE',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'rate_limited',
  'INTERNAL',
  'NOT_READY',
  'STATE_UNREACHABLE',
  'STATE_UNWRITABLE',
  'STATE_DAMAGED',
  'GATE_UNAVAILABLE',
] as const satisfies readonly ErrorCode[]
export type WireCode = (typeof WIRE_CODES)[number]

/**
 * Codes that only tools (LIVE_UNAVAILABLE, WRITING_NOT_ALLOWED), pages and their scripts (CONFLICT, for a key beyond the tier's number;
 * SIGN_IN_FAILED, FORM_REFUSED, STRIPE_FAILED) or files of the open data answer with.
 */
const OTHER_CODES = [
  'LIVE_UNAVAILABLE',
  'WRITING_NOT_ALLOWED',
  'CONFLICT',
  'SIGN_IN_FAILED',
  'FORM_REFUSED',
  'STRIPE_FAILED',
  'PRECONDITION_FAILED',
  'RANGE_NOT_SATISFIABLE',
] as const satisfies readonly ErrorCode[]
type CallerCode = WireCode | (typeof OTHER_CODES)[number]

export const Problem = z
  .strictObject({
    type: z.string().describe('URN of the kind of problem.'),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe('What was wrong with this request, for people.'),
    instance: z.string().describe('Path of the request.'),
    code: z.enum(WIRE_CODES).describe('Stable code, for programs.'),
    error: z.enum(WIRE_CODES).describe('The same as `code`.'),
    doc_url: z.url().describe('The page that says what the code means and what to do.'),
    request_id: z.string().describe('The X-Request-Id of the request.'),
    errors: z
      .array(z.strictObject({ parameter: z.string(), message: z.string() }))
      .optional()
      .describe('INVALID_PARAMETER: every fault.'),
    successor: z
      .string()
      .optional()
      .describe('AIRPORT_NOT_FOUND: the airport that took the place of a closed one (IATA code).'),
    required_tier: z
      .enum(['pro', 'enterprise'])
      .optional()
      .describe('PREMIUM_REQUIRED: the lowest tier that includes this.'),
    upgrade_url: z.url().optional().describe('PREMIUM_REQUIRED: the page that describes the tiers.'),
    scope: z
      .enum([
        'minute',
        'month',
        'registration_minute',
        'registration_day',
        'address',
        'reports_account',
        'reports_airport',
      ])
      .optional()
      .describe('rate_limited: which limit was reached.'),
    retry_after_seconds: z.int().optional().describe('rate_limited: the same as Retry-After.'),
  })
  .meta({ id: 'Problem', description: 'An error (problem details, RFC 9457).' })
/** The problem of a REST answer, a tool error or a page. */
export type Problem = Omit<z.output<typeof Problem>, 'code' | 'error'> & { code: CallerCode; error: CallerCode }

/** The problem body of an error, and the headers of its response. */
export interface ProblemResponse {
  body: Problem
  headers: Record<string, string>
}

/** The parts of a problem that come from the request. */
export interface ProblemContext {
  request_id: string
  path: string
  site_url: string
  /** The WWW-Authenticate header of a 401, where it differs from the usual one. */
  challenge?: string
}

interface FrameworkError {
  code?: string
  statusCode?: number
  message?: string
}

/** Our codes of Fastify's own errors. */
const FRAMEWORK_CODES: Record<string, WireCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
}

const isCallerCode = (code: string): code is CallerCode =>
  ([...WIRE_CODES, ...OTHER_CODES] as readonly string[]).includes(code)

/** Turns any thrown value into one of our errors. An unexpected one becomes INTERNAL, whose message reveals no internals. */
export function asHoldshortError(thrown: unknown): HoldshortError {
  if (thrown instanceof HoldshortError && isCallerCode(thrown.code)) return thrown
  const { code = '', statusCode = 500, message = '' } = (thrown ?? {}) as FrameworkError
  const known = FRAMEWORK_CODES[code]
  if (known === 'UNSUPPORTED_MEDIA_TYPE') return new HoldshortError(known, 'the body must be application/json')
  if (known) return new HoldshortError(known, message)
  if (!(thrown instanceof HoldshortError) && statusCode === 400)
    return ParameterError.of(code === 'FST_ERR_BAD_URL' ? 'path' : 'body', message)
  if (code === 'FST_ERR_MAX_PARAM_LENGTH')
    return ParameterError.of('path', `must have at most ${MAX_PART_LENGTH} characters in each of its parts`)
  return new HoldshortError('INTERNAL', 'internal error; report it with the request id', {
    cause: thrown,
  })
}

/** The limits that the gate counts for each key. */
const GATE_SCOPES: ReadonlySet<string> = new Set(['minute', 'month'])

/** The problem body and headers of an error. */
export function problemOf(
  error: HoldshortError,
  { request_id, path, site_url, challenge }: ProblemContext,
): ProblemResponse {
  const code = isCallerCode(error.code) ? error.code : 'INTERNAL'
  const { status, title } = ERROR_CODES[code]
  const body: Problem = {
    type: `urn:holdshort:problem:${code.toLowerCase().replaceAll('_', '-')}`,
    title,
    status,
    detail: error.message,
    instance: path,
    code,
    error: code,
    doc_url: `${site_url}/docs/errors#${code}`,
    request_id,
  }
  const headers: Record<string, string> = { 'cache-control': 'no-store' }
  if (error instanceof ParameterError)
    body.errors = error.faults.map(({ parameter, message }) => ({ parameter, message }))
  if (error instanceof AirportNotFoundError && error.successor !== null) body.successor = error.successor
  if (error instanceof PremiumRequiredError) {
    body.required_tier = error.requiredTier
    body.upgrade_url = `${site_url}/plans`
  }
  if (error instanceof RateLimitedError) {
    body.scope = error.scope as Problem['scope']
    body.retry_after_seconds = error.retryAfterSeconds
    // The gate has already set these headers for the limits of a key, with every limit.
    if (!GATE_SCOPES.has(error.scope)) {
      headers.ratelimit = `"${error.scope}";r=0;t=${error.retryAfterSeconds}`
      headers['x-ratelimit-remaining'] = '0'
      headers['x-ratelimit-reset'] = String(error.retryAfterSeconds)
    }
  }
  if (code === 'INVALID_API_KEY')
    headers['www-authenticate'] =
      challenge ?? `Bearer realm="holdshort", resource_metadata="${site_url}/.well-known/oauth-protected-resource"`
  return { body, headers: { ...headers, ...retryAfter(error) } }
}

const RETRY_SECONDS: Partial<Record<ErrorCode, number>> = {
  NOT_READY: 5,
  STATE_UNREACHABLE: 5,
  STATE_UNWRITABLE: 60,
  STATE_DAMAGED: 60,
  GATE_UNAVAILABLE: 1,
}

/** The header that says when a refused request may be sent again; none where waiting does not help. */
export function retryAfter(error: HoldshortError): Record<string, string> {
  const seconds = error instanceof RateLimitedError ? error.retryAfterSeconds : RETRY_SECONDS[error.code]
  return seconds === undefined ? {} : { 'retry-after': String(seconds) }
}
