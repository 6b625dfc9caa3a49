import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { onRequestHookHandler } from 'fastify'

/** A connection with more requests that wait is closed: no client needs so many at once, and each is kept in memory. */
const MAX_WAITING = 100

/** The requests of one connection. */
interface Line {
  /** The answer to the request that was begun last, and the turn of the event loop in which it was. */
  response: ServerResponse
  turn: number
  waiting: { response: ServerResponse; begin: () => void }[]
}

const isOver = (response: ServerResponse) => response.writableFinished || response.destroyed

/**
 * A hook that begins the requests of a connection one after another, each in a turn of the event loop of its own. A client may
 * send hundreds of requests in one packet (pipelining); they would all be answered before anybody else is.
 */
export function onePerConnection(): onRequestHookHandler {
  const lines = new WeakMap<Socket, Line>()
  let turn = 0
  let isTurnCounted = false
  const thisTurn = () => {
    if (!isTurnCounted) {
      isTurnCounted = true
      setImmediate(() => {
        turn += 1
        isTurnCounted = false
      })
    }
    return turn
  }
  const beginNext = (socket: Socket, line: Line) => {
    const begin = () => {
      // Nobody waits for the answers any more.
      if (socket.destroyed) line.waiting.length = 0
      const next = line.waiting.shift()
      if (next === undefined) return
      line.response = next.response
      line.turn = thisTurn()
      next.begin()
      if (line.waiting.length > 0) beginNext(socket, line)
    }
    if (isOver(line.response)) setImmediate(begin)
    else line.response.once('close', () => setImmediate(begin))
  }
  return ({ raw: { socket } }, { raw: response }, begin) => {
    const line = lines.get(socket)
    const isFree =
      line === undefined || (line.waiting.length === 0 && line.turn !== thisTurn() && isOver(line.response))
    if (isFree) {
      lines.set(socket, { response, turn: thisTurn(), waiting: line?.waiting ?? [] })
      begin()
      return
    }
    if (line.waiting.length >= MAX_WAITING) {
      socket.destroy()
      return
    }
    line.waiting.push({ response, begin })
    if (line.waiting.length === 1) beginNext(socket, line)
  }
}
