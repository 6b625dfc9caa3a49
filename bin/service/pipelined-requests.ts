import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A connection with more requests that wait is not read from until it has half as many. */
const MAX_WAITING = 100

/** The requests of one connection. */
interface Line {
  /** The answer to the request that was begun last. */
  response: ServerResponse
  waiting: [IncomingMessage, ServerResponse][]
}

/** An answer is finished as soon as it is written; Node.js takes its socket away when the packet of its request is parsed. */
const isOver = (response: ServerResponse) =>
  response.destroyed || (response.writableFinished && response.socket === null)

/**
 * Lets a server begin the requests of a connection one after another: one that comes before the last is answered waits, and is begun
 * in a turn of the event loop of its own. A client may send a thousand requests in one packet (pipelining); they would all be
 * answered before anybody else is. They wait as Node.js parsed them, before anything of ours is done for them.
 */
export function queuePipelinedRequests(server: Server): void {
  const listeners = server.listeners('request') as RequestListener[]
  const begin: RequestListener = (request, response) => {
    for (const listener of listeners) listener.call(server, request, response)
  }
  const lines = new WeakMap<Socket, Line>()
  const beginNext = (socket: Socket, line: Line) => {
    const beginFirst = () => {
      // Nobody waits for the answers any more.
      if (socket.destroyed) line.waiting.length = 0
      const next = line.waiting.shift()
      if (next === undefined) return
      if (socket.isPaused() && line.waiting.length < MAX_WAITING / 2) socket.resume()
      line.response = next[1]
      begin(...next)
      if (line.waiting.length > 0) beginNext(socket, line)
    }
    if (isOver(line.response)) setImmediate(beginFirst)
    else line.response.once('close', () => setImmediate(beginFirst))
  }
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const { socket } = request
    const line = lines.get(socket)
    if (!line) lines.set(socket, { response, waiting: [] })
    else if (line.waiting.length === 0 && isOver(line.response)) line.response = response
    else {
      line.waiting.push([request, response])
      if (line.waiting.length === 1) beginNext(socket, line)
      if (line.waiting.length > MAX_WAITING) socket.pause()
      return
    }
    begin(request, response)
  })
}
