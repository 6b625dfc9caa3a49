import { type Command, Option } from 'commander'
import { type IssuedKey, issueFurtherKey, issueKey, listKeys, revokeKey } from '../../api/accounts/keys/keys.ts'
import type { State } from '../../api/state/state.ts'
import { Tier } from '../../config/domain.ts'
import { HoldshortError, UsageError } from '../../config/errors.ts'
import { print, textTable } from '../runtime/environment.ts'
import { ownerFlag, type StateFlags, withState } from '../runtime/state.ts'

interface IssueFlags extends StateFlags {
  tier?: Tier
  account?: string
  name?: string
}

async function issue(state: State, { tier, account, name }: IssueFlags, now: number): Promise<IssuedKey> {
  if (account !== undefined && tier !== undefined)
    throw new UsageError('--tier: a further key has the tier of its account; see `holdshort accounts grant`')
  if (account !== undefined)
    return issueFurtherKey(state, (await ownerFlag(state, account)).account_id, now, name ?? null)
  if (tier === undefined) throw new UsageError('--tier or --account: say for which new tier, or on which account')
  return issueKey(state, { tier, name: name ?? 'operator' }, now)
}

/** `holdshort keys issue|list|revoke`: the operator's hand on access. A running server obeys on the very next call. */
export function keysCommand(program: Command): void {
  const keys = program.command('keys').description('Issue, list and revoke API keys.')
  const common = (command: Command) =>
    command.option('--data-dir <folder>', 'data folder (HOLDSHORT_DATA_DIR)').option('--json', 'print as JSON')
  common(keys.command('issue'))
    .description('Issue a key. It is shown once and cannot be recovered.')
    .addOption(new Option('--tier <tier>', 'on a new account of this tier').choices(Tier.options))
    .option('--account <account>', 'a further key on this account (id, or email of its owner), in its tier')
    .option('--name <name>', 'name of the new account, or of the further key')
    .action((flags: IssueFlags) =>
      withState(flags, async (state) => {
        const issued = await issue(state, flags, Date.now())
        print(issued, flags.json, () => issued.key)
      }),
    )
  common(keys.command('list'))
    .description('List all keys, without the keys themselves.')
    .action((flags: StateFlags) =>
      withState(flags, async (state) => {
        const listed = await listKeys(state)
        print(listed, flags.json, () =>
          textTable(
            Object.keys(listed[0] ?? { id: '' }),
            listed.map((key) => Object.values(key).map((value) => (value === null ? null : String(value)))),
          ),
        )
      }),
    )
  common(keys.command('revoke'))
    .description('Revoke a key by its id; the next call with it is refused.')
    .argument('<id>', 'id of the key, from `keys list`')
    .action((id: string, flags: StateFlags) =>
      withState(flags, async (state) => {
        if (!(await revokeKey(state, id, Date.now())))
          throw new HoldshortError('NOT_FOUND', `id: no key is called ${id}`)
        print({ revoked: id }, flags.json, () => `revoked ${id}`)
      }),
    )
}
