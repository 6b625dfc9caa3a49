import { HoldshortError } from '../../../config/errors.ts'

export const LONGEST_NAME = 60

/** Reads the form of a new key: its token, its name, and what is wrong with that. @throws HoldshortError for another form. */
export function readKeyForm(body: unknown): { token: string; name: string; fault: string | null } {
  const { _csrf: token, name: typed } = (body ?? {}) as { _csrf?: unknown; name?: unknown }
  if (typeof token !== 'string' || typeof typed !== 'string')
    throw new HoldshortError('FORM_REFUSED', 'the form of a key has one name and the token of its page')
  const name = typed.trim()
  if (name === '') return { token, name, fault: 'Give the key a name.' }
  if (name.length > LONGEST_NAME) return { token, name, fault: `A name has at most ${LONGEST_NAME} characters.` }
  if (/\p{Cc}/u.test(name)) return { token, name, fault: 'A name is one line of text.' }
  return { token, name, fault: null }
}
