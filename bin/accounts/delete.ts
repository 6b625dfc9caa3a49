import type { Command } from 'commander'
import { OPERATOR } from '../../api/accounts/audit/audit-log.ts'
import { deleteCustomer } from '../../api/accounts/billing/customer.ts'
import { type Deletion, deleteAccount, tryDeletion } from '../../api/accounts/privacy/delete-account.ts'
import { settingsFor } from '../runtime/environment.ts'
import { helpOf } from '../runtime/help.ts'
import { print, printError, textTable } from '../runtime/output.ts'
import { ownerFlag, type StateFlags, withExistingState } from '../runtime/state.ts'

const text = ({ removed, kept }: Deletion) =>
  textTable(
    ['table', 'removed', 'kept'],
    [...new Set([...Object.keys(removed), ...Object.keys(kept)])].map((table) => [
      table,
      removed[table] ?? 0,
      kept[table] ?? 0,
    ]),
  )

/** `holdshort accounts delete`: removes all personal data of an account; without --yes it only prints what it would remove. */
export function addDelete(accounts: Command): Command {
  return accounts
    .command('delete')
    .description(helpOf('accounts delete'))
    .argument('<account>', 'account id, or the email of its owner')
    .option('--yes', 'really remove it; otherwise only print what would be removed, with exit code 2')
    .action((account: string, flags: StateFlags & { yes?: boolean }) =>
      withExistingState(flags, async (state) => {
        const owner = await ownerFlag(state, account)
        if (flags.yes) await deleteCustomer({ settings: settingsFor(flags), state }, owner.account_id)
        const work = flags.yes ? deleteAccount : tryDeletion
        const deletion = await work(state, owner, OPERATOR, Date.now())
        print({ done: flags.yes === true, ...deletion }, flags.json, () => text(deletion))
        if (flags.yes) return
        printError(`nothing was removed; add --yes to remove these rows of ${owner.account_id}`)
        process.exitCode = 2
      }),
    )
}
