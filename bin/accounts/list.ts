import type { Command } from 'commander'
import { listAccounts } from '../../api/accounts/billing/list-accounts.ts'
import { helpOf } from '../runtime/help.ts'
import { print, textTable } from '../runtime/output.ts'
import { type StateFlags, withExistingState } from '../runtime/state.ts'

/** `holdshort accounts list` */
export function addList(accounts: Command): Command {
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
