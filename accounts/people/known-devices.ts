import { randomBytes, timingSafeEqual } from 'node:crypto'
import { keyedHash } from '../../api/state/key-format.ts'
import type { State } from '../../api/state/state.ts'
import type { PersonRow } from '../../api/state/tables.ts'
import { MAX_CLOCK_SKEW_MS } from '../../config/steady-clock.ts'
import { DAY_MS } from '../../config/vocabulary.ts'

/**
 * A browser in which a person has signed in keeps a signed cookie, so that strangers who guess passwords never keep that person out of it
 * (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"). It signs nobody in, and nothing of it is stored.
 */

/** How long a browser is known without signing in again. */
export const DEVICE_MS = 365 * DAY_MS

type Owner = Pick<PersonRow, 'id' | 'password_hash'>

/** The cookie depends on the stored password, so that it is worth nothing once the password was changed. */
const signature = ({ id, password_hash }: Owner, about: string, pepper: string) =>
  keyedHash(`device ${id} ${about} ${password_hash ?? 'no password'}`, pepper)

/** A new device cookie of a person: person, instant (epoch ms), random name of the device, and signature. */
export function newDeviceCookie({ pepper }: Pick<State, 'pepper'>, person: Owner, now: number): string {
  const about = `${now}.${randomBytes(16).toString('base64url')}`
  return `${person.id}.${about}.${signature(person, about, pepper)}`
}

/** The person whose device a cookie claims to be, unverified; null for another text. */
export const claimedPerson = (cookie: string): string | null =>
  /^(person_[\w-]{1,100})\.\d{1,15}\.[\w-]{1,100}\.[\w-]{1,100}$/.exec(cookie)?.[1] ?? null

/** The name of the device that a cookie is of, if the person has signed in there within a year and kept the password; else null. */
export function knownDevice(
  { peppers }: Pick<State, 'peppers'>,
  cookie: string | undefined,
  person: Owner | undefined,
  now: number,
): string | null {
  if (cookie === undefined || !person || claimedPerson(cookie) !== person.id) return null
  const [issued = '', name = '', presented = ''] = cookie.slice(person.id.length + 1).split('.')
  const age = now - Number(issued)
  if (age > DEVICE_MS || age < -MAX_CLOCK_SKEW_MS) return null
  const isSigned = peppers.all.some((pepper) => isSame(signature(person, `${issued}.${name}`, pepper), presented))
  return isSigned ? name : null
}

function isSame(expected: string, presented: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(presented)]
  return a.length === b.length && timingSafeEqual(a, b)
}
