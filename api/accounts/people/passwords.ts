import { hash, parseOptions, verify } from '@node-rs/argon2'
import { COMMON_PASSWORDS } from './common-passwords.ts'

const LEAST_CHARACTERS = 12
const MOST_CHARACTERS = 256

/**
 * Argon2id as OWASP's Password Storage Cheat Sheet has it (19 MiB, two passes, one lane), which it ranks equal to its other
 * settings: it takes the memory of an attacker's GPU cores, and of us 19 MiB for each of the four threads that hash at once.
 * The work is done on those threads, never on the one that answers.
 */
export const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const filler = (bytes: number) => Buffer.alloc(bytes).toString('base64').replaceAll('=', '')

/** What a password is checked against where there is none, so that the answer takes the same work: nobody knows its password. */
const NOBODY = `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}$${filler(16)}$${filler(32)}`

/** One password typed on two keyboards can be two texts; NFKC makes them one. */
const known = (password: string) => password.normalize('NFKC')

/** Why a new password is refused, null for a good one. Its length counts, not what it is composed of (NIST SP 800-63B). */
export function passwordFault(password: string, email: string): string | null {
  const text = known(password)
  const length = [...text].length
  if (length < LEAST_CHARACTERS) return `Use at least ${LEAST_CHARACTERS} characters; a few words will do.`
  if (length > MOST_CHARACTERS) return `Use at most ${MOST_CHARACTERS} characters.`
  const lower = text.toLowerCase().trim()
  if (lower === email || lower === email.split('@')[0]) return 'Your email is the first thing anyone would try.'
  if (COMMON_PASSWORDS.has(lower)) return 'This is one of the commonest passwords; choose another.'
  return null
}

/** What is stored of a password: an Argon2id hash as a PHC string. */
export const hashPassword = (password: string): Promise<string> => hash(known(password), PARAMETERS)

/** Whether a password is the one stored. Without one stored it is not, after the same work. */
export async function isPassword(stored: string | null, password: string): Promise<boolean> {
  const right = await verify(stored ?? NOBODY, known(password))
  return stored !== null && right
}

/** Whether a stored hash was made with other parameters than today's. */
export function isOutdated(stored: string): boolean {
  const { memoryCost, timeCost, parallelism } = parseOptions(stored)
  const same = [memoryCost, timeCost, parallelism].join() === Object.values(PARAMETERS).join()
  return !same
}
