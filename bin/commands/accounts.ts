import type { Command } from 'commander'
import { addDelete } from '../accounts/delete.ts'
import { addExport } from '../accounts/export.ts'
import { addGrant } from '../accounts/grant.ts'
import { addList } from '../accounts/list.ts'
import { addRevokeGrant } from '../accounts/revoke-grant.ts'
import { addSignInLink } from '../accounts/sign-in-link.ts'
import { helpOf } from '../runtime/help.ts'

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
