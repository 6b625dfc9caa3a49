import { type ChildProcess, execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { dataPaths } from '../../../config/settings.ts'
import {
  folderHolder,
  folderSharers,
  holdDataFolder,
  holdRole,
  otherUser,
  shareDataFolder,
} from '../../../warehouse/storage/folder-use.ts'
import { openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { run } from '../../end-to-end/commands.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { startProgram } from '../../start-program.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

/** A process of its own that uses the folder until it is killed. */
async function otherProcess(folder: string, use: 'alone' | 'shared' | 'pipeline'): Promise<ChildProcess> {
  const { child, hasPrinted } = startProgram('use-data-folder', folder, use)
  await hasPrinted(1)
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

test.runIf(EXHAUSTIVE)(
  'a second pipeline started by mistake, over Redis too, says who runs and writes nothing',
  async () => {
    const folder = await temporaryFolder()
    const pipeline = await otherProcess(folder, 'pipeline')
    vi.stubEnv('REDIS_URL', 'redis://127.0.0.1:1')
    onTestFinished(() => void vi.unstubAllEnvs())
    const second = await run('work', '--data-dir', folder)
    expect(second.code).not.toBe(0)
    expect(second.stderr).toContain('DATA_FOLDER_IN_USE')
    expect(second.stderr).toContain(`process ${pipeline.pid}`)
    expect((await readdir(folder)).filter((name) => /^(raw|warehouse|state)/.test(name))).toEqual([])
  },
)

test.runIf(EXHAUSTIVE)('locks that somebody deletes as stale while they are held are taken anew', async () => {
  const folder = await temporaryFolder()
  const pipeline = await otherProcess(folder, 'pipeline')
  const sharer = await otherProcess(folder, 'shared')
  await rm(dataPaths(folder).locks, { recursive: true })
  await vi.waitFor(async () => expect((await folderHolder(folder, 'pipeline'))?.pid).toBe(pipeline.pid), 10_000)
  await vi.waitFor(async () => expect((await folderSharers(folder))[0]?.pid).toBe(sharer.pid), 10_000)
  await expect(holdRole(folder, 'pipeline')).rejects.toMatchObject({ code: 'DATA_FOLDER_IN_USE' })
  await expect(holdDataFolder(folder)).rejects.toMatchObject({ code: 'DATA_FOLDER_IN_USE' })
})

test.runIf(EXHAUSTIVE)(
  'what a process that was killed left holds nobody up, whatever its files and their times say',
  async () => {
    const folder = await temporaryFolder()
    const { locks } = dataPaths(folder)
    await end(await otherProcess(folder, 'pipeline'))
    await end(await otherProcess(folder, 'shared'))
    const future = new Date('2036-01-01T00:00:00Z')
    for (const name of await readdir(locks)) await utimes(join(locks, name), future, future)
    expect(await folderHolder(folder, 'pipeline')).toBeNull()
    expect(await folderSharers(folder)).toEqual([])
    await (await holdRole(folder, 'pipeline')).release()
    await (await holdDataFolder(folder)).release()
  },
)

test('a folder that may not be entered for a while ends no process that holds it', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const folder = join(await temporaryFolder(), 'data')
  await mkdir(folder)
  const lock = await holdRole(folder, 'pipeline')
  await rename(folder, `${folder}-away`)
  // The system's error for a loop, because the tests may run as root, who may enter every folder.
  await symlink('data', folder)
  expect(() => vi.advanceTimersByTime(10_000)).not.toThrow()
  await rm(folder)
  await rename(`${folder}-away`, folder)
  await lock.release()
  await expect(folderHolder(folder, 'pipeline')).resolves.toBeNull()
})

test('a process in another container, with the same id, is another process', async () => {
  const folder = await temporaryFolder()
  const { locks } = dataPaths(folder)
  const holder = await otherProcess(folder, 'shared')
  const about = JSON.parse(await readFile(join(locks, 'shared-0.json'), 'utf8'))
  await writeFile(
    join(locks, 'shared-0.json'),
    JSON.stringify(Object.assign(about, { pid: process.pid, host: 'other' })),
  )
  await expect(holdDataFolder(folder)).rejects.toMatchObject({ message: expect.stringContaining('on other') })
  await end(holder)
  await (await holdDataFolder(folder)).release()
})

test.runIf(EXHAUSTIVE)('a copy of a folder in use is used by nobody', async () => {
  const folder = await temporaryFolder()
  await otherProcess(folder, 'alone')
  const copy = join(await temporaryFolder(), 'copy')
  execFileSync('cp', ['-a', folder, copy])
  expect(await otherUser(copy)).toBeNull()
  await (await holdDataFolder(copy)).release()
})

test.runIf(EXHAUSTIVE)('of processes that want a folder alone at the same moment, one gets it', async () => {
  const folder = await temporaryFolder()
  const programs = Array.from({ length: 6 }, () => startProgram('use-data-folder', folder, 'alone'))
  await Promise.all(programs.map(({ hasPrinted }) => hasPrinted(1)))
  expect(programs.filter(({ lines }) => lines().length > 0)).toHaveLength(1)
})

test.runIf(EXHAUSTIVE)('a process uses a folder as often as it likes, and alone as well', async () => {
  const folder = await temporaryFolder()
  const uses = [await shareDataFolder(folder), await shareDataFolder(folder)]
  expect(await folderSharers(folder)).toHaveLength(2)
  const alone = await holdDataFolder(folder)
  await (await shareDataFolder(folder)).release()
  for (const use of [...uses, alone]) await use.release()
  const next = await otherProcess(folder, 'alone')
  await end(next)
})

test('of uses that begin at the same moment in one process, each has a lock that other processes see', async () => {
  const folder = await temporaryFolder()
  const uses = await Promise.all(Array.from({ length: 20 }, () => shareDataFolder(folder)))
  expect(await folderSharers(folder)).toHaveLength(20)
  for (const use of uses) await use.release()
  expect(await folderSharers(folder)).toEqual([])
})
