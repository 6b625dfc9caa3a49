import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { projectFile } from '../../../config/paths.ts'
import { dataPaths } from '../../../config/settings.ts'
import { clearDataFolder, holdDataFolder, holdRole, shareDataFolder } from '../../../warehouse/storage/folder-use.ts'
import { takeLease } from '../../../warehouse/storage/lease.ts'
import { openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { reading } from '../test-rows.ts'

/** A process of its own that uses the folder until it is killed. */
async function otherProcess(folder: string, use: 'alone' | 'shared' | 'pipeline'): Promise<ChildProcess> {
  const program = projectFile('dist', 'test', 'programs', 'use-data-folder.js')
  const child = spawn(process.execPath, [program, folder, use], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
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

test('clears what this program wrote, and leaves every other file where it is', async () => {
  const folder = await temporaryFolder()
  const warehouse = await openWarehouse(folder)
  await warehouse.land(readings, [reading()])
  await warehouse.close()
  const own = [
    'world.json',
    'key-pepper',
    'state.sqlite',
    'state.sqlite-wal',
    'raw/source=sea-cwt/date=2026-11-21/sea-cwt-1.gz',
    'models/security/JFK/JFK@2026-11-20T04Z/weights.bin',
    'snapshots/CURRENT',
    'snapshots/20261121T100000Z/facts.json',
  ]
  const foreign = [
    'thesis.txt',
    'notes/chapter-1.md',
    'warehouse/my-own.parquet',
    'raw/source=sea-cwt/date=2026-11-21/remarks.txt',
    'models/security/JFK/readme.md',
    'state.sqlite.backup',
    'warehouse/readings/thesis.txt',
    'snapshots/picture.png',
  ]
  for (const path of [...own, ...foreign]) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), path)
  }
  expect((await clearDataFolder(folder)).sort()).toEqual(foreign.toSorted())
  for (const path of foreign) expect(await readFile(join(folder, path), 'utf8')).toBe(path)
  for (const path of own) await expect(readFile(join(folder, path)), path).rejects.toMatchObject({ code: 'ENOENT' })
  const again = await openWarehouse(folder)
  expect(await again.query('SELECT count(*) AS n FROM readings')).toEqual([{ n: 0 }])
  await again.close()
})
