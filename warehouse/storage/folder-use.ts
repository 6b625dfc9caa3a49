import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { HoldshortError } from '../../config/errors.ts'
import { dataPaths } from '../../config/settings.ts'
import { makeDataFolder, UNWRITABLE } from './files.ts'
import { type Lease, type LeaseHolder, leaseHolder, takeLease } from './lease.ts'

/**
 * Who uses a data folder. Every command that opens one shares it; a command that replaces what is in it needs it alone.
 * Each first takes its own lease and then looks for the other kind, so that two that start together never both go on.
 */
const ALONE = 'alone'
const SHARED = 'shared-'

/** A use of a data folder, until it is released or the process ends. */
export interface FolderUse {
  release: () => Promise<void>
}

function inUse(dataDir: string, { command, pid, host, since }: LeaseHolder): HoldshortError {
  return new HoldshortError(
    'DATA_FOLDER_IN_USE',
    `${dataDir} is used by "${command}" (process ${pid} on ${host}, since ${since}); stop it or choose another folder (--data-dir)`,
  )
}

/** Who shares a data folder, by the name of the lease; null for a lease that its process no longer holds. */
async function shares(locksDir: string): Promise<{ name: string; holder: LeaseHolder | null }[]> {
  const files = await readdir(locksDir).catch(() => [])
  const names = new Set(files.flatMap((file) => /^(shared-[0-9a-f]+)\.\d{8}\.lease$/.exec(file)?.[1] ?? []))
  return Promise.all([...names].map(async (name) => ({ name, holder: await leaseHolder(locksDir, name) })))
}

/** The processes that use a data folder beside others now. Changes nothing. */
export async function folderSharers(dataDir: string): Promise<LeaseHolder[]> {
  return (await shares(dataPaths(dataDir).locks)).flatMap(({ holder }) => holder ?? [])
}

/** The process that uses a data folder alone or holds a role in it; null when there is none. Changes nothing. */
export const folderHolder = (dataDir: string, role: 'alone' | 'supervisor' | 'pipeline') =>
  leaseHolder(dataPaths(dataDir).locks, role)

/**
 * Checks that no restore was interrupted in a data folder.
 * @throws HoldshortError RESTORE_UNFINISHED
 */
export function requireRestored(dataDir: string): void {
  if (!existsSync(dataPaths(dataDir).unfinished_restore)) return
  throw new HoldshortError(
    'RESTORE_UNFINISHED',
    `a backup was not restored completely into ${dataDir}; run \`holdshort restore\` again with the same folder`,
  )
}

/**
 * Uses a data folder beside other processes.
 * @throws HoldshortError DATA_FOLDER_IN_USE while another process needs it alone, RESTORE_UNFINISHED.
 */
export async function shareDataFolder(dataDir: string): Promise<FolderUse> {
  const { locks } = dataPaths(dataDir)
  await makeDataFolder(dataDir)
  const name = `${SHARED}${randomBytes(8).toString('hex')}`
  let lease: Lease | null = null
  try {
    const taken = await takeLease(locks, name, { waitMs: 0, mayReplaceFrozen: false })
    if ('lease' in taken) lease = taken.lease
  } catch (error) {
    // A folder that cannot be written to can still be read; nobody can replace what is in it either.
    if (!UNWRITABLE.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
  const release = async () => {
    await lease?.release()
    await removeLeases(locks, name)
  }
  const holder = await leaseHolder(locks, ALONE)
  if (holder && holder.pid !== process.pid) {
    await release()
    throw inUse(dataDir, holder)
  }
  try {
    requireRestored(dataDir)
  } catch (error) {
    await release()
    throw error
  }
  return { release }
}

async function removeLeases(locksDir: string, name: string): Promise<void> {
  for (const file of await readdir(locksDir).catch(() => []))
    if (file.startsWith(`${name}.`)) await rm(join(locksDir, file), { force: true }).catch(() => undefined)
}

/**
 * Uses a data folder alone.
 * @throws HoldshortError DATA_FOLDER_IN_USE while any other process uses it.
 */
export async function holdDataFolder(dataDir: string): Promise<FolderUse> {
  const { locks } = dataPaths(dataDir)
  await makeDataFolder(dataDir)
  const taken = await takeLease(locks, ALONE, { waitMs: 0, mayReplaceFrozen: false })
  if ('holder' in taken) throw inUse(dataDir, taken.holder)
  for (const { name, holder } of await shares(locks)) {
    if (holder === null) await removeLeases(locks, name)
    else if (holder.pid !== process.pid) {
      await taken.lease.release()
      throw inUse(dataDir, holder)
    }
  }
  return taken.lease
}

/**
 * Runs as the only supervisor or the only pipeline of a data folder; waits a little for one that is just ending.
 * @throws HoldshortError DATA_FOLDER_IN_USE
 */
export async function holdRole(dataDir: string, role: 'supervisor' | 'pipeline', waitMs = 0): Promise<FolderUse> {
  await makeDataFolder(dataDir)
  const taken = await takeLease(dataPaths(dataDir).locks, role, { waitMs, mayReplaceFrozen: false })
  if ('holder' in taken) throw inUse(dataDir, taken.holder)
  return taken.lease
}
