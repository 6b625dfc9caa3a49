import { HOUR_MS, MINUTE_MS } from '../../config/vocabulary.ts'
import { countOf } from './counted-words.ts'

const SPAN =
  /^(?:(?<hours>[a-z]+(?: an?)?|\d+(?:\.\d+)?)\s*(?:h|hrs?|hours?)(?![a-z]))?(?:(?:\s+and)?\s*(?<minutes>[a-z]+|\d+)\s*(?<unit>m|mins?|minutes?)?)?$/i

/** `an hour and a half`, `two and a half hours`. */
const AND_A_HALF = /^(\S+)(?: hours? and a half| and a half hours?)$/i

/** `1:30`, `1:30 h`: hours and minutes as a clock shows them. */
const AS_CLOCK = /^(\d{1,2}):([0-5]\d)(?:\s*(?:h|hrs?|hours?))?$/i

/** The length of a time in words, in ms: of `45 min`, `an hour and 30 min`, `an hour and a half`, `1h30`, `1:30`; null for any other text, and for a number without a unit. */
export function spanOf(text: string): number | null {
  const { hours, minutes, unit } =
    SPAN.exec(text.trim().replace(AND_A_HALF, '$1 hours 30 min').replace(AS_CLOCK, '$1 h $2 min'))?.groups ?? {}
  if (hours === undefined && unit === undefined) return null
  const span = (hours ? countOf(hours) : 0) * HOUR_MS + (minutes ? countOf(minutes) : 0) * MINUTE_MS
  return Number.isFinite(span) ? span : null
}
