import type { Command } from 'commander'
import { listAccounts } from '../../api/accounts/billing/list-accounts.ts'
import { print, textTable } from '../runtime/output.ts'
import { type StateFlags, withExistingState } from '../runtime/state.ts'

/** `holdshort accounts list` */
export function addList(accounts: Command): Command {
  return accounts
    .command('list')
    .description('List all accounts with their tier, its reason and end, and their active keys.')
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
