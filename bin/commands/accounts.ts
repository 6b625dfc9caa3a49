import { writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { OPERATOR } from '../../api/accounts/audit/audit-log.ts'
import { revokeGrant } from '../../api/accounts/billing/grants.ts'
import { listAccounts } from '../../api/accounts/billing/list-accounts.ts'
import { normaliseEmail } from '../../api/accounts/people/email.ts'
import { makeSignInToken } from '../../api/accounts/people/sign-in-link.ts'
import { exportAccount, exportText } from '../../api/accounts/privacy/export-account.ts'
import { addresses } from '../../config/addresses.ts'
import { HoldshortError, UsageError } from '../../config/errors.ts'
import { addDelete } from '../accounts/delete.ts'
import { addGrant } from '../accounts/grant.ts'
import { settingsFor } from '../runtime/environment.ts'
import { helpOf } from '../runtime/help.ts'
import { print, printJson, textTable } from '../runtime/output.ts'
import { ownerFlag, type StateFlags, withExistingState } from '../runtime/state.ts'

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

/** `holdshort accounts revoke-grant` */
function addRevokeGrant(accounts: Command): Command {
  return accounts
    .command('revoke-grant')
    .description(helpOf('accounts revoke-grant'))
    .argument('<account>', 'account id, or the email its owner signs in with')
    .action((account: string, flags: StateFlags) =>
      withExistingState(flags, async (state) => {
        const { account_id } = await ownerFlag(state, account)
        const { tier } = await revokeGrant(state, account_id, Date.now())
        print({ account_id, tier }, flags.json, () => `${account_id} ${tier}`)
      }),
    )
}

/** `holdshort accounts list` */
function addList(accounts: Command): Command {
  return accounts
    .command('list')
    .description(helpOf('accounts list'))
    .action((flags: StateFlags) =>
      withExistingState(flags, async (state) => {
        const listed = await listAccounts(state, Date.now())
        print(listed, flags.json, () =>
          textTable(
            ['id', 'who', 'tier', 'why', 'until', 'keys'],
            listed.map(({ id, email, name, tier, why, until, keys }) => [id, email ?? name, tier, why, until, keys]),
          ),
        )
      }),
    )
}

/** `holdshort accounts export`: exports everything stored about an account, for its owner. */
function addExport(accounts: Command): Command {
  return accounts
    .command('export')
    .description(helpOf('accounts export'))
    .argument('<account>', 'account id, or the email of its owner')
    .option('--out <file>', 'write to a file that only you may read, instead of stdout')
    .action((account: string, flags: StateFlags & { out?: string }) =>
      withExistingState(flags, async (state) => {
        const owner = await ownerFlag(state, account)
        const exported = await exportAccount(state, owner, OPERATOR, Date.now())
        if (flags.out === undefined) printJson(exported)
        else {
          writeFileSync(flags.out, [...exportText(exported)].join(''), { mode: 0o600 })
          const done = { account_id: owner.account_id, file: flags.out }
          print(done, flags.json, () => `wrote ${flags.out}`)
        }
      }),
    )
}

/** The subcommands of `accounts`. A new one is a file in bin/accounts/ and a line here. */
const SUBCOMMANDS: ((accounts: Command) => Command)[] = [
  addList,
  addGrant,
  addRevokeGrant,
  addSignInLink,
  addExport,
  addDelete,
]

/** `holdshort accounts …`: manages accounts. A running server applies every change from the next request on. */
export function accountsCommand(program: Command): void {
  const accounts = program.command('accounts').description(helpOf('accounts'))
  for (const add of SUBCOMMANDS)
    add(accounts)
      .option('--data-dir <folder>', 'data folder (HOLDSHORT_DATA_DIR)')
      .option('--json', 'print the result as JSON')
}
