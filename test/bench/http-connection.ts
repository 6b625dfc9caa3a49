import { connect } from 'node:net'
import type { LoadOptions } from './load.ts'

const READ_BYTES = 65_536
const MAX_HEAD_BYTES = 4_096
const HEAD_END = '\r\n\r\n'
const STATUS_AND_LENGTH = /^HTTP\/1\.1 (\d{3})[\s\S]*\r\ncontent-length: (\d+)/i

/** The bytes of the requests of a load, in the order in which they are sent in rotation. */
export function requestsOf(
  url: string,
  { headers = {}, paths, posts }: Pick<LoadOptions, 'headers' | 'paths' | 'posts'>,
): Buffer[] {
  const { host, pathname, search } = new URL(url)
  const bytes = (method: string, path: string, own: Record<string, string>, body: string): Buffer => {
    const named = Object.entries({ host, ...headers, ...own }).map(([name, value]) => `${name}: ${value}\r\n`)
    const length = body === '' ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`
    return Buffer.from(`${method} ${path} HTTP/1.1\r\n${named.join('')}${length}\r\n${body}`)
  }
  if (posts) return posts.map((post) => bytes('POST', pathname, post.headers, post.body))
  return (paths ?? [pathname + search]).map((path) => bytes('GET', path, {}, ''))
}

/** A connection that has one request under way at a time. */
export interface HttpConnection {
  send: (request: Buffer) => void
  close: () => void
}

/**
 * Opens a connection to the origin of an address. It reads of an answer only the status and the length: on two cores a
 * generator that reads more is slower than the server, and its own limit is then measured.
 * @param onAnswer called when an answer has come whole
 * @param onFailure called once, when an answer is not 200 or has no Content-Length, or the connection ends
 */
export function openConnection(
  url: string,
  onAnswer: (connection: HttpConnection) => void,
  onFailure: (problem: string) => void,
): Promise<HttpConnection> {
  const { hostname, port } = new URL(url)
  let isClosed = false
  let head = ''
  let received = 0
  /** Bytes of the whole answer; null while its head has not come. */
  let length: number | null = null
  const read = (bytes: number, buffer: Uint8Array): boolean => {
    received += bytes
    if (length === null) {
      head += Buffer.from(buffer.buffer, buffer.byteOffset, bytes).toString(
        'latin1',
        0,
        Math.min(bytes, MAX_HEAD_BYTES),
      )
      const headEnd = head.indexOf(HEAD_END)
      if (headEnd < 0) return true
      const [, status, contentLength] = STATUS_AND_LENGTH.exec(head.slice(0, headEnd)) ?? []
      if (status !== '200' || contentLength === undefined) {
        socket.destroy(new Error(`an answer was ${head.slice(0, 200)}`))
        return false
      }
      length = headEnd + HEAD_END.length + Number(contentLength)
    }
    if (received < length) return true
    head = ''
    received = 0
    length = null
    onAnswer(connection)
    return true
  }
  const socket = connect({
    host: hostname,
    port: Number(port),
    onread: { buffer: Buffer.allocUnsafe(READ_BYTES), callback: read },
  })
  socket.setNoDelay(true)
  const connection: HttpConnection = {
    send: (request) => socket.write(request),
    close: () => {
      isClosed = true
      socket.destroy()
    },
  }
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(connection))
    const fail = (problem: string) => {
      if (!isClosed) onFailure(problem)
      connection.close()
      resolve(connection)
    }
    socket.once('error', ({ message }) => fail(message))
    socket.once('end', () => fail('the server ended a connection'))
  })
}
