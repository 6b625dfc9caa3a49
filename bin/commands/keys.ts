import { type Command, Option } from 'commander'
import { type IssuedKey, issueFurtherKey, issueKey, listKeys, revokeKey } from '../../accounts/keys/keys.ts'
import { rotateSigningKey } from '../../accounts/oauth/signing-key.ts'
import { rotatePepperFile } from '../../api/state/peppers.ts'
import { sealUnderCurrent } from '../../api/state/secrets.ts'
import type { State } from '../../api/state/state.ts'
import { countText } from '../../config/count-text.ts'
import { HoldshortError, UsageError } from '../../config/errors.ts'
import { dataPaths } from '../../config/settings.ts'
import { Tier } from '../../config/vocabulary.ts'
import { settingsOfInstallation } from '../runtime/environment.ts'
import { textFlag } from '../runtime/flags.ts'
import { addCommand, addDataCommand, type DataFlags } from '../runtime/help.ts'
import { print, textTable } from '../runtime/output.ts'
import { showKey } from '../runtime/show-key.ts'
import { ownerFlag, withExistingState, withState, withStateToRead } from '../runtime/state.ts'

interface IssueFlags extends DataFlags {
  tier?: Tier
  account?: string
  name?: string
}

async function issue(state: State, { tier, account, name: typed }: IssueFlags, now: number): Promise<IssuedKey> {
  const name = typed === undefined ? undefined : textFlag('--name', typed)
  if (account !== undefined && tier !== undefined)
    throw new UsageError('--tier: an additional key has the tier of its account; see `holdshort accounts grant`')
  if (account !== undefined)
    return issueFurtherKey(state, (await ownerFlag(state, account)).account_id, now, name ?? null)
  if (tier === undefined)
    throw new UsageError('--tier or --account: give the tier of a new account, or an existing account')
  return issueKey(state, { tier, name: name ?? 'operator' }, now)
}

/** `holdshort keys issue|list|revoke`: manages API keys. A running server applies every change from the next request on. */
export function register(program: Command): void {
  const keys = addCommand(program, 'keys')
  addDataCommand(keys, 'keys issue')
    .addOption(new Option('--tier <tier>', 'create a new account of this tier').choices(Tier.options))
    .option('--account <account>', 'add a key to this account (its id, or the email of its owner), with its tier')
    .option('--name <name>', 'name of the new account, or of the additional key')
    .action((flags: IssueFlags) =>
      withState(flags, async (state) => {
        const issued = await issue(state, flags, Date.now())
        const text = flags.json ? JSON.stringify(issued, null, 2) : issued.key
        await showKey(state, issued, text, flags.account === undefined)
      }),
    )
  addDataCommand(keys, 'keys list').action((flags: DataFlags) =>
    withStateToRead(flags, async (state) => {
      const listed = await listKeys(state)
      print(listed, flags.json, () =>
        textTable(
          Object.keys(listed[0] ?? { id: '' }),
          listed.map((key) => Object.values(key).map((value) => (value === null ? null : String(value)))),
        ),
      )
    }),
  )
  addDataCommand(keys, 'keys rotate-pepper').action(async (flags: DataFlags) => {
    const { data_dir, key_pepper } = settingsOfInstallation(flags)
    if (key_pepper !== undefined)
      throw new UsageError(
        'HOLDSHORT_KEY_PEPPER: the pepper is a setting here. Add the new value to HOLDSHORT_KEY_PEPPER_FORMER of every process and restart each; then exchange the two values and restart each again',
      )
    await withExistingState(flags, async (state) => {
      await rotatePepperFile(dataPaths(data_dir).pepper)
      state.peppers.refresh()
      await sealUnderCurrent(state)
      print(
        { rotated: 'pepper', valid: state.peppers.all.length },
        flags.json,
        () =>
          `the pepper is replaced; what was hashed with ${countText(state.peppers.all.length - 1, 'former one')} stays valid. Back up the data folder`,
      )
    })
  })
  addDataCommand(keys, 'keys rotate-signing-key').action((flags: DataFlags) =>
    withExistingState(flags, async (state) => {
      const kid = await rotateSigningKey(state, Date.now())
      print({ rotated: 'signing key', kid }, flags.json, () => `the signing key is now ${kid}`)
    }),
  )
  addDataCommand(keys, 'keys revoke')
    .argument('<id>', 'id of the key, see `keys list`')
    .action((id: string, flags: DataFlags) =>
      withExistingState(flags, async (state) => {
        if (!(await revokeKey(state, id, Date.now())))
          throw new HoldshortError('NOT_FOUND', `id: no key has the id ${id}`)
        print({ revoked: id }, flags.json, () => `revoked ${id}`)
      }),
    )
}
