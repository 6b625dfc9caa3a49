import type { Command } from 'commander'
import { normaliseEmail } from '../../api/accounts/people/email.ts'
import { makeSignInToken } from '../../api/accounts/people/sign-in-link.ts'
import { HoldshortError, UsageError } from '../../config/errors.ts'
import { addresses } from '../../config/settings.ts'
import { settingsFor } from '../runtime/environment.ts'
import { helpOf } from '../runtime/help.ts'
import { print } from '../runtime/output.ts'
import { type StateFlags, withExistingState } from '../runtime/state.ts'

/** `holdshort accounts sign-in-link` */
export function addSignInLink(accounts: Command): Command {
  return accounts
    .command('sign-in-link')
    .description(helpOf('accounts sign-in-link'))
    .argument('<email>', 'the email the person signed up with')
    .action(signInLink)
}

/** Prints a one-time link for a person who can no longer sign in otherwise. */
export async function signInLink(address: string, flags: StateFlags): Promise<void> {
  const email = normaliseEmail(address)
  if (email === null) throw new UsageError(`email: "${address}" is not an email like ada@example.org`)
  return withExistingState(flags, async (state) => {
    const made = await makeSignInToken(state, email, Date.now())
    if (!made) throw new HoldshortError('NOT_FOUND', `email: nobody has signed up with ${email}`)
    const link = `${addresses(settingsFor(flags)).site_url}/sign-in/link?token=${made.token}`
    print({ link, expires_at: made.expires_at }, flags.json, () => link)
  })
}
