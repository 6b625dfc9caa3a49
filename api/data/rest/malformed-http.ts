import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { ParameterError } from '../../../config/errors.ts'
import { problemOf } from './problem.ts'

const MESSAGES: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'address and headers are larger than 16 KiB',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request did not arrive completely in time',
}

/**
 * Answers requests that Node cannot parse as HTTP with the same problem body as other errors, then closes the connection.
 * No route or hook sees such a request.
 */
export function malformedHttpHandler(site_url: string) {
  return (fault: NodeJS.ErrnoException, socket: Socket): void => {
    if (fault.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const message = MESSAGES[fault.code ?? ''] ?? 'is not valid HTTP'
    const error = new ParameterError([{ parameter: 'request', message }])
    const { body, headers } = problemOf(error, { request_id: randomUUID(), path: '/', site_url })
    const text = JSON.stringify(body)
    const lines = Object.entries({
      ...headers,
      'x-request-id': body.request_id,
      'content-type': 'application/problem+json',
      'content-length': Buffer.byteLength(text),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${text}`)
  }
}
