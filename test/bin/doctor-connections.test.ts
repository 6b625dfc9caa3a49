import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { checkRedis } from '../../bin/doctor/check-connections.ts'

/** A Redis server that drops its first connections, and answers the later ones. */
async function redisThatDrops(connections: number): Promise<string> {
  let left = connections
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    if (left-- > 0) return socket.destroy()
    socket.on('data', (data) => {
      // One answer for each command of what has arrived.
      const commands = data.toString().match(/^\*\d+\r$/gm) ?? []
      socket.write(commands.map(() => '+PONG\r\n').join(''))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `redis://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('the doctor asks a server that does not answer once more', async () => {
  const url = await redisThatDrops(1)
  expect(await checkRedis(url)).toBe(`${new URL(url).host} answers`)
  const silent = await redisThatDrops(2)
  expect(await checkRedis(silent)).toMatchObject({
    level: 'wrong',
    says: expect.stringMatching(/^127\.0\.0\.1:\d+ does not answer, twice \(.+\); start it or correct REDIS_URL$/),
  })
})
