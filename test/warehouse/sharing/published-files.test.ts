import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS } from '../../../config/vocabulary.ts'
import { catalogUrl, createCatalogDatabase } from '../../../warehouse/coordination/catalog-database.ts'
import { openPointers } from '../../../warehouse/coordination/pointers.ts'
import { takeTurn } from '../../../warehouse/coordination/turns.ts'
import { openS3 } from '../../../warehouse/objects/s3.ts'
import { fetchModels, openModelPublisher, openModelsOfLeader } from '../../../warehouse/sharing/models.ts'
import { markOwnBucket, requireOwnBucket } from '../../../warehouse/sharing/own-bucket.ts'
import {
  fetchContent,
  findDamagedFiles,
  publishFiles,
  readPublished,
  sweepContents,
} from '../../../warehouse/sharing/published-files.ts'
import { repetitions } from '../../exhaustive.ts'
import { PARTS_MISSING, type SharedStores, startSharedStores } from '../../shared-store/installation.ts'
import { memorySharing } from '../../shared-store/memory-sharing.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const file = (path: string, text: string) => ({ path, read: async () => Buffer.from(text) })
const publishTexts = (
  sharing: ReturnType<typeof memorySharing>,
  epoch: number,
  id: string,
  texts: Record<string, string>,
) =>
  publishFiles(sharing, 'snapshot', epoch, {
    id,
    files: Object.entries(texts).map(([path, text]) => file(path, text)),
    is_compressed: true,
  })

test('uploads only contents that are not published yet, and refuses an earlier leader', async () => {
  const sharing = memorySharing()
  expect(await publishTexts(sharing, 2, 'one', { a: 'first', b: 'second' })).toBeGreaterThan(0)
  expect(await publishTexts(sharing, 2, 'two', { a: 'first', b: 'second' })).toBe(0)
  await expect(publishTexts(sharing, 1, 'three', { a: 'third' })).rejects.toMatchObject({ code: 'WRITE_FENCED' })
  const published = await readPublished(sharing, 'snapshot')
  if (published === null) throw new Error('nothing is published')
  expect(published.id).toBe('two')
  expect(Buffer.from(await fetchContent(sharing, published.files['a']!)).toString()).toBe('first')
})

test('a content that is not what was published is refused', async () => {
  const sharing = memorySharing()
  await publishTexts(sharing, 1, 'one', { a: 'first' })
  for (const object of sharing.objects.values()) object.bytes = Buffer.from('other')
  const published = await readPublished(sharing, 'snapshot')
  if (published === null) throw new Error('nothing is published')
  const refusal = await fetchContent(sharing, published.files['a']!).catch((error) => error)
  expect(refusal.code).toBe('STORE_DAMAGED')
  const [key] = /objects\/[^ ]*/.exec(refusal.message) ?? []
  expect(refusal.message).toContain('is not what was written; delete it')
  await sharing.store.delete(key!)
  await publishTexts(sharing, 1, 'two', { a: 'first' })
  expect(Buffer.from(await fetchContent(sharing, published.files['a']!)).toString()).toBe('first')
})

test('finds the published files that the bucket lost or that were altered, under every name', async () => {
  const sharing = memorySharing()
  await publishTexts(sharing, 1, 'one', { a: 'first', b: 'second' })
  expect(await findDamagedFiles(sharing)).toEqual({ files: 2, lost: [], altered: [] })
  const { files } = (await readPublished(sharing, 'snapshot'))!
  const [lost] = [...sharing.objects.keys()].filter((key) => key.includes(files['b']!.sha256))
  await sharing.store.delete(lost!)
  const [altered] = [...sharing.objects].filter(([key]) => key.includes(files['a']!.sha256))
  altered![1].bytes = altered![1].bytes.with(3, altered![1].bytes[3]! ^ 1)
  const found = { lost: [{ name: 'snapshot', path: 'b', key: lost }], altered: [{ path: 'a', key: altered![0] }] }
  expect(await findDamagedFiles(sharing)).toMatchObject({ files: 2, ...found })
})

test('uploads a content again that the bucket lost, although it has not changed', async () => {
  const sharing = memorySharing()
  await publishTexts(sharing, 1, 'one', { a: 'same', b: 'first' })
  const { files } = (await readPublished(sharing, 'snapshot'))!
  const [lost] = [...sharing.objects.keys()].filter((key) => key.includes(files['a']!.sha256))
  await sharing.store.delete(lost!)
  await expect(fetchContent(sharing, files['a']!)).rejects.toThrow(/is missing; the next publication uploads it again/)
  await publishTexts(sharing, 1, 'two', { a: 'same', b: 'second' })
  expect(Buffer.from(await fetchContent(sharing, files['a']!)).toString()).toBe('same')
})

test('deletes contents that nothing has named for a week, not those of the published version or the one before', async () => {
  const sharing = memorySharing()
  for (const text of ['one', 'two', 'three']) await publishTexts(sharing, 1, text, { a: text })
  expect(await sweepContents(sharing, Date.now() + 6 * DAY_MS)).toBe(0)
  expect(await sweepContents(sharing, Date.now() + 8 * DAY_MS)).toBe(1)
  expect(sharing.objects.size).toBe(2)
})

test('makes the models of a folder those that are published', async () => {
  const sharing = memorySharing()
  const [from, to] = [await temporaryFolder(), await temporaryFolder()]
  for (const folder of [from, to]) await mkdir(join(folder, 'models', 'security', 'JFK'), { recursive: true })
  await writeFile(join(from, 'models', 'security', 'JFK', 'net.json'), 'weights')
  await writeFile(join(from, 'models', 'registry.json'), '{}')
  await writeFile(join(to, 'models', 'security', 'JFK', 'older.json'), 'older')
  await fetchModels(sharing, to)
  expect(await readFile(join(to, 'models', 'security', 'JFK', 'older.json'), 'utf8')).toBe('older')
  const publish = openModelPublisher(sharing, from)
  await publish(1)
  await fetchModels(sharing, to)
  expect(await readFile(join(to, 'models', 'security', 'JFK', 'net.json'), 'utf8')).toBe('weights')
  await expect(readFile(join(to, 'models', 'security', 'JFK', 'older.json'))).rejects.toThrow('ENOENT')
  await rm(join(from, 'models', 'registry.json'))
  await publish(1)
  await fetchModels(sharing, to)
  await expect(readFile(join(to, 'models', 'registry.json'))).rejects.toThrow('ENOENT')
})

test('a leader that could not fetch the published models does not replace them by those of its folder', async () => {
  const sharing = memorySharing()
  const [former, next] = [await temporaryFolder(), await temporaryFolder()]
  for (const folder of [former, next]) await mkdir(join(folder, 'models'), { recursive: true })
  await writeFile(join(former, 'models', 'net.json'), 'of today')
  await openModelPublisher(sharing, former)(1)
  await writeFile(join(next, 'models', 'old.json'), 'of last month')
  const models = openModelsOfLeader(sharing, next)
  sharing.isAway = true
  await expect(models.fetchPublished()).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' })
  sharing.isAway = false
  await models.publish(2)
  expect(Object.keys((await readPublished(sharing, 'models'))!.files)).toEqual(['net.json'])
  expect(await readFile(join(next, 'models', 'net.json'), 'utf8')).toBe('of today')
})

test('a model that the bucket lost keeps no other one back, and a folder that has it publishes it again', async () => {
  const sharing = memorySharing()
  const [former, next] = [await temporaryFolder(), await temporaryFolder()]
  await mkdir(join(former, 'models'), { recursive: true })
  for (const name of ['a', 'b', 'c']) await writeFile(join(former, 'models', name), name)
  await openModelPublisher(sharing, former)(1)
  const { files } = (await readPublished(sharing, 'models'))!
  const lostKey = [...sharing.objects.keys()].find((key) => key.includes(files['b']!.sha256))!
  await sharing.store.delete(lostKey)
  expect((await fetchModels(sharing, next)).map(({ code }) => code)).toEqual(['STORE_DAMAGED'])
  for (const name of ['a', 'c']) expect(await readFile(join(next, 'models', name), 'utf8')).toBe(name)
  const models = openModelsOfLeader(sharing, former)
  expect(await models.fetchPublished()).toEqual([])
  await models.publish(2)
  expect(await fetchModels(sharing, next)).toEqual([])
  expect(await readFile(join(next, 'models', 'b'), 'utf8')).toBe('b')
})

describe.skipIf(PARTS_MISSING !== null)(`with PostgreSQL and S3 ${PARTS_MISSING ?? ''}`, () => {
  let stores: SharedStores
  beforeAll(async () => {
    stores = await startSharedStores()
  })
  afterAll(() => stores?.remove())

  test('stores, lists and deletes objects of a prefix, in the exhaustive run more than one page of them', async () => {
    const store = openS3(stores.settings('/nowhere', 'objects'))
    expect(await store.get('a/none')).toBeNull()
    const keys = Array.from({ length: repetitions(60, 1_010) }, (_, index) => `a/${index}`)
    for (let index = 0; index < keys.length; index += 50)
      await Promise.all(keys.slice(index, index + 50).map((key) => store.put(key, Buffer.from(key))))
    await store.put('b/é ü+%', Buffer.from('odd'))
    expect((await store.list('a/')).map(({ key }) => key).sort()).toEqual([...keys].sort())
    expect(Buffer.from((await store.get('b/é ü+%'))!).toString()).toBe('odd')
    await store.delete('b/é ü+%')
    await store.delete('b/é ü+%')
    expect(await store.list('b/')).toEqual([])
    const wrong = openS3(Object.assign(stores.settings('/nowhere'), { aws_secret_access_key: 'wrong' }))
    await expect(wrong.put('x', Buffer.from(''))).rejects.toMatchObject({ code: 'STORE_REFUSED' })
  })

  test('a second installation is refused at the bucket of another one, until its mark is deleted', async () => {
    const [first, second] = ['owner', 'intruder'].map((prefix) => catalogUrl(stores.settings('/nowhere', prefix)))
    for (const url of [first!, second!]) await createCatalogDatabase(url)
    const store = openS3(stores.settings('/nowhere', 'owner'))
    await markOwnBucket({ store }, first!)
    await markOwnBucket({ store }, first!)
    const refusal = await markOwnBucket({ store }, second!).catch((error) => error)
    expect(refusal).toMatchObject({ code: 'STORE_REFUSED' })
    expect(refusal.message).toContain('name another prefix in HOLDSHORT_STORE')
    await createCatalogDatabase(first!)
    await requireOwnBucket({ store }, first!)
    await expect(requireOwnBucket({ store }, second!)).rejects.toMatchObject({ code: 'STORE_REFUSED' })
    await store.delete('installation.txt')
    await markOwnBucket({ store }, second!)
    await expect(requireOwnBucket({ store }, first!)).rejects.toMatchObject({ code: 'STORE_REFUSED' })
  })

  test('a former leader publishes nothing once the next one has begun', async () => {
    const settings = stores.settings('/nowhere', 'pointers')
    const url = catalogUrl(settings)
    await createCatalogDatabase(url)
    const pointers = openPointers(url)
    const first = await takeTurn(url, 'lead', { purpose: 'first', wait_ms: 100 })
    await pointers.write('snapshot', first!.epoch, { id: 'one' })
    await first!.release()
    const second = await takeTurn(url, 'lead', { purpose: 'second', wait_ms: 100 })
    await expect(pointers.write('snapshot', first!.epoch, { id: 'late' })).rejects.toMatchObject({
      code: 'WRITE_FENCED',
    })
    await pointers.write('snapshot', second!.epoch, { id: 'two' })
    expect(await pointers.read('snapshot')).toMatchObject({ manifest: { id: 'two' } })
    await second!.release()
    await pointers.close()
  })
})
