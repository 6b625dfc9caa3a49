import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { withSubstitutes } from './substitutes.ts'

/**
 * Opens a proxy in front of a server. It adds an API key to requests without one, because the suites have no option for that,
 * and puts our substitutes into their messages. Everything else, including `Host`, is forwarded unchanged. Calls `onRequest` for
 * each request and returns its address.
 */
export async function openKeyProxy(port: number, key: string, onRequest: () => void): Promise<string> {
  const proxy = createServer(async (incoming, outgoing) => {
    onRequest()
    const name = incoming.headers['mcp-name']
    const { body, header } = withSubstitutes(await text(incoming), typeof name === 'string' ? name : undefined)
    const { 'content-length': _length, 'transfer-encoding': _coding, ...forwarded } = incoming.headers
    const headers = { authorization: `Bearer ${key}`, ...forwarded, 'content-length': String(Buffer.byteLength(body)) }
    if (header !== undefined) Object.assign(headers, { 'mcp-name': header })
    const upstream = request(
      { host: '127.0.0.1', port, path: incoming.url, method: incoming.method, headers },
      (response) => {
        outgoing.writeHead(response.statusCode!, response.headers)
        response.pipe(outgoing)
      },
    )
    upstream.on('error', () => outgoing.destroy())
    outgoing.on('close', () => upstream.destroy())
    upstream.end(body)
  })
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return `http://localhost:${(proxy.address() as AddressInfo).port}`
}
