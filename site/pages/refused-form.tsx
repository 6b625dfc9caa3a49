import type { FastifyReply } from 'fastify'
import type { VNode } from 'preact'
import { sentenceOf } from '../../answers/statements/text.ts'
import { durationText } from '../../api/status/duration-text.ts'
import { ERROR_CODES, type ErrorCode, HoldshortError, ParameterError, RateLimitedError } from '../../config/errors.ts'
import type { FieldFaults } from './fields.tsx'

/** The state of a page that refused a form. */
export interface RefusedForm {
  status: number
  /** Shown above the form and read out at once. */
  warning: VNode
  /** Shown at single fields. */
  faults: FieldFaults
}

/** Errors that a person can correct at the form. */
const CORRECTABLE: ReadonlySet<ErrorCode> = new Set(['SIGN_IN_FAILED', 'INVALID_PARAMETER', 'CONFLICT', 'rate_limited'])

/**
 * The state of a form's page after posting it failed with `error`. `field` shows an error that names no field.
 * @throws the error itself when the person cannot correct it at the form.
 */
export function refusedForm(error: unknown, reply: FastifyReply, field?: string): RefusedForm {
  if (!(error instanceof HoldshortError) || !CORRECTABLE.has(error.code)) throw error
  const { status, title } = ERROR_CODES[error.code]
  const warning = (text: string) => <Warning text={text} code={error.code} />
  if (error instanceof ParameterError) {
    const faults = Object.fromEntries(error.faults.map(({ parameter, message }) => [parameter, sentenceOf(message)]))
    return { status, warning: warning('Please correct the marked fields below.'), faults }
  }
  const text = sentenceOf(error.message)
  if (error instanceof RateLimitedError) {
    reply.header('retry-after', String(error.retryAfterSeconds))
    const wait = durationText(Math.ceil(error.retryAfterSeconds / 60) * 60_000)
    return { status, warning: warning(`${text} Try again in ${wait}.`), faults: {} }
  }
  if (field === undefined) return { status, warning: warning(text), faults: {} }
  return { status, warning: warning(`${title}.`), faults: { [field]: text } }
}

const Warning = ({ text, code }: { text: string; code: string }) => (
  <p class="warning" role="alert">
    <strong>{text}</strong> <span class="none">{code}</span>
  </p>
)
