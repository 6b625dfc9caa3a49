import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy that gives each connection to the next of some ports of this machine. */
export async function startRoundRobin(ports: readonly number[]): Promise<{ url: string; close: () => void }> {
  const sockets = new Set<Socket>()
  let turn = 0
  const server = createServer((near) => {
    const far = connect(ports[turn++ % ports.length] ?? 0, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => sockets.delete(socket))
    }
    near.pipe(far)
    far.pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
