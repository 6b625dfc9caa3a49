import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { LocalGate } from '../../api/data/gate/local-gate.ts'
import { openState } from '../../api/state/open.ts'
import { openBucketRepository } from '../../bin/backup/bucket-repository.ts'
import type { Contents, SourceFile } from '../../bin/backup/contents.ts'
import { verifyBucketBackup } from '../../bin/backup/restore.ts'
import { readSettings } from '../../config/settings.ts'
import type { ObjectStore } from '../../warehouse/objects/object-store.ts'
import { openS3 } from '../../warehouse/objects/s3.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { readings } from '../../warehouse/tables/readings.ts'
import { NOW } from '../api/example-snapshot.ts'
import { json, run } from '../end-to-end/commands.ts'
import { CLI } from '../end-to-end/installation.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { BUCKET, startS3, storeEnvironment } from '../store/s3-server.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { memoryStore } from '../warehouse/objects/memory-store.ts'
import { reading } from '../warehouse/test-rows.ts'
import { createInstallation, filesOf, readingRows, stateRows } from './full-installation.ts'

const ABOUT = { started_at: '2026-11-20T12:00:00.000Z', version: '0.0.0', data_dir: '/data' }
const INSTALLATION = '6c2fb83e-0d53-4c2f-9c3a-2a4c6a1a7c11'

/** Contents of a backup: files that are named by their text. */
async function contentsOf(folder: string, ...texts: string[]): Promise<Contents> {
  const files = texts.map(async (text): Promise<SourceFile> => {
    const source = join(folder, text)
    await writeFile(source, text)
    return { path: `models/${text}`, source, bytes: text.length, mode: 0o600, modified_ms: 1, isFixed: true }
  })
  return { files: await Promise.all(files), unreadable: [], state: 'none', pepper: 'none', installation: INSTALLATION }
}

async function backUp(store: ObjectStore, contents: Contents, keep = 7) {
  const repository = await openBucketRepository(store)
  try {
    return await repository.write(contents, ABOUT, keep, () => undefined)
  } finally {
    await repository.release()
  }
}

const pathsIn = async (store: ObjectStore, generation: number | null = null) =>
  (await verifyBucketBackup(store, generation, () => undefined)).manifest.files.map(({ path }) => path)

test('a bucket keeps the newest backups, each content once, and only what they need', async () => {
  const folder = await temporaryFolder()
  const store = memoryStore()
  expect(await backUp(store, await contentsOf(folder, 'a', 'b'))).toMatchObject({ generation: 1, copied_files: 2 })
  expect(await backUp(store, await contentsOf(folder, 'a', 'b'))).toMatchObject({ generation: 2, copied_files: 0 })
  expect(await backUp(store, await contentsOf(folder, 'b', 'c'), 2)).toMatchObject({ generation: 3, copied_files: 1 })
  expect(await pathsIn(store, 2)).toEqual(['models/a', 'models/b'])
  expect(await pathsIn(store)).toEqual(['models/b', 'models/c'])
  await expect(pathsIn(store, 1)).rejects.toMatchObject({ code: 'BACKUP_INVALID' })
  await backUp(store, await contentsOf(folder, 'c'), 1)
  expect([...store.objects.keys()].filter((key) => key.startsWith('objects/'))).toHaveLength(1)
  await expect(backUp(store, { ...(await contentsOf(folder, 'c')), installation: 'another' })).rejects.toThrow(
    /another installation/,
  )
  const [object] = [...store.objects].filter(([key]) => key.startsWith('objects/'))
  if (object) object[1].bytes = Buffer.from('other')
  await expect(pathsIn(store)).rejects.toMatchObject({ code: 'BACKUP_INVALID' })
})

test('a backup that was overtaken while it was frozen is not kept, and harms none', async () => {
  const folder = await temporaryFolder()
  const store = memoryStore()
  await backUp(store, await contentsOf(folder, 'a'))
  const slow = await contentsOf(folder, 'a', 'slow')
  let isOvertaken = false
  const overtaking = Object.assign({}, store, {
    putIf: async (...args: Parameters<ObjectStore['putIf']>) => {
      if (args[0] === 'backups.json' && !isOvertaken) {
        isOvertaken = true
        // As after the expiry of its lead: nobody holds the bucket any more.
        store.objects.delete('lead.json')
        await backUp(store, await contentsOf(folder, 'b'), 1)
      }
      return store.putIf(...args)
    },
  })
  await expect(backUp(overtaking, slow)).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await pathsIn(store)).toEqual(['models/b'])
})

async function useBucket(prefix: string) {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 's3'))
  const server = await startS3(join(folder, 's3'))
  onTestFinished(server.close)
  const { HOLDSHORT_STORE: address = '', ...aws } = storeEnvironment(server.url, prefix)
  for (const [name, value] of Object.entries(aws)) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  return { folder, address, aws, store: openS3(readSettings(aws), address) }
}

test.runIf(EXHAUSTIVE)(
  'a backup in a bucket restores every row, file and mode, and the keys that were valid',
  async () => {
    const { folder, address, store } = await useBucket('backups')
    const { data, valid } = await createInstallation(join(folder, 'data'))
    const backup = () => json<{ copied_files: number }>('backup', address, '--data-dir', data, '--json')
    expect((await backup()).copied_files).toBeGreaterThan(10)
    expect((await backup()).copied_files).toBe(0)
    const warehouse = await openWarehouse(data)
    await warehouse.land(readings, [reading({ checkpoint: 'new' })])
    await warehouse.close()
    expect((await backup()).copied_files).toBe(1)

    const restored = join(folder, 'restored')
    await json('restore', address, '--data-dir', restored, '--json')
    const live = Object.entries(await filesOf(data)).filter(([path]) => !/\/p-0000000[1-4]-/.test(path))
    expect(await filesOf(restored)).toEqual(Object.fromEntries(live))
    expect(await stateRows(restored)).toEqual(await stateRows(data))
    expect(await readingRows(restored)).toEqual(await readingRows(data))
    const state = await openState({ data_dir: restored })
    expect((await new LocalGate(state).admit(valid, NOW, true)).refusal).toBeNull()
    await state.close()
    const earlier = join(folder, 'earlier')
    await json('restore', address, '--generation', '2', '--data-dir', earlier, '--json')
    expect((await readingRows(earlier)).length).toBe(9)

    // A content that was changed is found before anything is restored.
    const [{ key } = { key: '' }] = await store.list('objects/')
    await store.put(key, Buffer.from('other'))
    const verified = await run('restore', address, '--verify')
    expect([verified.code, verified.stderr]).toEqual([1, expect.stringContaining('BACKUP_INVALID')])
  },
)

test.runIf(EXHAUSTIVE)('buckets that are no place for backups are refused, and stay as they are', async () => {
  const { folder, address, aws } = await useBucket('backups')
  const { data } = await createInstallation(join(folder, 'data'))
  const live = `s3://${BUCKET}/live`
  await json('store', 'move', '--to', live, '--data-dir', data, '--json')
  const before = await openS3(readSettings(aws), live).list('')
  const attempt = async (target: string, more: Record<string, string> = {}) => {
    for (const [name, value] of Object.entries(more)) vi.stubEnv(name, value)
    const { code, stderr } = await run('backup', target, '--data-dir', data)
    return [code, stderr.replaceAll('\n', ' ')]
  }
  expect(await attempt(live)).toEqual([2, expect.stringContaining('an installation lives in')])
  expect(await attempt(`${live}/backups`, { HOLDSHORT_STORE: live })).toEqual([2, expect.stringContaining('lie in')])
  expect(await attempt(`s3://${BUCKET}`, { HOLDSHORT_STORE: live })).toEqual([2, expect.stringContaining('lie in')])
  expect(await attempt('s3://no-such-bucket/x')).toEqual([1, expect.stringContaining('STORE_REFUSED')])
  expect(await openS3(readSettings(aws), live).list('')).toEqual(before)
  const nothing = await run('restore', `${address}/nothing`, '--data-dir', join(folder, 'restored'))
  expect([nothing.code, nothing.stderr]).toEqual([1, expect.stringContaining('holds no installation')])
})

test.runIf(EXHAUSTIVE)(
  'backups into a bucket that are killed leave the earlier ones whole, and the next one finishes the work',
  async () => {
    const { folder, address, aws } = await useBucket('killed')
    const { data } = await createInstallation(join(folder, 'data'))
    await mkdir(join(data, 'models', 'security', 'JFK', 'JFK@2026-11-21T00Z'), { recursive: true })
    await json('backup', address, '--data-dir', data, '--json')
    for (const ms of [700, 1_100, 1_500]) {
      for (let file = 0; file < 40; file += 1)
        await writeFile(
          join(data, 'models', 'security', 'JFK', 'JFK@2026-11-21T00Z', `${ms}-${file}.bin`),
          `${ms} ${file}`,
        )
      const child = spawn(process.execPath, [CLI, 'backup', address, '--data-dir', data], {
        env: Object.assign({}, process.env, aws),
        stdio: 'ignore',
      })
      const ended = once(child, 'exit')
      await Promise.race([ended, sleep(ms)])
      child.kill('SIGKILL')
      await ended
      expect((await run('restore', address, '--verify')).code).toBe(0)
    }
    await json('backup', address, '--data-dir', data, '--json')
    const restored = join(folder, 'restored')
    await json('restore', address, '--data-dir', restored, '--json')
    expect(
      await readFile(join(restored, 'models', 'security', 'JFK', 'JFK@2026-11-21T00Z', '1500-39.bin'), 'utf8'),
    ).toBe('1500 39')
  },
  120_000,
)
