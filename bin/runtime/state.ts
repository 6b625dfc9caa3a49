import { existsSync } from 'node:fs'
import { copyFile, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { findOwner, type Owner } from '../../accounts/privacy/account-tables.ts'
import { copyStateFile } from '../../api/state/integrity.ts'
import { openState } from '../../api/state/open.ts'
import type { State } from '../../api/state/state.ts'
import { StateUnwritableError } from '../../api/state/unreachable.ts'
import { HoldshortError } from '../../config/errors.ts'
import { dataPaths, type Settings } from '../../config/settings.ts'
import { holderText } from '../../warehouse/storage/file-lock.ts'
import { otherUser, shareDataFolder } from '../../warehouse/storage/folder-use.ts'
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
  await using state = await openStateBesideService(settings)
  return await work(state)
}

/**
 * Opens the state for a command beside which a service may run. Only a service moves a state forward beside others: the command of a newer
 * release must not change the tables of an older service that is running.
 * @throws HoldshortError STATE_OF_OTHER_RELEASE, and what `openState` throws.
 */
export function openStateBesideService(settings: Settings): Promise<State> {
  const { data_dir, database_url } = settings
  return openState({
    ...settings,
    mayMigrate: async () => {
      // The services of a database on a server are on other machines.
      if (database_url !== undefined) throw olderServiceError('DATABASE_URL leads to')
      const other = await otherUser(data_dir)
      if (other !== null) throw olderServiceError(`${holderText(other)} uses`)
    },
  })
}

const olderServiceError = (users: string) =>
  new HoldshortError(
    'STATE_OF_OTHER_RELEASE',
    `${users} accounts and keys of an earlier release, which this command leaves as they are. Run it with that release, or first start the service of this one in its place (docs/operate/upgrade.md)`,
  )

/**
 * The same for a command that only reads. SQLite writes beside a file to open it, so that on a disk that is full or read-only a copy
 * among the temporary files is read, unless another process has the state open already.
 */
export async function withStateToRead<T>(flags: DataFlags, work: (state: State) => Promise<T>): Promise<T> {
  try {
    return await withExistingState(flags, work)
  } catch (error) {
    const { data_dir, database_url } = settingsFor(flags)
    const isOnDisk = error instanceof StateUnwritableError && database_url === undefined
    if (!isOnDisk || (await otherUser(data_dir)) !== null) throw error
    const unwritable = () => {
      throw error
    }
    const folder = await mkdtemp(join(tmpdir(), 'holdshort-state-')).catch(unwritable)
    try {
      await copyState(data_dir, folder).catch(unwritable)
      return await withState({ ...flags, dataDir: folder }, work).catch((fault) => {
        throw ofOriginal(fault, folder, data_dir)
      })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/** An error about a copied state, as one about its original: the copy is gone when it is read. */
const ofOriginal = (error: unknown, copy: string, original: string): unknown =>
  error instanceof HoldshortError
    ? new HoldshortError(error.code, error.message.replaceAll(copy, original), { cause: error })
    : error

async function copyState(data_dir: string, folder: string): Promise<void> {
  const from = dataPaths(data_dir)
  const to = dataPaths(folder)
  await copyStateFile(from.state, to.state)
  if (existsSync(from.state_marker)) await copyFile(from.state_marker, to.state_marker)
  // The secret stays where it is.
  if (existsSync(from.pepper)) await symlink(resolve(from.pepper), to.pepper)
}

/** Finds an account by its id or its owner's email. @throws HoldshortError NOT_FOUND */
export async function ownerFlag(state: State, account: string): Promise<Owner> {
  const owner = await findOwner(state.db, account)
  if (!owner) throw new HoldshortError('NOT_FOUND', `account: no account has the id or email ${account}`)
  return owner
}

/** What an operator must know who goes on with an earlier state of accounts and keys. */
export const IN_FORCE_AGAIN =
  'What was taken back since then is in force again: keys that were revoked, accounts that were deleted, passwords that were replaced, clients that were disconnected. Take it back once more.'
