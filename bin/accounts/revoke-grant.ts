import type { Command } from 'commander'
import { revokeGrant } from '../../api/accounts/billing/grants.ts'
import { helpOf } from '../runtime/help.ts'
import { print } from '../runtime/output.ts'
import { ownerFlag, type StateFlags, withExistingState } from '../runtime/state.ts'

/** `holdshort accounts revoke-grant` */
export function addRevokeGrant(accounts: Command): Command {
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
