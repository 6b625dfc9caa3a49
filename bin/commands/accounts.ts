import type { Command } from 'commander'
import { addGrant } from '../accounts/grant.ts'
import { addList } from '../accounts/list.ts'
import { addRevokeGrant } from '../accounts/revoke-grant.ts'
import { addSignInLink } from '../accounts/sign-in-link.ts'

/** Every subcommand of `accounts`. A new one is a file in bin/accounts/ and a line here. */
const ACTIONS: ((accounts: Command) => Command)[] = [addList, addGrant, addRevokeGrant, addSignInLink]

/** `holdshort accounts …`: the operator's hand on accounts. A running server obeys on the very next call. */
export function accountsCommand(program: Command): void {
  const accounts = program
    .command('accounts')
    .description('List accounts, grant them plans, and let in who has lost every way to sign in.')
  for (const add of ACTIONS)
    add(accounts).option('--data-dir <folder>', 'data folder (HOLDSHORT_DATA_DIR)').option('--json', 'print as JSON')
}
