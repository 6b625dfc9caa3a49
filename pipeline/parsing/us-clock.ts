import { DateTime, IANAZone } from 'luxon'
import { clockBefore, instantOf, latestRun } from './clocks.ts'

/** Zones that a US page names by letters; the letters say no more than the clock of that place. */
const ZONES: Record<string, string> = {
  E: 'America/New_York',
  C: 'America/Chicago',
  M: 'America/Denver',
  P: 'America/Los_Angeles',
}
const FORMS = [
  'MMM d yyyy h:mm a',
  'MMMM d yyyy h:mm a',
  'M/d/yyyy h:mm a',
  'M/d/yyyy h:mm:ss a',
  'yyyy-MM-dd HH:mm:ss',
]

/** A time as a US page writes it for people, without "Updated", commas, "at" and the dots of "p.m.". */
function bare(text: string): string {
  return text
    .replace(/\b(data|last|updated|as of)\b:?/gi, ' ')
    .replace(/\b([ap])\.m\.?/gi, '$1m')
    .replace(/,|\bat\b|\b(mon|tues|wednes|thurs|fri|satur|sun)day\b/gi, ' ')
    .replace(/(\d)([ap]m)\b/gi, '$1 $2')
    .replace(/\s+/g, ' ')
    .trim()
}

/**
 * "Updated Nov 21, 2026 at 4:58 p.m. CT", "11/21/2026 4:58 PM" or "4:58 AM" as an instant. Letters of a zone in the text
 * win over `zone`; without either, or in another form, it is null.
 */
export function usClock(text: string, zone: string | null, fetched_at: string): string | null {
  const letters = text.match(/\b([ECMP])[SD]?T\b/)
  const said = letters?.[1] === undefined ? zone : (ZONES[letters[1]] ?? zone)
  if (said === null || !IANAZone.create(said).isValid) return null
  const words = bare(letters === null ? text : text.replace(letters[0], ' '))
  for (const form of FORMS) {
    const wall = DateTime.fromFormat(words, form, { zone: said, locale: 'en-US' })
    if (wall.isValid) return instantOf(latestRun(wall, fetched_at).toMillis())
  }
  return clockBefore(words, said, fetched_at)
}
