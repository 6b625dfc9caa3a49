import type { z } from 'zod'
import type { ParameterFault } from '../../../config/errors.ts'

/** The faults of an input, each naming its parameter; an unknown one is told which there are. */
export function parameterFaults(error: z.core.$ZodError, input: z.ZodObject): ParameterFault[] {
  const faults = error.issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return [{ parameter: parameterName(issue.path), message: messageOf(issue) }]
    const known = Object.keys(input.shape)
    const message = known.length > 0 ? `is not known here; known: ${known.join(', ')}` : 'is not known here'
    return issue.keys.map((parameter) => ({ parameter, message }))
  })
  // What is of the wrong kind is of the wrong length too: the first fault of a parameter is the one to mend.
  return faults.filter(({ parameter }, place) => faults.findIndex((one) => one.parameter === parameter) === place)
}

const EXPECTED: Record<string, string> = {
  int: 'must be a whole number',
  number: 'must be a whole number',
  boolean: 'must be true or false',
  string: 'must be a text',
  array: 'must be a list',
  object: 'must be an object',
}

const UNITS: Record<string, [verb: string, unit: string]> = {
  string: ['have', ' characters'],
  array: ['have', ' entries'],
}

/** The words of the validator, where no schema has words of its own. */
const VALIDATORS = /^(Too (big|small)|Invalid (option|ISO)|Invalid input)\b/

function bound(origin: string, limit: string): string {
  const [verb, unit] = UNITS[origin] ?? ['be', '']
  return `must ${verb} ${limit}${unit}`
}

/** What is wrong, in words of the caller's world instead of the validator's. */
function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && VALIDATORS.test(issue.message)) {
    if (issue.path.length > 0 && issue.message.endsWith('received undefined')) return 'is required'
    return EXPECTED[issue.expected] ?? issue.message
  }
  if (!VALIDATORS.test(issue.message)) return issue.message
  if (issue.code === 'too_big') return bound(issue.origin, `at most ${issue.maximum}`)
  if (issue.code === 'too_small')
    return issue.origin === 'string' && issue.minimum === 1
      ? 'must not be empty'
      : bound(issue.origin, `at least ${issue.minimum}`)
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`
  if (issue.code === 'invalid_format' && issue.format === 'date') return 'must be a date that exists, YYYY-MM-DD'
  if (issue.code === 'invalid_format' && issue.format === 'datetime')
    return 'must be an instant in UTC, like 2026-11-21T15:00:00Z'
  return issue.message
}

/** `codes[3]` from ["codes", 3]. */
function parameterName(path: PropertyKey[]): string {
  if (path.length === 0) return 'body'
  return path
    .map((part, place) => (typeof part === 'number' ? `[${part}]` : (place > 0 ? '.' : '') + String(part)))
    .join('')
}
