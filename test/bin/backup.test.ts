import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
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
import { dataPaths } from '../../config/settings.ts'
import { writeSnapshot } from '../../warehouse/publishing/snapshot/write.ts'
import { writeCapture } from '../../warehouse/storage/raw-captures.ts'
import { checkSimulatedMark } from '../../warehouse/storage/simulated-mark.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { readings } from '../../warehouse/tables/readings.ts'
import { insertFullAccount } from '../accounts/privacy/full-account.ts'
import { NOW } from '../api/example-snapshot.ts'
import { json, run } from '../end-to-end/commands.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'
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

interface BackupReport {
  generation: number
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

test('a backup restores every row, file and mode, and the keys that were valid', async () => {
  const { folder, data, valid, revoked } = await installation()
  const target = join(folder, 'backups')
  await json('backup', target, '--data-dir', data, '--json')
  const restored = join(folder, 'restored')
  await json('restore', target, '--data-dir', restored, '--json')

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

test.runIf(EXHAUSTIVE)(
  'copies only what changed, keeps the newest backups, and touches no file of others',
  async () => {
    const { folder, data } = await installation()
    const target = join(folder, 'backups')
    const backUp = () => json<BackupReport>('backup', target, '--keep', '2', '--data-dir', data, '--json')
    const first = await backUp()
    expect(first).toMatchObject({ generation: 1, damaged: [] })
    // Equal contents are stored once.
    expect(first.copied_files).toBeGreaterThan(first.files / 2)
    await writeFile(join(target, 'notes.txt'), 'of somebody else')
    await writeFile(join(target, 'objects', 'notes.txt'), 'of somebody else')
    // The copy of the warehouse is made anew each time.
    expect((await backUp()).copied_files).toBeLessThanOrEqual(1)
    const warehouse = await openWarehouse(data)
    await warehouse.land(readings, [reading({ checkpoint: 'new' })])
    await warehouse.close()
    expect(await backUp()).toMatchObject({ generation: 3, copied_files: 1 })
    expect((await readdir(join(target, 'generations'))).map((name) => name.slice(0, 8)).sort()).toEqual([
      '00000002',
      '00000003',
    ])
    for (const path of ['notes.txt', 'objects/notes.txt'])
      expect(await readFile(join(target, path), 'utf8')).toBe('of somebody else')
    const earlier = join(folder, 'earlier')
    await json('restore', target, '--generation', '2', '--data-dir', earlier, '--json')
    expect((await readingRows(earlier)).length).toBe(9)
    const newest = join(folder, 'newest')
    await json('restore', target, '--data-dir', newest, '--json')
    expect((await readingRows(newest)).length).toBe(10)
  },
)

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
  const objects = await readdir(join(target, 'objects'), { recursive: true, withFileTypes: true })
  const paths = objects.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size))
  const object = paths[sizes.findIndex((size) => size > 0)] ?? ''
  const content = await readFile(object)
  const flipped = Buffer.from(content)
  flipped[0]! ^= 1
  await writeFile(object, flipped)
  expect(await attempt(target)).toEqual([1, 'BACKUP_INVALID'])
  await writeFile(object, content)
  const [manifest = ''] = await readdir(join(target, 'generations'))
  const text = await readFile(join(target, 'generations', manifest), 'utf8')
  await writeFile(join(target, 'generations', manifest), text.replace('world.json', '../../evil'))
  expect(await attempt(target)).toEqual([1, 'BACKUP_INVALID'])
  await writeFile(join(target, 'generations', manifest), text)
  expect((await run('restore', target, '--data-dir', restored)).code).toBe(0)
})

const digestName = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)

test('what is no ordinary file among the objects of a backup is refused, and not read', async () => {
  const { folder, data } = await installation()
  const target = join(folder, 'backups')
  await json('backup', target, '--data-dir', data, '--json')
  const objects = await readdir(join(target, 'objects'), { recursive: true, withFileTypes: true })
  const [path = ''] = objects.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
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
  const [manifest = ''] = await readdir(join(target, 'generations'))
  await rm(join(target, 'generations', manifest))
  execFileSync('mkfifo', [join(target, 'generations', manifest)])
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
  const [name = ''] = await readdir(join(target, 'generations'))
  const text = await readFile(join(target, 'generations', name), 'utf8')
  await rm(join(target, 'generations', name))
  const manifest = JSON.parse(text) as { files: { path: string }[] }
  const [file] = manifest.files
  for (const [path, reason] of [
    [file!.path, /twice/],
    [`${file!.path}/inner`, /as a file and as a folder/],
  ] as const) {
    const changed = JSON.stringify({ ...manifest, files: [...manifest.files, { ...file, path }] })
    const place = join(target, 'generations', `00000001-${digestName(changed)}.json`)
    await writeFile(place, changed)
    const { code, stderr } = await run('restore', target, '--verify')
    expect([code, stderr]).toEqual([1, expect.stringMatching(reason)])
    await rm(place)
  }
})

test('a folder whose first backup was killed, or is being made, is a folder of backups', async () => {
  const { folder, data } = await installation()
  const target = join(folder, 'backups')
  await mkdir(join(target, 'drafts'), { recursive: true })
  await mkdir(join(target, 'locks'))
  await writeFile(join(target, 'drafts', 'novel.txt'), 'mine')
  const refused = await run('backup', target, '--data-dir', data)
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('holds no backup (drafts)')])
  await rm(join(target, 'drafts', 'novel.txt'))
  await writeFile(join(target, 'drafts', 'state'), 'half a state')
  expect((await json<BackupReport>('backup', target, '--data-dir', data, '--json')).generation).toBe(1)
  expect((await run('restore', target, '--verify')).code).toBe(0)
})

test('refuses targets that are not its own, and says what to name instead', async () => {
  const { folder, data, valid } = await installation()
  expect(valid).toMatch(/^hs_/)
  const backups = join(folder, 'backups')
  await json('backup', backups, '--data-dir', data, '--json')
  await mkdir(join(folder, 'photos'))
  await writeFile(join(folder, 'photos', 'cat.jpg'), 'a cat')
  await writeFile(join(folder, 'backup.tar'), 'of somebody else')
  const other = join(folder, 'other')
  await (await openState({ data_dir: other })).close()
  const refused: [string[], RegExp][] = [
    [['backup', join(data, 'backups'), '--data-dir', data], /lies in the data folder/],
    [['backup', data, '--data-dir', data], /lies in the data folder/],
    [['backup', join(folder, 'photos'), '--data-dir', data], /not empty and holds no backup/],
    [['backup', join(folder, 'photos', 'cat.jpg'), '--data-dir', data], /is a file/],
    [['backup', join(folder, 'backup.tar'), '--data-dir', data], /is the name of an archive/],
    [['backup', 's3://bucket/backups', '--data-dir', data], /restic/],
    [['backup', backups, '--data-dir', other], /another installation/],
    [['backup', backups, '--keep', '0', '--data-dir', data], /--keep/],
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
  await json('restore', backups, '--data-dir', restored, '--json')
  expect(await filesOf(restored)).toEqual(whole)
  expect((await stateRows(restored))['keys']?.length).toBe(3)
})
