import { closeSync, openSync, statSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import pino from 'pino'
import type { Settings } from '../../config/settings.ts'
import { METHODS } from '../rest/unknown-routes.ts'

/** Whether the file was moved away, as by logrotate, is looked at this often. */
const LOOK_MS = 5_000
/** Lines that cannot be written are dropped beyond this, so that a full disk never fills the memory. */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024

const knownMethods = new Set<string>(METHODS)

/** One answered request. It has no address, no query and no header of the client, so that no secret can be in it. */
function lineOf(request: FastifyRequest, reply: FastifyReply) {
  const length = Number(reply.getHeader('content-length') ?? Number.NaN)
  const { tier = null, id = null } = request.admission?.caller ?? {}
  return {
    time: new Date().toISOString(),
    request_id: request.id,
    method: knownMethods.has(request.method) ? request.method : 'unknown',
    route: request.is404 ? 'unknown' : (request.routeOptions.url ?? 'unknown'),
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    bytes: Number.isFinite(length) ? length : null,
    tier,
    key_id: id,
  }
}

/** Programs that rotate logs send one of these. */
const REOPENING = ['SIGHUP', 'SIGUSR1'] as const

/**
 * Writes a line of JSON for each answered request, to a file or to `stdout`. The file is opened anew when it was moved away,
 * and at SIGHUP or SIGUSR1. A disk that takes no lines stops nothing.
 * @throws the error of the system when the file cannot be written.
 */
export function addAccessLog(app: FastifyInstance, target: NonNullable<Settings['access_log']>): void {
  const isFile = target !== 'stdout'
  if (isFile) closeSync(openSync(target, 'a', 0o600))
  const dest = isFile ? target : 1
  const stream = pino.destination({ dest, sync: false, mode: 0o600, maxLength: MAX_BUFFERED_BYTES, minLength: 0 })
  stream.on('error', () => undefined)
  app.addHook('onResponse', (request, reply, done) => {
    stream.write(`${JSON.stringify(lineOf(request, reply))}\n`)
    done()
  })
  const inodeOf = () => {
    try {
      return statSync(target).ino
    } catch {
      // The file is gone, or its folder may not be entered at present.
      return undefined
    }
  }
  /** The inode of the open file; null while none is open, as where its folder is gone. */
  let inode: number | null | undefined = null
  stream.on('ready', () => {
    inode = inodeOf()
  })
  const reopen = () => {
    inode = null
    stream.reopen()
  }
  const look = () => {
    if (inode === null || inodeOf() !== inode) reopen()
  }
  const looking = isFile ? setInterval(look, LOOK_MS).unref() : undefined
  if (isFile) for (const signal of REOPENING) process.on(signal, reopen)
  app.addHook('onClose', async () => {
    clearInterval(looking)
    for (const signal of REOPENING) process.off(signal, reopen)
    await new Promise<void>((resolve) => {
      stream.once('close', resolve)
      stream.once('error', () => resolve())
      stream.end()
    })
  })
}
