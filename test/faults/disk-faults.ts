import { execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { issueKey } from '../../api/accounts/keys/keys.ts'
import { openState } from '../../api/state/open.ts'
import { checkDataFolder } from '../../bin/doctor/check-folder.ts'
import { runCheck } from '../../bin/doctor/finding.ts'
import type { HoldshortError } from '../../config/errors.ts'
import { dataPaths } from '../../config/settings.ts'
import { loadSnapshot } from '../../warehouse/publishing/snapshot/load.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { rowCounts } from './file-faults.ts'
import { ACCOUNTS, NOW, refreshAt, settingsOf } from './installation.ts'
import type { Outcome } from './outcome.ts'

/** Codes with which a disk that takes nothing is told. */
const TOLD = new Set(['DISK_FULL', 'STATE_UNWRITABLE', 'WAREHOUSE_LOCKED', 'DATA_FOLDER_UNUSABLE', 'EROFS', 'ENOSPC'])

/**
 * A small disk of its own that becomes full or read-only while everything is open. It needs the right to mount; without it
 * nothing is tried.
 */
export async function diskFaults(installation: string): Promise<Outcome[]> {
  const place = await mkdtemp(join(tmpdir(), 'holdshort-disk-'))
  const mount = (...options: string[]) => execFileSync('mount', [...options, place], { stdio: 'ignore' })
  try {
    mount('-t', 'tmpfs', '-o', 'size=48m', 'tmpfs')
  } catch {
    process.stderr.write('disks: this user may not mount a small disk, so none is filled\n')
    await rm(place, { recursive: true, force: true })
    return []
  }
  const folder = join(place, 'data')
  await mkdir(folder)
  await cp(installation, folder, { recursive: true, preserveTimestamps: true })
  const filler = join(place, 'filler')
  const fill = async () => {
    for (let megabytes = 48; megabytes >= 1 / 256; megabytes /= 2)
      for (let part = 0; ; part += 1) {
        const written = await writeFile(`${filler}-${megabytes}-${part}`, Buffer.alloc(megabytes * 1_048_576)).then(
          () => true,
          () => rm(`${filler}-${megabytes}-${part}`, { force: true }).then(() => false),
        )
        if (!written) break
      }
  }
  const empty = () => execFileSync('sh', ['-c', `rm -f '${filler}'-*`])
  try {
    const before = await rowCounts(installation)
    // First, because a file system with files that are open for writing cannot become read-only.
    const readOnly = await tryReadOnlyDisk(folder, before, (mode) => mount('-o', `remount,${mode}`))
    return [
      readOnly,
      await tryFullDisk(folder, before, fill, async () => void empty()),
      ...(await tryFailedDisk(installation)),
    ]
  } finally {
    execFileSync('umount', ['-l', place])
    await rm(place, { recursive: true, force: true })
  }
}

/**
 * A disk that Linux makes read-only after an error, while the state is open on it. Its mount options and permissions still say that it
 * can be written.
 */
async function tryFailedDisk(installation: string): Promise<Outcome[]> {
  const place = await mkdtemp(join(tmpdir(), 'holdshort-failed-disk-'))
  const image = `${place}.img`
  const run = (program: string, ...words: string[]) => execFileSync(program, words, { stdio: 'ignore' })
  try {
    await writeFile(image, '')
    await truncate(image, 96 * 1_048_576)
    run('mkfs.ext4', '-q', image)
    run('mount', '-o', 'loop', image, place)
  } catch {
    process.stderr.write('disks: this machine cannot mount an image of ext4, so none fails\n')
    await Promise.all([place, image].map((path) => rm(path, { recursive: true, force: true })))
    return []
  }
  const folder = join(place, 'data')
  const problems: string[] = []
  await cp(installation, folder, { recursive: true, preserveTimestamps: true })
  const state = await openState(settingsOf(folder))
  const started = performance.now()
  try {
    run('mount', '-o', 'remount,abort', place)
    const code = await issueKey(state, { tier: 'free' }, NOW).then(
      () => 'no error',
      (error: HoldshortError) => error.code,
    )
    if (code !== 'STATE_UNWRITABLE') problems.push(`issuing a key ends with ${code}`)
    if ((await state.db.selectFrom('accounts').select('id').execute()).length < ACCOUNTS)
      problems.push('accounts cannot be read')
    if ((await loadSnapshot(dataPaths(folder).snapshots)) === null) problems.push('no snapshot can be served')
    const finding = await runCheck('data folder', () => checkDataFolder(settingsOf(folder)))
    if (!finding.says.includes('EROFS')) problems.push(`the doctor says: ${finding.says}`)
  } catch (error) {
    problems.push((error as Error).message)
  } finally {
    await state.close().catch(() => undefined)
    run('umount', '-l', place)
    await Promise.all([place, image].map((path) => rm(path, { recursive: true, force: true })))
  }
  return [{ kind: 'disk: failed', what: folder, lost: 0, problems, healthyMs: performance.now() - started }]
}

async function tryFullDisk(
  folder: string,
  before: Map<string, number>,
  begin: () => Promise<void>,
  end: () => Promise<void>,
): Promise<Outcome> {
  const problems: string[] = []
  let lost = 0
  const state = await openState(settingsOf(folder))
  const warehouse = await openWarehouse(folder)
  const keys: string[] = []
  const attempt = async (what: string, work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (error) {
      const code = (error as HoldshortError).code ?? ''
      if (!TOLD.has(code)) problems.push(`${what} fails with ${code} ${(error as Error).message}`.slice(0, 160))
    }
  }
  let started = performance.now()
  try {
    await begin()
    for (let times = 0; times < 40; times += 1)
      await attempt('issuing a key', async () => {
        keys.push((await issueKey(state, { tier: 'free' }, NOW)).account_id)
      })
    if (keys.length === 40) problems.push('the disk was not full')
    await attempt('a refresh', () => refreshAt(warehouse, NOW + 60_000))
    if ((await state.db.selectFrom('accounts').select('id').execute()).length < ACCOUNTS)
      problems.push('accounts cannot be read')
    if ((await loadSnapshot(dataPaths(folder).snapshots)) === null) problems.push('no snapshot can be served')
    await end()
    started = performance.now()
    keys.push((await issueKey(state, { tier: 'free' }, NOW)).account_id)
    await refreshAt(warehouse, NOW + 120_000)
    if (state.writeFault() !== null) problems.push('the state still says that it cannot be written')
    const known = new Set((await state.db.selectFrom('accounts').select('id').execute()).map(({ id }) => id))
    lost = keys.filter((id) => !known.has(id)).length
    await warehouse.close()
    const after = await rowCounts(folder)
    for (const [table, rows] of before) lost += Math.max(0, rows - (after.get(table) ?? 0))
    if (lost > 0) problems.push(`${lost} rows or accounts are lost`)
  } catch (error) {
    problems.push((error as Error).message)
    await end()
  } finally {
    await state.close().catch(() => undefined)
  }
  return { kind: 'disk: full', what: folder, lost, problems, healthyMs: performance.now() - started }
}

/** Starts on a disk that is read-only: everything is told or read, and works again when it can be written. */
async function tryReadOnlyDisk(
  folder: string,
  before: Map<string, number>,
  remount: (mode: 'ro' | 'rw') => void,
): Promise<Outcome> {
  const problems: string[] = []
  remount('ro')
  for (const [what, work] of [
    ['opening the state', async () => (await openState(settingsOf(folder))).close()],
    ['reading the warehouse', () => rowCounts(folder)],
  ] as const)
    await work().catch((error: HoldshortError) => {
      if (!TOLD.has(error.code)) problems.push(`${what} fails with ${error.code} ${error.message}`.slice(0, 160))
    })
  if ((await loadSnapshot(dataPaths(folder).snapshots)) === null) problems.push('no snapshot can be served')
  remount('rw')
  const started = performance.now()
  let lost = 0
  try {
    const warehouse = await openWarehouse(folder)
    await refreshAt(warehouse, NOW + 180_000).finally(warehouse.close)
    const after = await rowCounts(folder)
    for (const [table, rows] of before) lost += Math.max(0, rows - (after.get(table) ?? 0))
    if (lost > 0) problems.push(`${lost} rows are lost`)
  } catch (error) {
    problems.push((error as Error).message)
  }
  return { kind: 'disk: read-only', what: folder, lost, problems, healthyMs: performance.now() - started }
}
