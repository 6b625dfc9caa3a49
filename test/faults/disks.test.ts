import { execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rename, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, type TestContext, test, vi } from 'vitest'
import { issueKey, listKeys } from '../../accounts/keys/keys.ts'
import { openState } from '../../api/state/open.ts'
import { checkDataFolder } from '../../bin/doctor/check-folder.ts'
import { runCheck } from '../../bin/doctor/finding.ts'
import { withStateToRead } from '../../bin/runtime/state.ts'
import type { HoldshortError } from '../../config/errors.ts'
import { dataPaths } from '../../config/settings.ts'
import { loadSnapshot } from '../../warehouse/publishing/snapshot/load.ts'
import { openAnalystSession } from '../../warehouse/storage/analyst-session.ts'
import { READ_ONLY_REMEDY } from '../../warehouse/storage/files.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { mountSmallDisk } from '../small-disk.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { exportAll } from '../warehouse/export/export-of.ts'
import { readAll } from '../warehouse/storage/read-all.ts'
import {
  ACCOUNTS,
  collectAt,
  copyOf,
  expectNoRowLost,
  makeInstallation,
  NOW,
  refreshAt,
  rowCounts,
  settingsOf,
  upkeepAt,
} from './installation.ts'

let installation = ''
let before = new Map<string, number>()
beforeAll(async () => {
  installation = await makeInstallation()
  before = await rowCounts(installation)
}, 120_000)
afterAll(() => rm(installation, { recursive: true, force: true }))

const run = (program: string, ...words: string[]) => void execFileSync(program, words, { stdio: 'ignore' })

/** A copy of the installation on a disk of its own; skips the test where this user may not mount one. */
async function onDisk({ skip }: TestContext, mount: (place: string) => Promise<void> | void) {
  const place = await temporaryFolder()
  try {
    await mount(place)
  } catch {
    skip('this user may not mount a disk')
  }
  onTestFinished(() => run('umount', '-l', place))
  const folder = join(place, 'data')
  await mkdir(folder)
  await cp(installation, folder, { recursive: true, preserveTimestamps: true })
  return { place, folder, remount: (option: string) => run('mount', '-o', `remount,${option}`, place) }
}
const inMemory = (place: string) => run('mount', '-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', place)

/** Codes with which a disk that takes nothing is named. */
const NAMED = ['DISK_FULL', 'STATE_UNWRITABLE', 'WAREHOUSE_LOCKED', 'DATA_FOLDER_UNUSABLE', 'EROFS', 'ENOSPC']
/** Work that may fail, but only with a code that says why; whether it was done. */
const attempt = (work: Promise<unknown>) =>
  work.then(
    () => true,
    (error: HoldshortError) => {
      expect(NAMED, error.message).toContain(error.code)
      return false
    },
  )

/** Fills a disk of 48 MB to its last page with files in a new folder. */
async function fillDisk(filler: string): Promise<void> {
  await mkdir(filler)
  for (let bytes = 48 * 1_048_576, part = 0; bytes >= 4_096; part += 1) {
    const file = join(filler, String(part))
    const isWritten = await writeFile(file, Buffer.alloc(bytes)).then(
      () => true,
      () => rm(file, { force: true }).then(() => false),
    )
    if (!isWritten) bytes /= 2
  }
}

async function expectReadable(folder: string, state?: Awaited<ReturnType<typeof openState>>): Promise<void> {
  expect(await loadSnapshot(dataPaths(folder).snapshots)).not.toBeNull()
  const accounts = await state?.db.selectFrom('accounts').select('id').execute()
  if (accounts) expect(accounts.length).toBeGreaterThanOrEqual(ACCOUNTS)
}

test('a disk that is read-only at the start is named or read, and all goes on when it can be written', async (context) => {
  const { folder, remount } = await onDisk(context, inMemory)
  remount('ro')
  const { state } = dataPaths(folder)
  await expect(openState(settingsOf(folder))).rejects.toMatchObject({
    code: 'STATE_UNWRITABLE',
    message: `${state} cannot be opened, because it cannot be written (it is read-only): ${READ_ONLY_REMEDY}`,
  })
  await attempt(rowCounts(folder))
  await expectReadable(folder)
  remount('rw')
  const warehouse = await openWarehouse(folder)
  await refreshAt(warehouse, NOW + 180_000).finally(warehouse.close)
  await expectNoRowLost(folder, before)
}, 120_000)

test('a new state that a full disk cannot take is named with the way out, and is made whole once there is room', async ({
  skip,
}) => {
  const folder = await temporaryFolder()
  const { state } = dataPaths(folder)
  for (const bytes of [20_000, 60_000, 100_000, 200_000, 300_000, 400_000]) {
    if (!mountSmallDisk(folder, bytes)) skip('this user may not mount a small disk')
    const opened = openState(settingsOf(folder))
    await expect(opened, `${bytes} bytes`).rejects.toMatchObject({
      code: 'STATE_UNWRITABLE',
      message: expect.stringMatching(/state\.sqlite cannot be opened.*: free space, or make it writable$/),
    })
    execFileSync('mount', ['-o', 'remount,size=64m', folder])
    await (await openState(settingsOf(folder))).close()
  }
  expect((await stat(state)).size).toBeGreaterThan(300_000)
}, 60_000)

test('a disk that becomes full beneath state and warehouse loses no account and no row', async (context) => {
  const { place, folder } = await onDisk(context, inMemory)
  const state = await openState(settingsOf(folder))
  const warehouse = await openWarehouse(folder)
  const issue = async () => keys.push((await issueKey(state, { tier: 'free' }, NOW)).account_id)
  const keys: string[] = []
  const filler = join(place, 'filler')
  await fillDisk(filler)
  const issued: boolean[] = []
  for (let times = 0; times < 40; times += 1) issued.push(await attempt(issue()))
  expect(issued).toContain(false)
  await attempt(refreshAt(warehouse, NOW + 60_000))
  await expectReadable(folder, state)
  await rm(filler, { recursive: true })
  await issue()
  await refreshAt(warehouse, NOW + 120_000)
  expect(state.fault()).toBeNull()
  const known = (await state.db.selectFrom('accounts').select('id').execute()).map(({ id }) => id)
  expect(known).toEqual(expect.arrayContaining(keys))
  await warehouse.close()
  await expectNoRowLost(folder, before)
  await state.close()
}, 120_000)

test('a state whose space others have taken on a full disk is opened with its reserve, time and again', async (context) => {
  const { place, folder } = await onDisk(context, inMemory)
  const { state: file } = dataPaths(folder)
  await (await openState(settingsOf(folder))).close()
  for (const restart of ['first', 'second', 'third']) {
    // What a process that was refused leaves of the index of the log.
    await truncate(`${file}-shm`, 3)
    await fillDisk(join(place, restart))
    const state = await openState(settingsOf(folder))
    await expectReadable(folder, state)
    await expect(issueKey(state, { tier: 'free' }, NOW)).rejects.toMatchObject({ code: 'STATE_UNWRITABLE' })
    await state.close()
  }
}, 120_000)

test('commands that only read list keys on a disk that is read-only or full', async (context) => {
  const { place, folder, remount } = await onDisk(context, inMemory)
  const list = () => withStateToRead({ dataDir: folder }, listKeys)
  remount('ro')
  expect(await list()).toHaveLength(ACCOUNTS)
  remount('rw')
  await fillDisk(join(place, 'filler'))
  expect(await list()).toHaveLength(ACCOUNTS)
}, 120_000)

test('an error about the copy of a state that cannot be written names the state, and nothing of the copy stays', async (context) => {
  const { folder, remount } = await onDisk(context, inMemory)
  const { state, pepper } = dataPaths(folder)
  const temporary = await temporaryFolder()
  run('mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', temporary)
  onTestFinished(() => run('umount', '-l', temporary))
  vi.stubEnv('TMPDIR', temporary)
  onTestFinished(() => void vi.unstubAllEnvs())
  const fault = () => withStateToRead({ dataDir: folder }, listKeys).catch((error: HoldshortError) => error)
  remount('ro')
  expect(await fault()).toMatchObject({ code: 'STATE_UNWRITABLE' })
  run('mount', '-o', 'remount,size=48m', temporary)
  remount('rw')
  await rename(pepper, `${pepper}-away`)
  remount('ro')
  expect(await fault()).toMatchObject({ code: 'STATE_INCOMPLETE', message: expect.stringContaining(`${pepper} is`) })
  remount('rw')
  await rename(`${pepper}-away`, pepper)
  await truncate(state, 10_000)
  remount('ro')
  expect(await fault()).toMatchObject({ code: 'STATE_DAMAGED', message: expect.stringContaining(state) })
  expect(await readdir(temporary)).toEqual([])
}, 120_000)

test('a query that the scratch folder of a full disk cannot hold is named', async (context) => {
  const { place, folder } = await onDisk(context, inMemory)
  const limits = { memory: '200MB', spill: '4GB' }
  const large = 'SELECT md5(i::VARCHAR) AS text FROM range(4000000) AS numbers(i) ORDER BY text'
  const session = await openAnalystSession(folder, { limits })
  await fillDisk(join(place, 'filler'))
  await expect(readAll(session, large)).rejects.toMatchObject({ code: 'DISK_FULL' })
  await session.close()
  await rm(dataPaths(folder).scratch, { recursive: true })
  await fillDisk(join(place, 'more'))
  await expect(openAnalystSession(folder, { limits })).rejects.toMatchObject({ code: 'DISK_FULL' })
}, 120_000)

test('an export onto a full disk is named, and the next one is whole', async (context) => {
  const { place, folder } = await onDisk(context, inMemory)
  const [target, filler] = [join(place, 'export'), join(place, 'filler')]
  await writeFile(filler, Buffer.alloc(48_000_000)).catch(() => undefined)
  await truncate(filler, (await stat(filler)).size - 64_000)
  await expect(exportAll(installation, target)).rejects.toMatchObject({
    code: 'DISK_FULL',
    message: expect.stringContaining(`${target} has no space left`),
  })
  for (const path of [filler, folder]) await rm(path, { recursive: true })
  expect((await exportAll(installation, target)).rows).toBeGreaterThan(0)
}, 60_000)

test('a disk that Linux makes read-only after an error is named, although its permissions say otherwise', async (context) => {
  const { folder, remount } = await onDisk(context, async (place) => {
    const image = join(await temporaryFolder(), 'ext4')
    await writeFile(image, '')
    await truncate(image, 96 * 1_048_576)
    run('mkfs.ext4', '-q', image)
    run('mount', '-o', 'loop', image, place)
  })
  const state = await openState(settingsOf(folder))
  remount('abort')
  await expect(issueKey(state, { tier: 'free' }, NOW)).rejects.toMatchObject({ code: 'STATE_UNWRITABLE' })
  await expectReadable(folder, state)
  expect((await runCheck('data folder', () => checkDataFolder(settingsOf(folder)))).says).toContain('EROFS')
  await state.close()
}, 120_000)

/** A disk in memory, which every Linux has: renaming and linking between it and the usual disk fails with EXDEV. */
const OTHER_DISK = '/dev/shm'

/** Folders of a data folder that operators move to a larger or a faster disk. */
test.each(['warehouse', 'raw', 'snapshots', 'models', 'scratch', 'locks'])(
  'with the folder %s on another disk, behind a link, collecting, publishing and upkeep work as on one',
  async (part) => {
    expect((await stat(OTHER_DISK)).dev).not.toBe((await stat(tmpdir())).dev)
    const folder = await copyOf(installation)
    const elsewhere = await mkdtemp(join(OTHER_DISK, 'holdshort-fault-'))
    onTestFinished(() => rm(elsewhere, { recursive: true, force: true }))
    const path = join(folder, part)
    await cp(path, elsewhere, { recursive: true, preserveTimestamps: true }).catch(() => undefined)
    await rm(path, { recursive: true, force: true })
    await symlink(elsewhere, path)
    await collectAt(folder, [NOW + 600_000, NOW + 660_000])
    const warehouse = await openWarehouse(folder)
    await refreshAt(warehouse, NOW + 720_000)
    await upkeepAt(warehouse, NOW + 780_000)
    await warehouse.close()
    const after = await expectNoRowLost(folder, before)
    expect(after.get('readings')).toBeGreaterThan(before.get('readings')!)
    await expectReadable(folder)
  },
  120_000,
)
