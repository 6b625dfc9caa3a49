import { knownEmail } from '../../api/account/email.ts'
import { makeSignInToken } from '../../api/account/sign-in-link.ts'
import { openState } from '../../api/state/open.ts'
import { HoldshortError, UsageError } from '../../config/errors.ts'
import { addresses } from '../../config/settings.ts'
import { print, settingsFor } from '../environment.ts'

export interface SignInLinkFlags {
  dataDir?: string
  json?: boolean
}

/** Prints a one-time link for a person who has lost every way to sign in. */
export async function signInLink(text: string, flags: SignInLinkFlags): Promise<void> {
  const settings = settingsFor(flags)
  const email = knownEmail(text)
  if (email === null) throw new UsageError(`email: "${text}" is not an email like ada@example.org`)
  const state = await openState(settings)
  try {
    const made = await makeSignInToken(state, email, Date.now())
    if (!made) throw new HoldshortError('NOT_FOUND', `email: nobody has signed up with ${email}`)
    const link = `${addresses(settings).site_url}/sign-in/link?token=${made.token}`
    print({ link, expires_at: made.expires_at }, flags.json, () => link)
  } finally {
    await state.close()
  }
}
