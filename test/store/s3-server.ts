import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'

/** The bucket and the credentials of the S3 server for tests. */
export const BUCKET = 'holdshort'
export const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' }

export interface S3Server {
  url: string
  close: () => Promise<void>
}

/** The settings of an installation whose store is this server. */
export const storeEnvironment = (url: string, prefix = 'test'): Record<string, string> =>
  Object.assign({ HOLDSHORT_STORE: `s3://${BUCKET}/${prefix}`, AWS_ENDPOINT_URL: url }, CREDENTIALS)

const crypto = createRequire(import.meta.url)('node:crypto') as typeof import('node:crypto')
const { createCipheriv, createDecipheriv } = crypto
const thrice = (key: Buffer) => Buffer.concat([key, key, key])

/**
 * The server encrypts the token of the next page of a list with DES, which OpenSSL has no more, so that every list of over a
 * thousand objects failed. Three times DES with one key is the same.
 */
function allowDes(): void {
  const withDes = <Cipher>(create: (algorithm: string, key: Buffer, iv: Buffer) => Cipher) =>
    ((algorithm: string, key: Buffer, iv: Buffer, ...rest: []) =>
      algorithm === 'des'
        ? create('des-ede3-cbc', thrice(key), iv)
        : create.call(crypto, algorithm, key, iv, ...rest)) as never
  crypto.createCipheriv = withDes(createCipheriv as never)
  crypto.createDecipheriv = withDes(createDecipheriv as never)
}

const OBJECT_SUFFIX = '._S3rver_object'

/**
 * Starts a real S3 server on a folder. It checks signatures and answers conditional reads; what it lacks is put before it:
 * `If-Match` and `If-None-Match: *` of PUT are obeyed, a reader never sees half an object, an object that is being written when
 * the server is killed is the one before or the new one, and a list has more than one page.
 */
export async function startS3(directory: string, { port = 0, obeysPreconditions = true } = {}): Promise<S3Server> {
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    directory,
    silent: true,
    configureBuckets: [{ name: BUCKET }],
  })
  server.store.putContent = async (path, content) => {
    const bytes = Buffer.isBuffer(content) ? content : await bodyOf(content)
    await rm(`${path}.md5`, { force: true })
    await writeAtOnce(path, bytes)
    return [bytes.byteLength, createHash('md5').update(bytes).digest('hex')]
  }
  // Its own file of further metadata, which we do not use, would be half written when the server is killed, and no list would end then.
  server.store.putMetadata = async (bucket, key, _metadata, md5) => {
    if (md5 !== undefined) await writeAtOnce(server.store.getResourcePath(bucket, key, 'object.md5'), md5)
  }
  allowDes()
  // Its own looks at every file of the bucket for each page, and nothing else is answered meanwhile.
  server.store.listObjects = async (bucket, { prefix = '', startAfter = '', maxKeys = 1_000 }) => {
    const files = await readdir(join(directory, bucket), { recursive: true })
    const keys = files
      .flatMap((file) => (file.endsWith(OBJECT_SUFFIX) ? [file.slice(0, -OBJECT_SUFFIX.length)] : []))
      .filter((key) => key.startsWith(prefix) && key > startAfter)
      .sort()
    const found = await Promise.all(
      keys.slice(0, maxKeys).map(async (key) => {
        const metadata = await server.store.getMetadata(bucket, key).catch(() => null)
        return metadata && { key, metadata, size: metadata['content-length'], lastModifiedDate: new Date() }
      }),
    )
    return {
      objects: found.filter((object) => object !== null),
      commonPrefixes: [],
      isTruncated: keys.length > maxKeys,
    }
  }
  const { port: inner } = await server.run()
  const turns = new Map<string, Promise<unknown>>()

  const etagOf = async (path: string): Promise<string | null> => {
    const [, bucket = '', ...key] = decodeURIComponent(path).split('/')
    return server.store.getMetadata(bucket, key.join('/')).then(
      ({ etag }) => etag,
      () => null,
    )
  }
  const isHeld = async (path: string, headers: IncomingHttpHeaders) => {
    const { 'if-match': match, 'if-none-match': noneMatch } = headers
    if (match === undefined && noneMatch === undefined) return true
    const etag = await etagOf(path)
    if (match !== undefined && etag !== match) return false
    return noneMatch !== '*' || etag === null
  }
  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const body = await bodyOf(incoming)
    const path = (incoming.url ?? '/').split('?')[0] ?? '/'
    const isConditional = obeysPreconditions && incoming.method === 'PUT'
    if (isConditional && !(await isHeld(path, incoming.headers))) {
      response.writeHead(412, { 'content-type': 'application/xml' })
      response.end('<Error><Code>PreconditionFailed</Code></Error>')
      return
    }
    const { method = 'GET', url = '/', headers } = incoming
    const forwarded = request({ host: '127.0.0.1', port: inner, method, path: url, headers, agent: false })
    forwarded.end(body)
    const [answered] = (await once(forwarded, 'response')) as [IncomingMessage]
    const content = await bodyOf(answered)
    response.writeHead(answered.statusCode ?? 500, answered.headers)
    response.end(content)
  }
  const front = createServer((incoming, response) => {
    const key = (incoming.url ?? '/').split('?')[0] ?? '/'
    const before = turns.get(key) ?? Promise.resolve()
    const turn = before
      .then(() => answer(incoming, response))
      .catch(() => response.destroy())
      .finally(() => turns.get(key) === turn && turns.delete(key))
    turns.set(key, turn)
  })
  front.listen(port, '127.0.0.1')
  await once(front, 'listening')
  return {
    url: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
    close: async () => {
      front.closeAllConnections()
      front.close()
      await server.close()
    },
  }
}

/** Writes a file that is whole or as it was, also when the process is killed. */
async function writeAtOnce(path: string, content: Uint8Array | string): Promise<void> {
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, content)
  await rename(draft, path)
}

async function bodyOf(stream: NodeJS.ReadableStream): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}
