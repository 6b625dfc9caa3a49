import { countOf } from './day-words.ts'

const PAST_OR_TO =
  /\b(?<part>half|(?:an? )?quarter) (?<side>past|to) (?<hour>[a-z]+|\d{1,2})(?! *[:.h\d])(?: *o'clock)?\b/i
const OCLOCK = /\b(?<hour>[a-z]+|\d{1,2}) ?o'clock\b/i

/** The minutes of an hour that is said so. */
function minutesOf(part: string | undefined, isBefore: boolean): number {
  if (part === undefined) return 0
  if (/half/i.test(part)) return 30
  return isBefore ? 45 : 15
}

/** The words of a dial as a clock of figures: `6:30 tomorrow` for `half past six tomorrow`, `7:45` for `quarter to 8`, `3:00 pm` for `3 o'clock pm`. */
export function withDialInFigures(text: string): string {
  const { part, side, hour } = PAST_OR_TO.exec(text)?.groups ?? OCLOCK.exec(text)?.groups ?? {}
  const spoken = countOf(hour ?? '')
  const isBefore = side?.toLowerCase() === 'to'
  const isHour = Number.isInteger(spoken) && spoken >= 1 && spoken <= 12
  if (hour === undefined || !isHour || (isBefore && /half/i.test(part ?? ''))) return text
  const hours = isBefore ? ((spoken + 10) % 12) + 1 : spoken
  const figures = `${hours}:${String(minutesOf(part, isBefore)).padStart(2, '0')}`
  return text.replace(part === undefined ? OCLOCK : PAST_OR_TO, figures)
}
