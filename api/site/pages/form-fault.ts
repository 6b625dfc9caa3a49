import type { FastifyReply } from 'fastify'
import {
  ERROR_CODES,
  type ErrorCode,
  HoldshortError,
  ParameterError,
  RateLimitedError,
} from '../../../config/errors.ts'
import { durationText } from '../../data/status/duration-text.ts'
import type { FieldFaults } from './field.ts'
import { escaped } from './html.ts'

/** What a page shows of a form that was refused. */
export interface FormFault {
  status: number
  /** HTML above the form, read out at once. */
  html: string
  /** What is said at single fields. */
  faults: FieldFaults
}

/** Errors that the person at the form can do something about there; `blamed` is the field that the first of them is said at. */
const SHOWN: ReadonlySet<ErrorCode> = new Set(['SIGN_IN_FAILED', 'INVALID_PARAMETER', 'CONFLICT', 'rate_limited'])

/** What the form's own page shows of an error that posting it caused. @throws the error itself when it is no fault of the form. */
export function formFault(error: unknown, reply: FastifyReply, blamed?: string): FormFault {
  if (!(error instanceof HoldshortError) || !SHOWN.has(error.code)) throw error
  const { status } = ERROR_CODES[error.code]
  if (error instanceof ParameterError) {
    const faults = Object.fromEntries(error.faults.map(({ parameter, message }) => [parameter, sentence(message)]))
    return { status, html: warning('Please look at what is marked below.', error.code), faults }
  }
  if (error instanceof RateLimitedError) {
    reply.header('retry-after', String(error.retryAfterSeconds))
    const wait = durationText(Math.ceil(error.retryAfterSeconds / 60) * 60_000)
    return { status, html: warning(`${sentence(error.message)} Try again in ${wait}.`, error.code), faults: {} }
  }
  const text = sentence(error.message)
  if (blamed === undefined) return { status, html: warning(text, error.code), faults: {} }
  return { status, html: warning(`${ERROR_CODES[error.code].title}.`, error.code), faults: { [blamed]: text } }
}

const sentence = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`

const warning = (text: string, code: string) =>
  `<p class="warning" role="alert"><strong>${escaped(text)}</strong> <span class="none">${code}</span></p>`
