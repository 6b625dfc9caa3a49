import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readSettings } from '../../../config/settings.ts'
import { requirePreconditions } from '../../../warehouse/objects/preconditions.ts'
import { openS3 } from '../../../warehouse/objects/s3.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { BUCKET, type S3Server, startS3, storeEnvironment } from '../../store/s3-server.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const bytes = (text: string) => Buffer.from(text)
const open = (environment: Record<string, string>) => openS3(readSettings(environment))

describe.runIf(EXHAUSTIVE)('a bucket of a real S3 server', () => {
  let server: S3Server
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdshort-test-'))
    server = await startS3(folder)
  })
  afterAll(async () => {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('returns what was written under any key, and lists it below its prefix', async () => {
    const store = open(storeEnvironment(server.url, 'one/two'))
    const key = "raw/source=sea-cwt/date=2026-11-22/it's (a) key+&ä.gz"
    await store.put(key, bytes('content'))
    expect(Buffer.from((await store.get(key))?.bytes ?? []).toString()).toBe('content')
    const plain = 'raw/source=sea-cwt/date=2026-11-22/sea-cwt-20261122100000000-0123456789ab.gz'
    await store.put(plain, bytes('capture'))
    expect(await store.list('raw/')).toContainEqual({ key: plain, bytes: 7 })
    expect(await open(storeEnvironment(server.url, 'one/other')).list('')).toEqual([])
    await store.delete(key)
    await store.delete(key)
    expect(await store.get(key)).toBeNull()
  })

  test('lists more objects than one page has, each once', async () => {
    const store = open(storeEnvironment(server.url, 'many'))
    await store.put('captures/0000', bytes('x'))
    // Written as the server writes them: one at a time over HTTP takes a minute.
    const keys = Array.from({ length: 2_500 }, (_, n) => `captures/${String(n).padStart(4, '0')}`)
    for (const key of keys) await writeFile(join(folder, BUCKET, 'many', `${key}._S3rver_object`), 'x')
    expect((await store.list('captures/')).map(({ key }) => key)).toEqual(keys)
  })

  test('writes only what its precondition allows, and reads only what has changed', async () => {
    const store = open(storeEnvironment(server.url, 'conditions'))
    await requirePreconditions(store)
    const first = await store.putIf('pointer', bytes('1'), 'absent')
    expect(await store.putIf('pointer', bytes('2'), 'absent')).toBeNull()
    const second = await store.putIf('pointer', bytes('2'), { etag: first ?? '' })
    expect(second).not.toBeNull()
    expect(await store.putIf('pointer', bytes('3'), { etag: first ?? '' })).toBeNull()
    expect(await store.getUnless('pointer', second ?? '')).toBe('unchanged')
    expect(await store.getUnless('pointer', first ?? '')).toMatchObject({ etag: second })
    expect(await store.list('probes/')).toEqual([])
  })

  test('is refused with a wrong secret, and says nothing of it', async () => {
    const secret = 'a-secret-that-must-stay-one'
    const store = open(Object.assign(storeEnvironment(server.url), { AWS_SECRET_ACCESS_KEY: secret }))
    const error = await store.put('x', bytes('x')).catch((thrown: Error) => thrown)
    expect(error).toMatchObject({ code: 'STORE_REFUSED', message: expect.stringContaining('SignatureDoesNotMatch') })
    expect(JSON.stringify(error)).not.toContain(secret)
    const nowhere = open(Object.assign(storeEnvironment(server.url), { HOLDSHORT_STORE: 's3://no-such-bucket/x' }))
    await expect(nowhere.get('x')).rejects.toMatchObject({ code: 'STORE_REFUSED' })
  })
})

test('a server that ignores preconditions is refused', async () => {
  const server = await startS3(await temporaryFolder(), { obeysPreconditions: false })
  onTestFinished(server.close)
  await expect(requirePreconditions(open(storeEnvironment(server.url)))).rejects.toMatchObject({ code: 'STORE_UNSAFE' })
})

test('requests are repeated until they are answered, and given up in time', async () => {
  const seen: string[] = []
  const answers = [503, 500, 429, 200]
  const server = createServer((request, response) => {
    seen.push(`${request.headers.host?.split(':')[0]} ${request.url}`)
    response.writeHead(answers.shift() ?? 503, { etag: '"1"' })
    response.end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const environment = storeEnvironment(`http://localhost:${port}`, 'p')
  const store = open(environment)
  await store.put('key', bytes('x'), { within_ms: 3_000 })
  expect(seen).toEqual(Array(4).fill('localhost /holdshort/p/key'))
  await expect(store.put('key', bytes('x'), { within_ms: 150 })).rejects.toMatchObject({
    code: 'STORE_UNREACHABLE',
  })
  answers.push(200)
  await open(Object.assign({}, environment, { HOLDSHORT_STORE_ADDRESSING: 'virtual' }))
    .get('key', { within_ms: 100 })
    .catch(() => undefined)
  expect(open({ HOLDSHORT_STORE: 's3://b-1/p', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' }).address).toBe(
    's3://b-1/p',
  )
})

test('without credentials it names the variables that are missing', () => {
  expect(() => open({ HOLDSHORT_STORE: 's3://bucket' })).toThrow('AWS_ACCESS_KEY_ID: must be set for s3://bucket')
})
