import { knownEmail } from '../../api/account/email.ts'
import { makeSignInToken } from '../../api/account/sign-in-link.ts'
import { HoldshortError, UsageError } from '../../config/errors.ts'
import { addresses } from '../../config/settings.ts'
import { print, settingsFor } from '../environment.ts'
import { type StateFlags, withState } from '../state.ts'

/** Prints a one-time link for a person who has lost every way to sign in. */
export async function signInLink(text: string, flags: StateFlags): Promise<void> {
  const email = knownEmail(text)
  if (email === null) throw new UsageError(`email: "${text}" is not an email like ada@example.org`)
  return withState(flags, async (state) => {
    const made = await makeSignInToken(state, email, Date.now())
    if (!made) throw new HoldshortError('NOT_FOUND', `email: nobody has signed up with ${email}`)
    const link = `${addresses(settingsFor(flags)).site_url}/sign-in/link?token=${made.token}`
    print({ link, expires_at: made.expires_at }, flags.json, () => link)
  })
}
