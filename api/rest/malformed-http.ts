import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import { ParameterError } from '../../config/errors.ts'
import { problemOf } from './problem.ts'

const MESSAGES: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'address and headers are larger than 16 KiB',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request did not arrive completely in time',
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
}

/**
 * Answers what Node cannot parse as HTTP with the same problem body as other errors, then closes the connection. No route or
 * hook sees such a request. A request is answered once: bytes behind a request that is already answered, or that was refused
 * for its framing, are not a request of their own.
 */
export class MalformedHttp {
  readonly #site_url: string
  /** The newest request of each connection. */
  readonly #newest = new WeakMap<Socket, Exchange>()

  constructor(site_url: string) {
    this.#site_url = site_url
  }

  /** Follows the requests of a server. An unknown `Expect` reaches `refuseAmbiguous` instead of Node's empty answer. */
  watch(server: Server): void {
    server.prependListener('request', (request, response) => {
      const newest = this.#newest.get(request.socket)
      if (newest) {
        newest.request = request
        newest.response = response
      } else this.#newest.set(request.socket, { request, response })
    })
    server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  }

  readonly answer = (fault: NodeJS.ErrnoException, socket: Socket): void => {
    if (fault.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const newest = this.#newest.get(socket)
    if (!newest) {
      this.#send(fault, socket)
      return
    }
    const { request, response } = newest
    const isOver = response.writableFinished
    if (response.getHeader('connection') === 'close' || (!request.complete && response.headersSent)) {
      if (isOver) socket.destroySoon()
      else response.once('finish', () => socket.destroySoon())
      return
    }
    // The rest of a request that nothing has answered, or the request after one that is still being answered.
    if (!request.complete || isOver) this.#send(fault, socket)
    else response.once('finish', () => this.#send(fault, socket))
  }

  #send(fault: NodeJS.ErrnoException, socket: Socket): void {
    if (!socket.writable) return
    const message = MESSAGES[fault.code ?? ''] ?? 'is not valid HTTP'
    const error = ParameterError.of('request', message)
    const { body, headers } = problemOf(error, { request_id: randomUUID(), path: '/', site_url: this.#site_url })
    const text = JSON.stringify(body)
    const lines = Object.entries({
      ...headers,
      'x-request-id': body.request_id,
      'content-type': 'application/problem+json',
      'content-length': Buffer.byteLength(text),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    // Node adds the bytes that it could not parse.
    const { rawPacket } = fault as { rawPacket?: unknown }
    const isHead = Buffer.isBuffer(rawPacket) && rawPacket.subarray(0, 5).toString('latin1') === 'HEAD '
    socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${isHead ? '' : text}`)
  }
}

/**
 * A hook that refuses requests which two readers could understand in two ways, and closes their connection: no Host or several
 * (RFC 9112, 3.2), a target that is no path, a transfer coding that we do not decode, an expectation that we do not meet.
 */
export function refuseAmbiguous(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
  const { raw, headers } = request
  const fault = faultOf(raw, headers['transfer-encoding'], headers.expect)
  if (fault) reply.header('connection', 'close')
  done(fault ? new ParameterError([fault]) : undefined)
}

/** The number of Host headers; names and values stand in turn. */
function countHosts(rawHeaders: string[]): number {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]!.length === 4 && rawHeaders[index]!.toLowerCase() === 'host') hosts++
  return hosts
}

/** The router would take `*` for the start page, and `*health` for /health. OPTIONS may be about the whole server (RFC 9112, 3.2.4). */
const isPathOrUrl = ({ url = '', method }: IncomingMessage) =>
  url.startsWith('/') || /^https?:\/\//i.test(url) || (url === '*' && method === 'OPTIONS')

function faultOf(raw: IncomingMessage, transferEncoding: string | undefined, expect: string | undefined) {
  const hosts = countHosts(raw.rawHeaders)
  if (hosts > 1) return { parameter: 'Host', message: 'must be given once' }
  if (hosts === 0 && raw.httpVersion === '1.1') return { parameter: 'Host', message: 'is required' }
  if (!isPathOrUrl(raw)) return { parameter: 'request', message: 'must be for a path that begins with /, or for a URL' }
  if (transferEncoding !== undefined && transferEncoding.trim().toLowerCase() !== 'chunked')
    return { parameter: 'Transfer-Encoding', message: 'must be chunked, or absent' }
  if (expect !== undefined && expect.trim().toLowerCase() !== '100-continue')
    return { parameter: 'Expect', message: 'must be 100-continue, or absent' }
  return null
}
