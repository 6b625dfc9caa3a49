import type { Command } from 'commander'
import { removeMarker } from '../../api/state/marker.ts'
import { dataPaths } from '../../config/settings.ts'
import { settingsOfExisting } from '../runtime/environment.ts'
import { print } from '../runtime/output.ts'
import { type StateFlags, withState } from '../runtime/state.ts'

/** `holdshort state accept`: goes on with a state that is known to lack data. */
export function stateCommand(program: Command): void {
  const state = program.command('state').description('Decide about the database of accounts and keys.')
  state
    .command('accept')
    .description(
      'Go on with the state that lies in the data folder, although it lacks data that it had (STATE_INCOMPLETE). What it lacks is lost.',
    )
    .option('--data-dir <folder>', 'data folder (HOLDSHORT_DATA_DIR)')
    .option('--json', 'print the result as JSON')
    .action(async (flags: StateFlags) => {
      const { data_dir } = settingsOfExisting(flags)
      await removeMarker(dataPaths(data_dir).state_marker)
      await withState(flags, async ({ db }) => {
        const count = async (table: 'accounts' | 'keys') => {
          const counted = await db
            .selectFrom(table)
            .select(({ fn }) => fn.countAll().as('rows'))
            .executeTakeFirstOrThrow()
          return Number(counted.rows)
        }
        const accepted = { accounts: await count('accounts'), keys: await count('keys') }
        print(
          accepted,
          flags.json,
          () => `accepted a state with ${accepted.accounts} accounts and ${accepted.keys} keys`,
        )
      })
    })
}
