import { DAY_MINUTES } from '../../parsing/fields.ts'

const PROSE = /^(?:(\d{1,3})\s*hours?)?(?:\s*(?:and|,)?\s*(\d{1,4})\s*min(?:ute)?s?)?\.?$/i

/** Minutes of the FAA's prose: `46 minutes`, `2 hours`, `1 hour and 16 minutes`. Null for any other text, and for more than a day. */
export function durationMinutes(text: string): number | null {
  const match = PROSE.exec(text.trim())
  if (!match || (match[1] === undefined && match[2] === undefined)) return null
  const minutes = Number(match[1] ?? 0) * 60 + Number(match[2] ?? 0)
  return minutes <= DAY_MINUTES ? minutes : null
}

/** A longest delay of 0 minutes beside a larger average means that it is unknown (feed of 2011-06-22). */
export function longestDelay(maximum: number | null, average: number | null): number | null {
  return maximum === 0 && average !== null && average > 0 ? null : maximum
}
