import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * A door before a server that shows a key for whoever comes without one: the suites know no option for it. Everything else,
 * `Host` too, goes through as it came. Returns its address; `passed` is told of each request.
 */
export async function openDoor(port: number, key: string, passed: () => void = () => undefined): Promise<string> {
  const door = createServer((asked, answer) => {
    passed()
    const headers = { authorization: `Bearer ${key}`, ...asked.headers }
    const onward = request({ host: '127.0.0.1', port, path: asked.url, method: asked.method, headers }, (answered) => {
      answer.writeHead(answered.statusCode!, answered.headers)
      answered.pipe(answer)
    })
    onward.on('error', () => answer.destroy())
    answer.on('close', () => onward.destroy())
    asked.pipe(onward)
  })
  await new Promise<void>((listening) => door.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    door.closeAllConnections()
    door.close()
  })
  return `http://localhost:${(door.address() as AddressInfo).port}`
}
