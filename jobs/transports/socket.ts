import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, rm, stat } from 'node:fs/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { json } from 'node:stream/consumers'
import { type FastifyInstance, fastify } from 'fastify'
import { dataPaths } from '../../config/settings.ts'
import {
  type CallClient,
  type CallImplementation,
  type CallServer,
  createCallClient,
  pipelineFailure,
  unavailable,
} from '../calls/define-call.ts'

/** The kernel takes 104 bytes (macOS) or 108 (Linux). */
const MAX_PATH_BYTES = 100
const TAKEOVER_CHECK_MS = 2_000

/**
 * The path of an installation's socket: in its data folder, or, if that path is too long for a socket, in a folder of this
 * user under the system's temporary folder.
 */
export function socketPath(dataDir: string): string {
  const { live_socket } = dataPaths(dataDir)
  if (Buffer.byteLength(live_socket) <= MAX_PATH_BYTES) return live_socket
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
  return join(tmpdir(), `holdshort-${process.getuid?.() ?? 0}-${hash}`, 'live.sock')
}

/** Another user could have put a folder of this name under the system's temporary folder to read along. */
async function requireOwnFolder(path: string): Promise<void> {
  const { uid } = await stat(dirname(path))
  const ownUid = process.getuid?.() ?? uid
  if (uid !== ownUid && ownUid !== 0) throw new Error('the folder of the socket belongs to another user')
}

export interface SocketServerOptions {
  /** Another process already serves at this path; its end is awaited. */
  onPathInUse?: (path: string) => void
  /** Milliseconds between two checks whether the other process has ended. */
  takeover_check_ms?: number
}

/**
 * Serves calls over HTTP on a Unix socket that only this user may open. A socket left by a dead process is replaced; the
 * socket of a living process stays with it and is taken over when it ends.
 */
export async function serveOnSocket(
  path: string,
  calls: readonly CallImplementation[],
  { onPathInUse, takeover_check_ms = TAKEOVER_CHECK_MS }: SocketServerOptions = {},
): Promise<CallServer> {
  const app = fastify({ forceCloseConnections: true })
  for (const { name, max_request_bytes, answer } of calls)
    app.post(`/${name}`, { bodyLimit: max_request_bytes }, ({ body }) => answer(body))

  let closed = false
  let timer: NodeJS.Timeout | undefined
  const listenOrRetry = async (): Promise<boolean> => {
    if (closed || (await tryListen(app, path))) return true
    timer = setTimeout(() => void listenOrRetry().catch(() => undefined), takeover_check_ms)
    return false
  }
  await mkdir(dirname(path), { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await requireOwnFolder(path)
  if (!(await listenOrRetry())) onPathInUse?.(path)
  return {
    close: async () => {
      closed = true
      clearTimeout(timer)
      await app.close()
    },
  }
}

/** Listens at a path; returns false when a living process already does. */
async function tryListen(app: FastifyInstance, path: string): Promise<boolean> {
  if (await isServed(path)) return false
  await rm(path, { force: true })
  try {
    await app.listen({ path })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false
    throw error
  }
  await chmod(path, 0o600)
  return true
}

/** Whether a process accepts connections at a socket. */
function isServed(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      resolve(true)
      socket.destroy()
    })
  })
}

/** Calls the pipeline process of the same data folder. */
export function openSocketClient(path: string): CallClient {
  return createCallClient(async (call, request, stop) => {
    const { status, body } = await post(path, `/${call.name}`, request, stop).catch((cause: unknown) => {
      throw stop.aborted ? cause : unavailable(call, 'is not running', cause)
    })
    if (status === 200) return body
    throw pipelineFailure((body as { message: string }).message)
  })
}

/** Posts JSON on a connection of its own: a connection kept open would break when the pipeline restarts. */
async function post(socket: string, path: string, content: unknown, signal: AbortSignal) {
  await requireOwnFolder(socket)
  const request = httpRequest({
    socketPath: socket,
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json' },
    agent: false,
    signal,
  })
  request.end(JSON.stringify(content))
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  // If the connection fails from here on, reading the body rejects.
  request.on('error', () => undefined)
  return { status: response.statusCode, body: await json(response) }
}
