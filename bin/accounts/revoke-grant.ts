import type { Command } from 'commander'
import { revokeGrant } from '../../api/accounts/billing/grants.ts'
import { print } from '../runtime/environment.ts'
import { ownerFlag, type StateFlags, withState } from '../runtime/state.ts'

/** `holdshort accounts revoke-grant` */
export function addRevokeGrant(accounts: Command): Command {
  return accounts
    .command('revoke-grant')
    .description('Take back what an account was granted; what it has bought stays.')
    .argument('<account>', 'id of the account, or the email its owner signs in with')
    .action((called: string, flags: StateFlags) =>
      withState(flags, async (state) => {
        const { account_id } = await ownerFlag(state, called)
        const { tier } = await revokeGrant(state, account_id, Date.now())
        print({ account_id, tier }, flags.json, () => `${account_id} ${tier}`)
      }),
    )
}
