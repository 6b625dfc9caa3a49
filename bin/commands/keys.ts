import { type Command, Option } from 'commander'
import { issueKey, listKeys, revokeKey } from '../../api/access/keys.ts'
import { Tier } from '../../config/domain.ts'
import { HoldshortError } from '../../config/errors.ts'
import { print, textTable } from '../environment.ts'
import { type StateFlags as Flags, withState } from '../state.ts'

/** `holdshort keys issue|list|revoke`: the operator's hand on access. A running server obeys on the very next call. */
export function keysCommand(program: Command): void {
  const keys = program.command('keys').description('Issue, list and revoke API keys.')
  const common = (command: Command) =>
    command.option('--data-dir <folder>', 'data folder (HOLDSHORT_DATA_DIR)').option('--json', 'print as JSON')
  common(keys.command('issue'))
    .description('Issue a key. It is shown once and cannot be recovered.')
    .addOption(new Option('--tier <tier>', 'tier of the key').choices(Tier.options).makeOptionMandatory())
    .option('--name <name>', 'name of the account', 'operator')
    .action((flags: Flags & { tier: Tier; name: string }) =>
      withState(flags, async (state) => {
        const issued = await issueKey(state, { tier: flags.tier, name: flags.name }, Date.now())
        print(issued, flags.json, () => issued.key)
      }),
    )
  common(keys.command('list'))
    .description('List all keys, without the keys themselves.')
    .action((flags: Flags) =>
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
    .action((id: string, flags: Flags) =>
      withState(flags, async (state) => {
        if (!(await revokeKey(state, id, Date.now())))
          throw new HoldshortError('NOT_FOUND', `id: no key is called ${id}`)
        print({ revoked: id }, flags.json, () => `revoked ${id}`)
      }),
    )
}
