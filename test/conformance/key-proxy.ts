import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { withStandIns } from './substitutes.ts'

/**
 * A door before a server: it shows a key for whoever comes without one, as the suites know no option for it, and puts our
 * stand-ins into their messages. All else, `Host` too, goes through as it came. Returns its address; `passed` is told of each request.
 */
export async function openDoor(port: number, key: string, passed: () => void): Promise<string> {
  const door = createServer(async (asked, answer) => {
    passed()
    const name = asked.headers['mcp-name']
    const { body, header } = withStandIns(await text(asked), typeof name === 'string' ? name : undefined)
    const { 'content-length': _length, 'transfer-encoding': _coding, ...given } = asked.headers
    const headers = { authorization: `Bearer ${key}`, ...given, 'content-length': String(Buffer.byteLength(body)) }
    if (header !== undefined) Object.assign(headers, { 'mcp-name': header })
    const onward = request({ host: '127.0.0.1', port, path: asked.url, method: asked.method, headers }, (answered) => {
      answer.writeHead(answered.statusCode!, answered.headers)
      answered.pipe(answer)
    })
    onward.on('error', () => answer.destroy())
    answer.on('close', () => onward.destroy())
    onward.end(body)
  })
  await new Promise<void>((listening) => door.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    door.closeAllConnections()
    door.close()
  })
  return `http://localhost:${(door.address() as AddressInfo).port}`
}
