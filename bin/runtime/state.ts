import { findOwner, type Owner } from '../../accounts/privacy/account-tables.ts'
import { openState } from '../../api/state/open.ts'
import type { State } from '../../api/state/state.ts'
import { HoldshortError } from '../../config/errors.ts'
import { shareDataFolder } from '../../warehouse/storage/folder-use.ts'
import { settingsFor, settingsOfInstallation } from './environment.ts'
import type { DataFlags } from './help.ts'

/** Opens the state of an existing installation for one command, as `withState` does. @throws UsageError where there is none */
export function withExistingState<T>(flags: DataFlags, work: (state: State) => Promise<T>): Promise<T> {
  // With PostgreSQL the accounts are not in the folder.
  if (settingsFor(flags).database_url === undefined) settingsOfInstallation(flags)
  return withState(flags, work)
}

/** Opens the state of an installation for one command and closes it afterwards. */
export async function withState<T>(flags: DataFlags, work: (state: State) => Promise<T>): Promise<T> {
  const settings = settingsFor(flags)
  await using _use = await shareDataFolder(settings.data_dir)
  await using state = await openState(settings)
  return await work(state)
}

/** Finds an account by its id or its owner's email. @throws HoldshortError NOT_FOUND */
export async function ownerFlag(state: State, account: string): Promise<Owner> {
  const owner = await findOwner(state.db, account)
  if (!owner) throw new HoldshortError('NOT_FOUND', `account: no account has the id or email ${account}`)
  return owner
}
