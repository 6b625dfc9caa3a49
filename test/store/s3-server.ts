import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rename, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
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

/**
 * Starts a real S3 server on a folder. It checks signatures and answers conditional reads; what it lacks is put before it:
 * `If-Match` and `If-None-Match: *` of PUT are obeyed, a reader never sees half an object, and an object that is being written
 * when the server is killed is the one before or the new one.
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
