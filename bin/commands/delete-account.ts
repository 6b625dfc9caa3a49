import type { Command } from 'commander'
import { type Deletion, deleteAccount, tryDeletion } from '../../api/accounts/account-page/delete-account.ts'
import { OPERATOR } from '../../api/accounts/audit/audit-log.ts'
import { leaveStripe } from '../../api/accounts/billing/leave-stripe.ts'
import { print, settingsFor, textTable } from '../runtime/environment.ts'
import { ownerFlag, type StateFlags, withState } from '../runtime/state.ts'

const text = ({ removed, kept }: Deletion) =>
  textTable(
    ['table', 'removed', 'kept'],
    [...new Set([...Object.keys(removed), ...Object.keys(kept)])].map((table) => [
      table,
      removed[table] ?? 0,
      kept[table] ?? 0,
    ]),
  )

/** `holdshort delete-account`: takes everything personal away; without --yes it only says what it would take. */
export function deleteAccountCommand(program: Command): void {
  program
    .command('delete-account')
    .description('Remove everything personal of an account; its keys, sessions and clients are refused at once.')
    .argument('<account>', 'id of the account, or email of its person')
    .option('--yes', 'do it; without this it is only said what would be removed, and the exit code is 2')
    .option('--data-dir <folder>', 'data folder (HOLDSHORT_DATA_DIR)')
    .option('--json', 'print as JSON')
    .action((account: string, flags: StateFlags & { yes?: boolean }) =>
      withState(flags, async (state) => {
        const owner = await ownerFlag(state, account)
        if (flags.yes) await leaveStripe({ settings: settingsFor(flags), state }, owner.account_id)
        const work = flags.yes ? deleteAccount : tryDeletion
        const deletion = await work(state, owner, OPERATOR, Date.now())
        print({ done: flags.yes === true, ...deletion }, flags.json, () => text(deletion))
        if (flags.yes) return
        process.stderr.write(`nothing was removed; add --yes to remove this of ${owner.account_id}\n`)
        process.exitCode = 2
      }),
    )
}
