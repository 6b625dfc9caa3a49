import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The way from one machine to one store: a TCP proxy that can be cut, so that nothing passes and nobody is told. */
export interface Link {
  port: number
  cut: () => void
  mend: () => void
  close: () => void
}

export async function openLink(target: number): Promise<Link> {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer({ allowHalfOpen: false }, (near) => {
    const far = connect(target, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('data', (bytes) => {
        // As on a dead network: bytes are lost without a word.
        if (!isCut) other.write(bytes)
      })
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      isCut = true
    },
    mend: () => {
      isCut = false
      // What was half sent is not continued.
      for (const socket of sockets) socket.destroy()
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
