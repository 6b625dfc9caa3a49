import { type ChildProcess, spawn } from 'node:child_process'
import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectFile } from '../../../config/paths.ts'
import { dataPaths } from '../../../config/settings.ts'
import { holdDataFolder, holdRole, shareDataFolder } from '../../../warehouse/storage/folder-use.ts'
import { takeLease } from '../../../warehouse/storage/lease.ts'
import { openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { endWithTest } from '../../child-process.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

/** A process of its own that uses the folder until it is killed. */
async function otherProcess(folder: string, use: 'alone' | 'shared' | 'pipeline'): Promise<ChildProcess> {
  const program = projectFile('dist', 'test', 'programs', 'use-data-folder.js')
  const child = spawn(process.execPath, [program, folder, use], { stdio: ['ignore', 'pipe', 'inherit'] })
  endWithTest(child)
  await new Promise((resolve) => child.stdout.once('data', resolve))
  return child
}

async function end(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

test('one process at a time uses a folder alone; the error names the holder; kill −9 frees it at once', async () => {
  const folder = await temporaryFolder()
  const sharer = await otherProcess(folder, 'shared')
  await expect(holdDataFolder(folder)).rejects.toMatchObject({
    code: 'DATA_FOLDER_IN_USE',
    message: expect.stringContaining(`process ${sharer.pid}`),
  })
  const beside = await shareDataFolder(folder)
  await beside.release()
  // A stopped process still holds what it held.
  sharer.kill('SIGSTOP')
  await expect(holdDataFolder(folder)).rejects.toMatchObject({ code: 'DATA_FOLDER_IN_USE' })
  await end(sharer)
  const alone = await holdDataFolder(folder)
  await alone.release()

  const holder = await otherProcess(folder, 'alone')
  await expect(openWarehouse(folder)).rejects.toMatchObject({ code: 'DATA_FOLDER_IN_USE' })
  await end(holder)
  await (await openWarehouse(folder)).close()

  const pipeline = await otherProcess(folder, 'pipeline')
  await expect(holdRole(folder, 'pipeline')).rejects.toMatchObject({ code: 'DATA_FOLDER_IN_USE' })
  await end(pipeline)
  await (await holdRole(folder, 'pipeline')).release()
})

test('a lease of a dead process is free whatever its file time says', async () => {
  const folder = await temporaryFolder()
  const holder = await otherProcess(folder, 'pipeline')
  await end(holder)
  const { locks } = dataPaths(folder)
  const future = new Date('2036-01-01T00:00:00Z')
  for (const name of await readdir(locks)) await utimes(join(locks, name), future, future)
  const taken = await takeLease(locks, 'pipeline', { waitMs: 0, mayReplaceFrozen: false })
  expect(taken).toHaveProperty('lease')
})
