import { type Command, Option } from 'commander'
import { grantPlan } from '../../api/accounts/billing/grants.ts'
import { PAID_TIERS, type PaidTier } from '../../api/accounts/billing/stripe-client.ts'
import { UsageError } from '../../config/errors.ts'
import { instantFlag, textFlag } from '../runtime/flags.ts'
import { helpOf } from '../runtime/help.ts'
import { print } from '../runtime/output.ts'
import { ownerFlag, type StateFlags, withExistingState } from '../runtime/state.ts'

interface GrantFlags extends StateFlags {
  tier: PaidTier
  until?: string
  note?: string
}

const MAX_NOTE_CHARACTERS = 1_000

/** `holdshort accounts grant` */
export function addGrant(accounts: Command): Command {
  return accounts
    .command('grant')
    .description(helpOf('accounts grant'))
    .argument('<account>', 'account id, or the email its owner signs in with')
    .addOption(new Option('--tier <tier>', 'the tier').choices(PAID_TIERS).makeOptionMandatory())
    .option('--until <instant>', 'when the grant ends (exclusive); a day means its midnight in UTC (default: never)')
    .option('--note <text>', 'the reason; only the operator sees it')
    .action((account: string, flags: GrantFlags) => {
      const now = Date.now()
      const end = flags.until === undefined ? null : instantFlag('--until', flags.until)
      if (end !== null && end <= now) throw new UsageError(`--until: ${flags.until} is in the past`)
      const note = flags.note === undefined ? null : textFlag('--note', flags.note, MAX_NOTE_CHARACTERS)
      return withExistingState(flags, async (state) => {
        const { account_id } = await ownerFlag(state, account)
        const until = end === null ? null : new Date(end).toISOString()
        const plan = await grantPlan(state, account_id, { tier: flags.tier, until, note }, now)
        print(
          { account_id, granted: flags.tier, until, tier: plan.tier },
          flags.json,
          () => `${account_id} ${plan.tier}`,
        )
      })
    })
}
