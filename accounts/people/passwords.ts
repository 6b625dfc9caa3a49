import argon2 from '@node-rs/argon2'

/**
 * The most common passwords of at least 12 characters in published leaks, in lower case. Shorter ones are refused anyway.
 */
const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
  000000000000 111111111111 112233445566 121212121212 123123123123 1234567890ab 123456789000 1234567890123
  123456789012 12345678901234 123456789012345 1234567890123456 12345678910 1234567891011 123456789123 123456789abc
  123456789qwe 1234qwerasdf 1q2w3e4r5t6y 1q2w3e4r5t6y7u 1q2w3e4r5t6y7u8i 1qaz2wsx3edc 1qaz2wsx3edc4rfv 222222222222
  333333333333 444444444444 555555555555 666666666666 777777777777 888888888888 987654321000 987654321012 999999999999
  a1b2c3d4e5f6 aaaaaaaaaaaa abc123abc123 abcd12345678 abcdefghijkl abcdefghijklm administrator administrator1
  asdfasdfasdf asdfghjkl123 asdfghjklqwertyuiop changeme1234 changemenow1 chocolate123 correcthorsebatterystaple
  football1234 iloveyou1234 iloveyouforever iloveyousomuch letmein12345 liverpool123 manchesterunited mypassword12
  mypassword123 nothing12345 p@ssw0rd1234 p@ssword1234 passw0rd1234 password0000 password1234 password12345
  password123456 password1234567 password12345678 password123456789 password2024 password2025 password2026 passwordpassword
  princess1234 q1w2e3r4t5y6 q1w2e3r4t5y6u7i8 qazwsxedc123 qazwsxedcrfv qazwsxedcrfvtgb qqqqqqqqqqqq qwerasdfzxcv
  qwerty123456 qwerty1234567 qwerty12345678 qwerty123456789 qwertyqwerty qwertyuiop12 qwertyuiop123 qwertyuiop1234
  qwertyuiop12345 qwertyuiopasdf qwertyuiopasdfghjkl qwertyuiopasdfghjklzxcvbnm spongebob123 sunshine1234 superman1234
  thequickbrownfox trustno1trustno1 unbelievable welcome12345 welcome123456 zaq12wsxcde3 zxcvbnm12345 zxcvbnmasdfghjkl
  `
    .split(/\s+/)
    .filter((password) => password.length >= 12),
)

const MIN_CHARACTERS = 12
const MAX_CHARACTERS = 256

/**
 * Argon2id parameters of OWASP's Password Storage Cheat Sheet (19 MiB, two passes, one lane). Hashing runs on up to four
 * library threads, 19 MiB each, never on the thread that answers requests.
 */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

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
export const hashPassword = (password: string): Promise<string> => argon2.hash(normalised(password), PARAMETERS)

/** Whether a password matches the stored hash. Without a stored hash it returns false after the same work. */
export async function isPassword(stored: string | null, password: string): Promise<boolean> {
  const right = await argon2.verify(stored ?? DUMMY_HASH, normalised(password))
  return stored !== null && right
}

/** Whether a stored hash has other parameters than the current ones. */
export function isOutdated(stored: string): boolean {
  const { memoryCost, timeCost, parallelism } = argon2.parseOptions(stored)
  const same = [memoryCost, timeCost, parallelism].join() === Object.values(PARAMETERS).join()
  return !same
}
