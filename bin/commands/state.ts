import type { Command } from 'commander'
import { INCLUDE_UNREPORTED_CALLS } from '../../accounts/billing/overage.ts'
import { sql } from '../../api/state/kysely.ts'
import { acceptState } from '../../api/state/marker.ts'
import { moveState, requireEmptyDatabase } from '../../api/state/move-state.ts'
import { openDatabaseAsItIs, openState } from '../../api/state/open.ts'
import { countText } from '../../config/count-text.ts'
import { UsageError } from '../../config/errors.ts'
import { holdDataFolder } from '../../warehouse/storage/folder-use.ts'
import { settingsFor, settingsOfExisting, settingsOfInstallation } from '../runtime/environment.ts'
import { addCommand, addDataCommand, type DataFlags } from '../runtime/help.ts'
import { print, printError } from '../runtime/output.ts'
import { IN_FORCE_AGAIN, withState } from '../runtime/state.ts'

interface MoveFlags extends DataFlags {
  to: string
}

/** `holdshort state move`: copies accounts, keys and usage to the other kind of database. */
async function move(flags: MoveFlags): Promise<void> {
  const isToFolder = flags.to === 'folder'
  // The folder that accounts move to may be a new one.
  const settings = isToFolder ? settingsOfExisting(flags) : settingsOfInstallation(flags)
  if (isToFolder === (settings.database_url === undefined))
    throw new UsageError(
      isToFolder
        ? '--to: the state is in the folder already; set DATABASE_URL to the database that it is to be moved from'
        : '--to: with DATABASE_URL set, the state is moved from there to folder',
    )
  if (!isToFolder && !/^postgres(ql)?:\/\//.test(flags.to))
    throw new UsageError(
      '--to: must be folder, or the address of an empty database, postgresql://user:password@host/database',
    )
  // Nothing may write meanwhile: rows that arrive after their table was copied would be lost.
  await using _use = await holdDataFolder(settings.data_dir)
  const target = { ...settings, database_url: isToFolder ? undefined : flags.to, isTarget: true }
  // Before the target is opened, which would create and migrate its tables.
  const found = await openDatabaseAsItIs(target)
  if (found) await requireEmptyDatabase(found).finally(found.close)
  const from = await openState(settings)
  if (isToFolder) await acceptState(settings.data_dir)
  const to = await openState(target).catch(async (error) => {
    await from.close()
    throw error
  })
  const rows = await moveState(from, to).finally(() => Promise.all([from.close(), to.close()]))
  const accounts = rows['accounts'] ?? 0
  const next = isToFolder
    ? 'unset DATABASE_URL on this machine'
    : 'set DATABASE_URL, and HOLDSHORT_KEY_PEPPER to the pepper of this folder (key-pepper), on every machine'
  print(
    { moved: rows },
    flags.json,
    () => `moved ${countText(accounts, 'account')} and ${countText(rows['keys'] ?? 0, 'key')}; now ${next}`,
  )
}

/** `holdshort state accept`: goes on with a state that is known to lack data. */
export function register(program: Command): void {
  const state = addCommand(program, 'state')
  addDataCommand(state, 'state move', 'print the rows of each table as JSON')
    .requiredOption('--to <target>', 'postgresql://… of an empty database, or folder')
    .action(move)
  addDataCommand(state, 'state accept').action(async (flags: DataFlags) => {
    const { data_dir, database_url } = settingsFor(flags)
    // With PostgreSQL the accounts are not in the folder, which may be a new one.
    if (database_url === undefined) settingsOfInstallation(flags)
    await acceptState(data_dir, database_url)
    await withState(flags, async ({ db }) => {
      await sql.raw(INCLUDE_UNREPORTED_CALLS).execute(db)
      const count = async (table: 'accounts' | 'keys') => {
        const counted = await db
          .selectFrom(table)
          .select(({ fn }) => fn.countAll().as('rows'))
          .executeTakeFirstOrThrow()
        return Number(counted.rows)
      }
      const accepted = { accounts: await count('accounts'), keys: await count('keys') }
      printError(IN_FORCE_AGAIN)
      print(
        accepted,
        flags.json,
        () => `accepted a state with ${countText(accepted.accounts, 'account')} and ${countText(accepted.keys, 'key')}`,
      )
    })
  })
}
