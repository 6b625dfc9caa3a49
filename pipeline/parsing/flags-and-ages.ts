import { textOf } from './json.ts'

/** Words for yes and no that feeds send in place of `true` and `false`, in the languages of the sources. */
const YES = /^(true|t|1|yes|y|on|ja|oui|s[ií])$/i
const NO = /^(false|f|0|no|n|off|nein|nej|nei|non)$/i

/**
 * A flag as a boolean: also one that is sent as a text ("false", "N") or as 0 or 1. Null when it is missing or means neither, so that
 * nothing is concluded from it.
 */
export function flagOf(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value
  const word = textOf(value)
  if (YES.test(word)) return true
  return NO.test(word) ? false : null
}

/** Whether a flag says yes. A missing or unreadable flag does not. */
export const isSet = (value: unknown): boolean => flagOf(value) === true

/** A number that may be sent as a text ("600"); null when it is none. */
export function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}
