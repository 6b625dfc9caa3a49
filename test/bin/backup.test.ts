import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { issueKey, revokeKey } from '../../accounts/keys/keys.ts'
import { LocalGate } from '../../api/gate/local-gate.ts'
import { openState } from '../../api/state/open.ts'
import { openBackup, openBackupFolder } from '../../bin/backup/folder.ts'
import { restoreBackup } from '../../bin/backup/restore.ts'
import { dataPaths } from '../../config/settings.ts'
import { writeSnapshot } from '../../warehouse/publishing/snapshot/write.ts'
import { holdDataFolder } from '../../warehouse/storage/folder-use.ts'
import { writeCapture } from '../../warehouse/storage/raw-captures.ts'
import { checkSimulatedMark } from '../../warehouse/storage/simulated-mark.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { readings } from '../../warehouse/tables/readings.ts'
import { insertFullAccount } from '../accounts/privacy/full-account.ts'
import { NOW } from '../api/example-snapshot.ts'
import { json, run } from '../end-to-end/commands.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { mountSmallDisk } from '../small-disk.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { emptyContent } from '../warehouse/snapshot-content.ts'
import { reading } from '../warehouse/test-rows.ts'

/** A data folder, and keys of it. */
interface Installation {
  data: string
  valid: string
  revoked: string
}

/** Makes a data folder with something of everything, and keys that are issued and revoked. */
async function createInstallation(data: string): Promise<Installation> {
  await checkSimulatedMark({ data_dir: data, simulated_world: undefined })
  const warehouse = await openWarehouse(data)
  for (let batch = 0; batch < 4; batch += 1)
    await warehouse.land(readings, [
      reading({ checkpoint: `${batch}` }),
      reading({ checkpoint: `${batch}`, observed_at: '2026-11-19T12:00:00.000Z' }),
    ])
  await warehouse.land(readings, [reading({ checkpoint: 'the last' })])
  await warehouse.close()
  const about = { fetched_at: '2026-11-20T12:00:00.000Z', url: 'https://a.example/', status: 200, iata: null }
  await writeCapture(data, Buffer.from('a body'), {
    ...about,
    source: 'sea-cwt',
    content_type: 'text/plain',
    etag: null,
    last_modified: null,
  })
  const model = join(dataPaths(data).models, 'security', 'JFK', 'JFK@2026-11-20T00Z')
  await mkdir(model, { recursive: true })
  for (const name of ['model.json', 'weights.bin', 'card.json']) await writeFile(join(model, name), `${name} of JFK`)
  await chmod(join(model, 'card.json'), 0o640)
  await writeSnapshot(dataPaths(data).snapshots, emptyContent('2026-11-20T12:00:00Z'))
  const state = await openState({ data_dir: data })
  await insertFullAccount(state, 'ada')
  const { key: valid } = await issueKey(state, { tier: 'pro' }, NOW)
  const { key: revoked, key_id } = await issueKey(state, { tier: 'pro' }, NOW)
  await revokeKey(state, key_id, NOW)
  const gate = new LocalGate(state)
  const { settle } = await gate.admit(valid, NOW, true)
  settle(true, 'getDelays')
  await gate.flush(NOW)
  await state.close()
  await writeFile(join(data, 'thesis.txt'), 'the file of somebody else')
  return { data, valid, revoked }
}

/** Every file below a folder with its content and mode, without what belongs to running processes, and without the warehouse, whose copy has other bytes. */
async function filesOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const files: Record<string, string> = {}
  for (const path of paths.sort()) {
    const name = relative(folder, path)
    if (/^(locks|state|scratch|thesis|warehouse)/.test(name)) continue
    files[name] = `${(await stat(path)).mode.toString(8)} ${await readFile(path, 'latin1')}`
  }
  return files
}

async function stateRows(data_dir: string): Promise<Record<string, unknown[]>> {
  const state = await openState({ data_dir })
  const rows: Record<string, unknown[]> = {}
  for (const { name } of await state.db.introspection.getTables())
    if (name !== 'installation')
      rows[name] = await state.db
        .selectFrom(name as 'keys')
        .selectAll()
        .execute()
  await state.close()
  return rows
}

async function readingRows(data_dir: string): Promise<unknown[]> {
  const warehouse = await openWarehouse(data_dir)
  const rows = await warehouse.query('SELECT * FROM readings ORDER BY ALL')
  await warehouse.close()
  return rows
}

test('a backup whose warehouse has what the next one lacks is kept, once, and can be restored', async () => {
  const { folder, data } = await installation()
  const target = join(folder, 'backups')
  const file = dataPaths(data).warehouse_file
  await cp(file, join(folder, 'before.duckdb'))
  const warehouse = await openWarehouse(data)
  await warehouse.land(readings, [reading({ observed_at: '2026-11-19T10:00:00Z' })])
  await warehouse.close()
  const rows = await readingRows(data)
  await json('backup', target, '--data-dir', data, '--json')
  await cp(join(folder, 'before.duckdb'), file)

  const { code, stdout, stderr } = await run('backup', target, '--data-dir', data, '--json')
  const { kept } = JSON.parse(stdout) as { kept: string }
  expect([code, stderr]).toEqual([1, expect.stringContaining('1 row of readings since 2026-11-19')])
  expect(dirname(kept)).toBe(target)
  expect(await json('backup', target, '--data-dir', data, '--json')).toMatchObject({ kept: null })
  await json('restore', kept, '--data-dir', join(folder, 'restored'), '--json')
  expect(await readingRows(join(folder, 'restored'))).toEqual(rows)
  expect(await readingRows(data)).toHaveLength(rows.length - 1)
}, 60_000)

test('a backup whose accounts the next one lacks is kept', async () => {
  const { folder, data } = await installation()
  const target = join(folder, 'backups')
  const { state } = dataPaths(data)
  const before = join(folder, 'before')
  await json('backup', before, '--data-dir', data, '--json')
  await json('keys', 'issue', '--tier', 'free', '--json', '--data-dir', data)
  await json('backup', target, '--data-dir', data, '--json')
  for (const end of ['-wal', '-shm']) await rm(`${state}${end}`, { force: true })
  await cp(join(heldIn(before), 'state.sqlite'), state)
  expect((await run('backup', target, '--data-dir', data)).stderr).toContain('STATE_INCOMPLETE')
  await json('state', 'accept', '--data-dir', data, '--json')
  const { code, stderr } = await run('backup', target, '--data-dir', data)
  expect([code, stderr]).toEqual([1, expect.stringContaining('lacks what the one before has (1 account)')])
  expect((await run('backup', target, '--data-dir', data)).code).toBe(0)
}, 60_000)

interface BackupReport {
  files: number
  copied_files: number
  damaged: string[]
}

/** A data folder with something of everything, and keys that are issued and revoked. Each test works on a copy. */
let template: Installation | null = null
beforeAll(async () => {
  template = await createInstallation(join(await mkdtemp(join(tmpdir(), 'holdshort-test-')), 'data'))
})
afterAll(() => rm(dirname(template?.data ?? ''), { recursive: true }))

async function installation(): Promise<Installation & { folder: string }> {
  const { data: original, valid, revoked } = template as Installation
  const folder = await temporaryFolder()
  const data = join(folder, 'data')
  // The log is empty, and SQLite may delete it at any time.
  const filter = (path: string) => !/-(wal|shm)$/.test(path)
  await cp(original, data, { recursive: true, preserveTimestamps: true, filter })
  return { folder, data, valid, revoked }
}

/** The backup in a folder, and its manifest. */
const heldIn = (target: string) => join(target, 'holdshort-backup')
const manifestIn = (target: string) => join(heldIn(target), 'manifest.json')

test('a backup restores every row, file and mode, and the keys that were valid', async () => {
  const { folder, data, valid, revoked } = await installation()
  const target = join(folder, 'backups')
  await json('backup', target, '--data-dir', data, '--json')
  const restored = join(folder, 'restored')
  const { code, stderr } = await run('restore', target, '--data-dir', restored)
  expect([code, stderr]).toEqual([0, expect.stringContaining('keys that were revoked')])

  const before = await filesOf(data)
  expect(Object.keys(before).length).toBeGreaterThan(10)
  expect(await filesOf(restored)).toEqual(before)
  expect(await stateRows(restored)).toEqual(await stateRows(data))
  expect((await readingRows(data)).length).toBe(9)
  expect(await readingRows(restored)).toEqual(await readingRows(data))
  const state = await openState({ data_dir: restored })
  const gate = new LocalGate(state)
  expect((await gate.admit(valid, NOW, true)).refusal).toBeNull()
  await expect(async () => gate.admit(revoked, NOW, true)).rejects.toMatchObject({ code: 'INVALID_API_KEY' })
  await state.close()
  for (const path of ['', 'state.sqlite', 'key-pepper'])
    expect((await stat(join(restored, path))).mode & 0o077, path).toBe(0)
})

test('a restored state includes the calls that were reported after its backup, and so does one that is accepted', async () => {
  const { folder, data } = await installation()
  const state = await openState({ data_dir: data })
  const { account_id } = await state.db.selectFrom('overage_reports').select('account_id').executeTakeFirstOrThrow()
  await state.db
    .insertInto('usage')
    .values({ account_id, day: '2026-10-31', endpoint: 'getDelays', calls: 5_090 })
    .execute()
  await state.close()
  const target = join(folder, 'backups')
  await json('backup', target, '--data-dir', data, '--json')
  const restored = join(folder, 'restored')
  await json('restore', target, '--data-dir', restored, '--json')
  expect((await stateRows(restored))['overage_reports']).toMatchObject([{ calls: 12, included_calls: 5_078 }])
  expect((await stateRows(data))['overage_reports']).toMatchObject([{ calls: 12, included_calls: 5_000 }])
  await json('state', 'accept', '--data-dir', data, '--json')
  expect((await stateRows(data))['overage_reports']).toMatchObject([{ calls: 12, included_calls: 5_078 }])
})

test('a restored state that is emptied before the first start is refused', async () => {
  const { folder, data } = await installation()
  const target = join(folder, 'backups')
  await json('backup', target, '--data-dir', data, '--json')
  const restored = join(folder, 'restored')
  await json('restore', target, '--data-dir', restored, '--json')
  await truncate(dataPaths(restored).state)
  const { code, stderr } = await run('keys', 'list', '--data-dir', restored)
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^STATE_INCOMPLETE: /)])
})

test('a backup takes the place of the one before, links what did not change, and touches no file of others', async () => {
  const { folder, data } = await installation()
  const target = join(folder, 'backups')
  const backUp = () => json<BackupReport>('backup', target, '--data-dir', data, '--json')
  const first = await backUp()
  expect(first).toMatchObject({ copied_files: first.files, damaged: [] })
  await writeFile(join(target, 'notes.txt'), 'of somebody else')
  const model = join(heldIn(target), 'models', 'security', 'JFK', 'JFK@2026-11-20T00Z', 'weights.bin')
  const { ino } = await stat(model)
  const warehouse = await openWarehouse(data)
  await warehouse.land(readings, [reading({ checkpoint: 'new' })])
  await warehouse.close()
  await rm(join(data, 'world.json'))
  await checkSimulatedMark({ data_dir: data, simulated_world: undefined })
  // The state, the warehouse, the pointer to the snapshot and what was written anew.
  expect(await backUp()).toMatchObject({ files: first.files, copied_files: 4 })
  expect((await stat(model)).ino).toBe(ino)
  expect((await readdir(target)).sort()).toEqual(['holdshort-backup', 'locks', 'notes.txt'])
  expect(await readFile(join(target, 'notes.txt'), 'utf8')).toBe('of somebody else')
  // Anybody can read it: it is laid out as the data folder.
  const restored = join(folder, 'restored')
  await json('restore', heldIn(target), '--data-dir', restored, '--json')
  expect((await readingRows(restored)).length).toBe(10)
})

test('makes no backup of a damaged warehouse, says so, and keeps those before', async () => {
  const { folder, data } = await installation()
  const target = join(folder, 'backups')
  await json('backup', target, '--data-dir', data, '--json')
  const { size } = await stat(dataPaths(data).warehouse_file)
  await truncate(dataPaths(data).warehouse_file, size / 2)
  const { code, stderr } = await run('backup', target, '--data-dir', data, '--json')
  expect([code, stderr]).toEqual([1, expect.stringContaining('WAREHOUSE_CORRUPT')])
  expect((await run('restore', target, '--verify')).code).toBe(0)
})

test.runIf(EXHAUSTIVE)('restores nothing from a backup that is damaged anywhere', async () => {
  const { folder, data } = await installation()
  const target = join(folder, 'backups')
  await json('backup', target, '--data-dir', data, '--json')
  const restored = join(folder, 'restored')
  const attempt = async (backup: string) => {
    const { code, stderr } = await run('restore', backup, '--data-dir', restored)
    await expect(stat(restored)).rejects.toThrow('ENOENT')
    return [code, /^[A-Z_]+(?=:)/m.exec(stderr.slice(stderr.indexOf('BACKUP')))?.[0]]
  }
  const object = join(heldIn(target), 'snapshots', 'CURRENT')
  const content = await readFile(object)
  const flipped = Buffer.from(content)
  flipped[0]! ^= 1
  await writeFile(object, flipped)
  expect(await attempt(target)).toEqual([1, 'BACKUP_INVALID'])
  await writeFile(object, content)
  const text = await readFile(manifestIn(target), 'utf8')
  for (const other of [text.replace('world.json', '../../evil'), text.slice(0, -9), text.replace(':2,', ':3,')]) {
    await writeFile(manifestIn(target), other)
    expect(await attempt(target)).toEqual([1, 'BACKUP_INVALID'])
  }
  await rm(manifestIn(target))
  expect(await attempt(target)).toEqual([1, 'BACKUP_INVALID'])
  await writeFile(manifestIn(target), text)
  expect((await run('restore', target, '--data-dir', restored)).code).toBe(0)
})

test('what is no ordinary file in a backup is refused, and not read', async () => {
  const { folder, data } = await installation()
  const target = join(folder, 'backups')
  await json('backup', target, '--data-dir', data, '--json')
  const path = join(heldIn(target), 'world.json')
  const content = await readFile(path)
  const instead: Record<string, () => Promise<unknown>> = {
    'a pipe': async () => execFileSync('mkfifo', [path]),
    'a socket': () => socketAt(path),
    'a device': () => symlink('/dev/zero', path),
    'a folder': () => mkdir(path),
  }
  for (const [name, put] of Object.entries(instead)) {
    await rm(path)
    await put()
    for (const args of [
      ['restore', target, '--verify'],
      ['restore', target, '--data-dir', join(folder, 'restored')],
    ]) {
      const { code, stderr } = await run(...args)
      expect([name, code, stderr]).toEqual([name, 1, expect.stringMatching(/BACKUP_INVALID.*instead of a file/s)])
    }
    await rm(path, { recursive: true })
    await writeFile(path, content)
  }
  await rm(manifestIn(target))
  execFileSync('mkfifo', [manifestIn(target)])
  const { code, stderr } = await run('restore', target, '--verify')
  expect([code, stderr]).toEqual([1, expect.stringMatching(/BACKUP_INVALID.*instead of a file/s)])
  // The next backup is not kept from being made.
  expect((await run('backup', target, '--data-dir', data)).code).toBe(0)
}, 60_000)

async function socketAt(path: string): Promise<void> {
  // The path of a socket may have 107 bytes; its file can be moved.
  const short = join(await temporaryFolder(), 's')
  const server = createServer().listen(short)
  await once(server, 'listening')
  await rename(short, path)
  onTestFinished(() => void server.close())
}

test('a manifest that names a path twice, or as a file and as a folder, is refused', async () => {
  const { folder, data } = await installation()
  const target = join(folder, 'backups')
  await json('backup', target, '--data-dir', data, '--json')
  const text = await readFile(manifestIn(target), 'utf8')
  const manifest = JSON.parse(text) as { files: { path: string }[] }
  const [file] = manifest.files
  for (const [path, reason] of [
    [file!.path, /twice/],
    [`${file!.path}/inner`, /as a file and as a folder/],
  ] as const) {
    const changed = JSON.stringify({ ...manifest, files: [...manifest.files, { ...file, path }] })
    await writeFile(manifestIn(target), changed)
    const { code, stderr } = await run('restore', target, '--verify')
    expect([code, stderr]).toEqual([1, expect.stringMatching(reason)])
  }
  const [first, ...others] = manifest.files as { path: string; bytes: number }[]
  const longer = { ...first!, bytes: first!.bytes + 1 }
  await writeFile(manifestIn(target), JSON.stringify({ ...manifest, files: [longer, ...others] }))
  const { code, stderr } = await run('restore', target, '--verify')
  expect([code, stderr]).toEqual([1, expect.stringContaining(`${first!.bytes} bytes in place of ${longer.bytes}`)])
  expect(stderr).toContain('or make one in a new folder')
})

test('a file that the manifest leaves out is named, and nothing is restored', async () => {
  const { folder, data } = await installation()
  const target = join(folder, 'backups')
  await json('backup', target, '--data-dir', data, '--json')
  const manifest = JSON.parse(await readFile(manifestIn(target), 'utf8')) as { files: { path: string }[] }
  const files = manifest.files.filter(({ path }) => !path.startsWith('raw/'))
  expect(files.length).toBeLessThan(manifest.files.length)
  await writeFile(manifestIn(target), JSON.stringify({ ...manifest, files }))
  for (const args of [['--verify'], ['--data-dir', join(folder, 'restored')]]) {
    const { code, stderr } = await run('restore', target, ...args)
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/BACKUP_INVALID: .*: raw\/.* is there and not in the manifest/),
    ])
  }
  await writeFile(manifestIn(target), JSON.stringify(manifest))
  expect((await run('restore', target, '--verify')).code).toBe(0)
})

test('where the manifest is damaged beside a whole earlier backup, that one is restored and kept', async () => {
  const { folder, data } = await installation()
  const target = join(folder, 'backups')
  await json('backup', target, '--data-dir', data, '--json')
  // Killed before the backup of before was removed.
  await cp(heldIn(target), `${heldIn(target)}.earlier`, { recursive: true })
  const fallsBack = expect.stringMatching(
    /manifest\.json cannot be read; .* the backup before it, of \d{4}-.*, is used/,
  )
  await truncate(manifestIn(target), 100)
  const verified = await run('restore', target, '--verify')
  expect([verified.code, verified.stderr]).toEqual([1, fallsBack])
  const restored = await run('restore', target, '--data-dir', join(folder, 'restored'))
  expect([restored.code, restored.stderr]).toEqual([0, fallsBack])
  expect(await readingRows(join(folder, 'restored'))).toEqual(await readingRows(data))
  // The next backup fails, and the whole one is still there.
  await truncate(dataPaths(data).warehouse_file, 5_000)
  expect((await run('backup', target, '--data-dir', data)).code).toBe(1)
  expect((await readdir(target)).sort()).toEqual(['holdshort-backup', 'locks'])
  expect((await run('restore', target, '--verify')).code).toBe(0)
})

test('refuses the backup of another installation before it copies or removes anything', async () => {
  const { folder, data } = await installation()
  const [target, other] = [join(folder, 'backups'), join(folder, 'other')]
  await json('backup', target, '--data-dir', data, '--json')
  await (await openState({ data_dir: other })).close()
  await mkdir(`${heldIn(target)}.draft`)
  // Its copy would fail, with another reason.
  await mkdir(dataPaths(other).warehouse)
  await writeFile(dataPaths(other).warehouse_file, 'damaged')
  const { code, stderr } = await run('backup', target, '--data-dir', other)
  expect([code, stderr]).toEqual([2, expect.stringContaining('another installation')])
  expect((await readdir(target)).sort()).toEqual(['holdshort-backup', 'holdshort-backup.draft', 'locks'])
})

test('does not replace the backup of a newer release', async () => {
  const { folder, data } = await installation()
  const target = join(folder, 'backups')
  expect((await run('backup', target, '--data-dir', data)).stdout).toContain('copied all of them')
  const manifest = JSON.parse(await readFile(manifestIn(target), 'utf8')) as object
  const newer = JSON.stringify({ ...manifest, format: 3, encryption: 'none' })
  await writeFile(manifestIn(target), newer)
  await mkdir(`${heldIn(target)}.earlier`)
  for (const args of [
    ['backup', target, '--data-dir', data],
    ['restore', target, '--verify'],
  ]) {
    const { code, stderr } = await run(...args)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/BACKUP_INVALID: .* is of a newer release/)])
  }
  expect(await readFile(manifestIn(target), 'utf8')).toBe(newer)
  expect((await readdir(target)).sort()).toEqual(['holdshort-backup', 'holdshort-backup.earlier', 'locks'])
})

test.runIf(process.platform === 'linux')('names a target that cannot be made or written', async () => {
  const { folder, data } = await installation()
  const target = join(folder, 'backups')
  for (const place of ['/proc/nope', '/proc/nope/deeper']) {
    const { code, stderr } = await run('backup', place, '--data-dir', data)
    expect([code, stderr]).toEqual([1, expect.stringMatching(`^DATA_FOLDER_UNUSABLE: ${place} cannot be used`)])
  }
  if (!mountSmallDisk(target, 1_000_000)) return
  const full = await run('backup', target, '--data-dir', data)
  expect([full.code, full.stderr]).toEqual([
    1,
    expect.stringMatching(/DISK_FULL: .*\/backups\/holdshort-backup\.draft/),
  ])
  const sealed = join(folder, 'sealed')
  mountSmallDisk(sealed, 1_000_000, 'ro')
  const readOnly = await run('backup', sealed, '--data-dir', data)
  expect([readOnly.code, readOnly.stderr]).toEqual([
    1,
    expect.stringMatching(/DATA_FOLDER_UNUSABLE: .*\/sealed cannot be used: the file system is read-only/),
  ])
})

test('an unfinished backup is replaced, and one that was killed on the way to its place is put there', async () => {
  const { folder, data } = await installation()
  const target = join(folder, 'backups')
  const [draft, earlier] = [`${heldIn(target)}.draft`, `${heldIn(target)}.earlier`]
  await mkdir(join(draft, 'warehouse'), { recursive: true })
  await mkdir(join(target, 'locks'))
  await writeFile(join(draft, 'warehouse', 'warehouse.duckdb.4711.tmp'), 'half')
  expect((await run('restore', target, '--verify')).stderr).toContain('holds no complete backup')
  expect((await run('backup', target, '--data-dir', data)).code).toBe(0)
  expect((await readdir(target)).sort()).toEqual(['holdshort-backup', 'locks'])
  // Killed between the two renames: both are whole, and the newer one counts.
  await cp(heldIn(target), draft, { recursive: true })
  await rename(heldIn(target), earlier)
  await writeFile(join(earlier, 'world.json'), 'damaged')
  expect((await run('restore', target, '--verify')).code).toBe(0)
  // The next one fails; the newer one has its place.
  await truncate(dataPaths(data).warehouse_file, 5_000)
  expect((await run('backup', target, '--data-dir', data)).code).toBe(1)
  expect((await readdir(target)).sort()).toEqual(['holdshort-backup', 'locks'])
  expect((await run('restore', target, '--verify')).code).toBe(0)
})

test('a second backup at the same time is refused, and names the first', async () => {
  const { folder, data } = await installation()
  const target = join(folder, 'backups')
  await using _running = await openBackupFolder(target, { installation: null, data_dir: data })
  const { code, stderr } = await run('backup', target, '--data-dir', data)
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^CONFLICT: .* is used by "holdshort/m)])
})

test('a second restore into a folder at the same time is refused, and leaves no trace there', async () => {
  const { folder, data } = await installation()
  const [target, restored] = [join(folder, 'backups'), join(folder, 'restored')]
  await json('backup', target, '--data-dir', data, '--json')
  await using _first = await holdDataFolder(restored)
  const second = restoreBackup(await openBackup(target, null), restored, () => undefined)
  await expect(second).rejects.toMatchObject({ code: 'DATA_FOLDER_IN_USE' })
  expect(await readdir(restored)).toEqual(['locks'])
})

test.runIf(EXHAUSTIVE)('a disk that becomes full leaves the earlier backup whole, and no draft', async ({ skip }) => {
  const { folder, data } = await installation()
  const target = join(folder, 'backups')
  if (!mountSmallDisk(target, 16_000_000)) return skip('file systems cannot be mounted')
  await json('backup', target, '--data-dir', data, '--json')
  await writeFile(join(target, 'filler'), Buffer.alloc(8_000_000, 1))
  const model = join(dataPaths(data).models, 'security', 'JFK', 'JFK@2026-11-20T00Z', 'weights.bin')
  await writeFile(model, Buffer.alloc(16_000_000, 1))
  const { code, stderr } = await run('backup', target, '--data-dir', data)
  expect([code, stderr]).toEqual([1, expect.stringContaining('DISK_FULL')])
  expect((await readdir(target)).sort()).toEqual(['filler', 'holdshort-backup', 'locks'])
  expect((await run('restore', target, '--verify')).code).toBe(0)
})

test('refuses targets that are not its own, and says what to name instead', async () => {
  const { folder, data, valid } = await installation()
  expect(valid).toMatch(/^hs_/)
  const backups = join(folder, 'backups')
  await json('backup', backups, '--data-dir', data, '--json')
  await mkdir(join(folder, 'photos'))
  await writeFile(join(folder, 'photos', 'cat.jpg'), 'a cat')
  await writeFile(join(folder, 'photos', 'manifest.json'), '{}')
  await writeFile(join(folder, 'backup.tar'), 'of somebody else')
  // A copy that somebody made by hand.
  // A log of the state may go while it is copied.
  await cp(data, heldIn(join(folder, 'copies')), { recursive: true, filter: (path) => !/-(wal|shm)$/.test(path) })
  const other = join(folder, 'other')
  await (await openState({ data_dir: other })).close()
  const old = join(folder, 'old')
  await mkdir(old)
  await writeFile(join(old, 'holdshort-backup.json'), '{"format":1,"installation":null}')
  const link = join(folder, 'link')
  await symlink(data, link)
  const refused: [string[], RegExp][] = [
    [['backup', join(data, 'backups'), '--data-dir', data], /lies in the data folder/],
    [['backup', join(link, 'backups'), '--data-dir', data], /lies in the data folder/],
    [['export', join(link, 'export'), '--data-dir', data], /lies in the data folder/],
    [['export', join(link, 'open-data'), '--own-use', '--data-dir', data], /--own-use: needs a folder of its own/],
    [['backup', data, '--data-dir', data], /lies in the data folder/],
    [['backup', folder, '--data-dir', data], /holds the data folder/],
    [['backup', join(folder, 'copies'), '--data-dir', data], /holds no backup \(holdshort-backup\)/],
    [['backup', join(folder, 'photos'), '--data-dir', data], /not empty and holds no backup/],
    [['backup', join(folder, 'photos', 'cat.jpg'), '--data-dir', data], /is a file/],
    [['backup', join(folder, 'backup.tar'), '--data-dir', data], /is the name of an archive/],
    [['backup', join(folder, 'a?b', 'backup'), '--data-dir', data], /has a question mark in its path/],
    [['restore', backups, '--data-dir', join(backups, 'data')], /lies in the backup/],
    [['backup', 's3://bucket/backups', '--data-dir', data], /restic/],
    [['backup', backups, '--data-dir', other], /another installation/],
    [['backup', backups, '--keep', '7', '--data-dir', data], /--keep: a folder holds one backup/],
    [['backup', old, '--data-dir', data], /backups of release 0\.1\.0/],
    [['restore', backups, '--generation', '1', '--data-dir', other], /--generation: .* holds one backup/],
    [['backup', join(folder, 'new'), '--data-dir', join(folder, 'photos')], /holds nothing/],
    [['restore', backups, '--data-dir', data], /not empty/],
    [['restore', backups, '--data-dir', join(folder, 'photos')], /not empty/],
    [['restore', join(folder, 'nowhere'), '--data-dir', join(folder, 'new')], /does not exist/],
  ]
  const before = await readdir(folder, { recursive: true })
  const file = join(folder, 'backup.tar')
  await symlink(join(folder, 'nowhere'), join(folder, 'dangling'))
  for (const place of [
    file,
    join(file, 'x'),
    join(file, 'x', 'y'),
    join(folder, 'dangling'),
    '/proc/nope',
    '/dev/null',
  ]) {
    const { code, stderr } = await run('restore', backups, '--data-dir', place)
    expect([place, code, stderr]).toEqual([place, 1, expect.stringMatching(/^DATA_FOLDER_UNUSABLE: /m)])
  }
  for (const [args, reason] of refused) {
    const { code, stderr } = await run(...args)
    expect([args.slice(0, 2), code, stderr.replaceAll('\n', ' ')]).toEqual([
      args.slice(0, 2),
      2,
      expect.stringMatching(reason),
    ])
  }
  const left = new Set(before)
  expect(
    (await readdir(folder, { recursive: true })).filter(
      (path) => !left.has(path) && !/locks|scratch|dangling|warehouse/.test(path),
    ),
  ).toEqual([])
})

test.runIf(EXHAUSTIVE)(
  'says that accounts on PostgreSQL are not in the backup, and that a pepper of the settings is not',
  async () => {
    const { folder, data } = await installation()
    process.env['DATABASE_URL'] = 'postgresql://nowhere.example/holdshort'
    process.env['HOLDSHORT_KEY_PEPPER'] = 'a pepper of the settings'
    try {
      const target = join(folder, 'backups')
      const plain = await run('backup', target, '--data-dir', data)
      expect([plain.code, plain.stderr]).toEqual([1, expect.stringContaining('pg_dump')])
      expect(plain.stderr).toContain('HOLDSHORT_KEY_PEPPER')
      expect((await run('backup', target, '--without-database', '--data-dir', data)).code).toBe(0)
      // Without a state the data folder says whose a backup is.
      const other = join(folder, 'other')
      await cp(data, other, { recursive: true })
      expect((await run('backup', target, '--data-dir', other)).stderr).toContain('another installation')
      const restored = await run('restore', target, '--data-dir', join(folder, 'restored'))
      expect([restored.code, restored.stderr]).toEqual([0, expect.stringContaining('pg_dump')])
      expect(await readdir(join(folder, 'restored'))).not.toContain('state.sqlite')
    } finally {
      delete process.env['DATABASE_URL']
      delete process.env['HOLDSHORT_KEY_PEPPER']
    }
  },
)

test.runIf(EXHAUSTIVE)('a restore that was interrupted is refused by every command and can be repeated', async () => {
  const { folder, data } = await installation()
  const backups = join(folder, 'backups')
  await json('backup', backups, '--data-dir', data, '--json')
  const restored = join(folder, 'restored')
  await json('restore', backups, '--data-dir', restored, '--json')
  const whole = await filesOf(restored)
  await writeFile(dataPaths(restored).unfinished_restore, '{')
  await truncate(dataPaths(restored).state, 5_000)
  for (const command of ['keys list', 'start', 'query SELECT', 'run rollup', `backup ${folder}/x`]) {
    const { code, stderr } = await run(...command.split(' '), '--data-dir', restored)
    expect([command, code, stderr]).toEqual([command, 1, expect.stringContaining('RESTORE_UNFINISHED')])
  }
  expect((await run('doctor', '--data-dir', restored)).stdout).toContain('a backup was not restored completely')
  await json('restore', backups, '--data-dir', restored, '--json')
  expect(await filesOf(restored)).toEqual(whole)
  expect((await stateRows(restored))['keys']?.length).toBe(3)
})

test('the first folder of a new disk, which has a folder lost+found, is an empty one', async () => {
  const folder = await temporaryFolder()
  const [data, target, restored] = ['data', 'target', 'restored'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  await run('keys', 'issue', '--tier', 'free', '--data-dir', data)
  for (const disk of [target, restored]) await mkdir(join(disk, 'lost+found'), { recursive: true })
  expect((await run('backup', target, '--data-dir', data)).code).toBe(0)
  expect((await run('query', 'SELECT 1', '--data-dir', restored)).stderr).toContain('is empty')
  expect((await run('restore', target, '--data-dir', restored)).code).toBe(0)
  expect(await readdir(restored)).toContain('state.sqlite')
})
