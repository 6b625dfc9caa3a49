import type { z } from 'zod'
import type { ParameterFault } from '../../config/errors.ts'

/** The faults of an input, each naming its parameter; an unknown one is told which there are. */
export function parameterFaults(error: z.core.$ZodError, input: z.ZodObject): ParameterFault[] {
  return error.issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return [{ parameter: parameterName(issue.path), message: messageOf(issue) }]
    const known = Object.keys(input.shape)
    const message = known.length > 0 ? `is not known here; known: ${known.join(', ')}` : 'is not known here'
    return issue.keys.map((parameter) => ({ parameter, message }))
  })
}

const EXPECTED: Record<string, string> = {
  int: 'must be a whole number',
  number: 'must be a whole number',
  boolean: 'must be true or false',
}

/** What is wrong, in words of the caller's world instead of the validator's. */
function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_type') return issue.message
  if (issue.path.length > 0 && issue.message.endsWith('received undefined')) return 'is required'
  return EXPECTED[issue.expected] ?? issue.message
}

/** `codes[3]` from ["codes", 3]. */
function parameterName(path: PropertyKey[]): string {
  if (path.length === 0) return 'body'
  return path
    .map((part, place) => (typeof part === 'number' ? `[${part}]` : (place > 0 ? '.' : '') + String(part)))
    .join('')
}
