import { createHash } from 'node:crypto'
import { chmod, mkdir, rm, stat } from 'node:fs/promises'
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { HoldshortError } from '../config/errors.ts'
import { dataPaths } from '../config/settings.ts'
import { ArchiveQuestion, type Archivist } from './archive.ts'
import {
  ASK_WITHIN_MS,
  LiveAnswer,
  type LiveAnswerer,
  type LiveCounter,
  type LiveDesk,
  LiveRequest,
  unavailable,
} from './live.ts'
import { ReportBatch, type ReportLander } from './reports.ts'

/** The kernel takes 104 bytes (macOS) or 108 (Linux). */
const LONGEST_PATH_BYTES = 100
const LARGEST_REQUEST = 1_024
/** A full batch of reports takes a third of it. */
const LARGEST_BATCH = 65_536

/** The socket of an installation: in its data folder, or where that path is too long, in a folder of this user's own under the system's. */
export function liveSocket(dataDir: string): string {
  const { live_socket } = dataPaths(dataDir)
  if (Buffer.byteLength(live_socket) <= LONGEST_PATH_BYTES) return live_socket
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
  return join(tmpdir(), `holdshort-${process.getuid?.() ?? 0}-${hash}`, 'live.sock')
}

const read = async (message: IncomingMessage, most = Number.POSITIVE_INFINITY): Promise<string> => {
  let text = ''
  for await (const chunk of message.setEncoding('utf8')) {
    text += chunk as string
    if (text.length > most) throw new HoldshortError('INVALID_PARAMETER', 'a live request is not as long as this')
  }
  return text
}

/** A folder under the system's temporary one might be another user's trap. */
async function refuseForeign(path: string): Promise<void> {
  const { uid } = await stat(dirname(path))
  const mine = process.getuid?.() ?? uid
  if (uid !== mine && mine !== 0) throw new Error('the folder of the socket is of another user')
}

/** What is asked at the socket. */
type Post = '/live' | '/reports' | '/archive'

export interface LocalCounterOptions {
  /** Lands travellers' reports, which are handed over at the same socket; without it they are refused. */
  reports?: ReportLander
  /** Answers questions about the past at the same socket; without it they are refused. */
  archive?: Archivist
  /** Another living process answers here; looked at again until it is gone. */
  onTaken?: (path: string) => void
  /** Milliseconds between two looks. */
  retry_ms?: number
}

/**
 * Answers live requests over HTTP on a Unix socket that only this user may open. A socket that a dead process left is
 * replaced; a living one's is left to it and taken over when it ends.
 */
export async function openLocalCounter(
  path: string,
  answer: LiveAnswerer,
  options: LocalCounterOptions = {},
): Promise<LiveCounter> {
  const { reports, archive } = options
  const posts: Record<Post, { largest: number; work: (asked: unknown) => Promise<object> } | null> = {
    '/live': { largest: LARGEST_REQUEST, work: (asked) => answer(LiveRequest.parse(asked)) },
    '/reports': reports ? { largest: LARGEST_BATCH, work: (asked) => reports(ReportBatch.parse(asked)) } : null,
    '/archive': archive ? { largest: LARGEST_REQUEST, work: (asked) => archive(ArchiveQuestion.parse(asked)) } : null,
  }
  const server = createServer(async (request, response) => {
    const reply = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    try {
      const post = posts[request.url as Post]
      if (post) reply(200, await post.work(JSON.parse(await read(request, post.largest))))
      else reply(500, { message: `nothing is answered at ${request.url} here` })
    } catch (error) {
      reply(500, { message: (error as Error).message })
    }
  })
  let closed = false
  let timer: NodeJS.Timeout | undefined
  const open = async (first: boolean): Promise<void> => {
    if (await tryListen(server, path)) return
    if (first) options.onTaken?.(path)
    if (!closed) timer = setTimeout(() => void open(false).catch(() => undefined), options.retry_ms ?? 2_000)
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await refuseForeign(path)
  await open(true)
  return {
    close: async () => {
      closed = true
      clearTimeout(timer)
      if (!server.listening) return
      const ended = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await ended
    },
  }
}

/** Whether somebody listens at a socket. */
function answered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

async function tryListen(server: Server, path: string): Promise<boolean> {
  if (await answered(path)) return false
  await rm(path, { force: true })
  const failed = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
    server.once('error', resolve)
    server.listen(path, () => {
      server.off('error', resolve)
      resolve(null)
    })
  })
  if (failed?.code === 'EADDRINUSE') return false
  if (failed) throw failed
  await chmod(path, 0o600)
  return true
}

/** Puts live requests to the pipeline process of the same data folder. */
export function openLocalDesk(path: string, within_ms = ASK_WITHIN_MS): LiveDesk {
  const { ask, close } = openLocalAsker(path, '/live', within_ms, unavailable)
  return {
    ask: async (given, { signal } = {}) => ask(LiveRequest.parse(given), (answer) => LiveAnswer.parse(answer), signal),
    close,
  }
}

/** The asking end of one address of the socket; it waits `within_ms`, and says `refusal` when no sound answer came. */
export function openLocalAsker(
  socketPath: string,
  path: Post,
  within_ms: number,
  refusal: (why: string, cause?: unknown) => HoldshortError,
) {
  const closing = new AbortController()
  return {
    ask: async <A>(asked: object, parse: (answer: unknown) => A, signal?: AbortSignal): Promise<A> => {
      const late = AbortSignal.timeout(within_ms)
      const given_up = AbortSignal.any([closing.signal, late, ...(signal ? [signal] : [])])
      try {
        return parse(await exchange(socketPath, path, asked, given_up))
      } catch (cause) {
        signal?.throwIfAborted()
        if (cause instanceof HoldshortError) throw cause
        throw refusal(late.aborted ? `gave no answer in ${within_ms / 1_000} s` : 'is not running', cause)
      }
    },
    close: async () => closing.abort(),
  }
}

/** Puts a request to the pipeline at its socket; what it answers. */
async function exchange(socketPath: string, path: Post, asked: object, signal: AbortSignal): Promise<unknown> {
  await refuseForeign(socketPath)
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = httpRequest({ socketPath, method: 'POST', path, signal, agent: false })
    request.once('response', resolve).once('error', reject)
    request.end(JSON.stringify(asked))
  })
  const body = JSON.parse(await read(answer)) as { message: string }
  if (answer.statusCode === 200) return body
  throw new HoldshortError('INTERNAL', `the pipeline failed at a request: ${body.message}`)
}
