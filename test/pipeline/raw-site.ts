import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

/** Answers a request on its socket, with whatever bytes. */
export type RawAnswer = (socket: Socket) => void

export interface RawSite {
  url: string
  /** The answer to every request but those for robots.txt, which there is none of. */
  answer: RawAnswer
  close: () => Promise<void>
}

/** The bytes of an answer. */
export const bytesOf = (status: string, headers: readonly string[], body: Uint8Array | string = '') =>
  Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status}\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n`, 'latin1'),
    Buffer.from(body),
  ])

/** An answer that is sent at once; then the connection is closed. */
export const sending =
  (status: string, headers: readonly string[], body: Uint8Array | string = ''): RawAnswer =>
  (socket) =>
    void socket.end(bytesOf(status, headers, body))

/** A whole answer with status 200 and the right Content-Length. */
export const sendingBody = (body: Uint8Array | string, ...headers: string[]): RawAnswer =>
  sending('200 OK', [`Content-Length: ${Buffer.byteLength(body)}`, ...headers], body)

/** The beginning of an answer, and then the same bytes for ever: as fast as they are read, or one write in so many milliseconds. */
export const endless =
  (first: Uint8Array | string, then: string, every_ms = 0): RawAnswer =>
  (socket) => {
    socket.write(first)
    if (every_ms > 0) {
      const timer = setInterval(() => socket.write(then), every_ms)
      socket.on('close', () => clearInterval(timer))
      return
    }
    const write = () => {
      while (!socket.destroyed && socket.write(then));
    }
    socket.on('drain', write)
    write()
  }

/** A site that sends bytes rather than HTTP: its answers may be anything. */
export async function openRawSite(): Promise<RawSite> {
  const sockets = new Set<Socket>()
  const site = { answer: sending('404 Not Found', ['Content-Length: 0']) } as RawSite
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      if (!received.includes('\r\n\r\n')) return
      const isRobots = received.split(' ')[1]?.endsWith('/robots.txt')
      received = ''
      if (isRobots) socket.end(bytesOf('404 Not Found', ['Content-Length: 0', 'Connection: close']))
      else site.answer(socket)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  site.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  site.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  return site
}
