import { hash, parseOptions, verify } from '@node-rs/argon2'
import { COMMON_PASSWORDS } from './common-passwords.ts'

const MIN_CHARACTERS = 12
const MAX_CHARACTERS = 256

/**
 * Argon2id parameters of OWASP's Password Storage Cheat Sheet (19 MiB, two passes, one lane). Hashing runs on up to four
 * library threads, 19 MiB each, never on the thread that answers requests.
 */
export const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const filler = (bytes: number) => Buffer.alloc(bytes).toString('base64').replaceAll('=', '')

/** A hash that no password matches. It is verified where no hash is stored, so that the answer takes the same work. */
const DUMMY_HASH = `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}$${filler(16)}$${filler(32)}`

/** The same password typed on two keyboards can be two texts; NFKC makes them equal. */
const normalised = (password: string) => password.normalize('NFKC')

/** Why a new password is refused; null if it is acceptable. Length counts, not composition (NIST SP 800-63B). */
export function passwordFault(password: string, email: string): string | null {
  const text = normalised(password)
  const length = [...text].length
  if (length < MIN_CHARACTERS) return `Use at least ${MIN_CHARACTERS} characters; a few words will do.`
  if (length > MAX_CHARACTERS) return `Use at most ${MAX_CHARACTERS} characters.`
  const lower = text.toLowerCase().trim()
  if (lower === email || lower === email.split('@')[0]) return 'Your email is the first password anyone would try.'
  if (COMMON_PASSWORDS.has(lower)) return 'This is one of the most common passwords; choose another.'
  return null
}

/** The Argon2id hash of a password as a PHC string, which is what is stored. */
export const hashPassword = (password: string): Promise<string> => hash(normalised(password), PARAMETERS)

/** Whether a password matches the stored hash. Without a stored hash it returns false after the same work. */
export async function isPassword(stored: string | null, password: string): Promise<boolean> {
  const right = await verify(stored ?? DUMMY_HASH, normalised(password))
  return stored !== null && right
}

/** Whether a stored hash has other parameters than the current ones. */
export function isOutdated(stored: string): boolean {
  const { memoryCost, timeCost, parallelism } = parseOptions(stored)
  const same = [memoryCost, timeCost, parallelism].join() === Object.values(PARAMETERS).join()
  return !same
}
