import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isoUtc } from '../../config/domain.ts'
import { createFaults, type Faults, type Mishaps } from './faults.ts'
import { createKeys } from './keys.ts'
import { createWorld, type World } from './model/queues.ts'
import { SITES } from './sites/index.ts'
import { type Emission, type Site, type SiteAnswer, type SiteRequest, text } from './sites/site.ts'

export interface WorldOptions {
  seed: number
  /** 0 (the default) for any free port. Only this machine can reach it. */
  port?: number
  /** The clock of the world, epoch milliseconds; the real one by default. */
  now?: () => number
  faults?: Faults
  /** Troubles by chance; none by default. */
  mishaps?: Mishaps
  /** Told of every answer that went out whole, with the readings it holds. */
  onEmission?: (readings: Emitted[]) => void
}

/** A reading that went out; an answer without a time of its own is of the instant it was given at. */
export type Emitted = Emission & { observed_at: string }

export interface RunningWorld {
  /** `http://127.0.0.1:PORT`: https://host/path of the real internet is served as `<url>/host/path`. */
  url: string
  world: World
  /** From now on the mobi hosts refuse the keys they took until now. */
  rotateKeys: () => void
  /** Puts these faults in the place of all others; `{}` ends them. */
  setFault: (faults: Faults) => void
  /** The most requests of one host that were open at once. */
  mostAtOnce: () => number
  close: () => Promise<void>
}

/** A question of ours is far smaller; what is larger is not read. */
const LARGEST_QUESTION = 64_000

/** Starts the simulated internet: real sites' formats, invented numbers, one server on the loopback address. */
export async function startWorld(options: WorldOptions): Promise<RunningWorld> {
  const now = options.now ?? Date.now
  const world = createWorld(options.seed)
  const keys = createKeys(options.seed, now)
  const faults = createFaults(
    options.faults ?? {},
    options.mishaps ? { seed: options.seed, mishaps: options.mishaps } : null,
  )
  const timers = new Set<NodeJS.Timeout>()
  const open = new Map<string, number>()
  let mostAtOnce = 0

  function answerOf(request: SiteRequest, at: number): ReturnType<typeof faults.spoil> {
    const plain = (answer: SiteAnswer) => ({ answer, late_ms: 0, whole: true })
    const site = SITES.find(({ hosts }) => hosts.includes(request.host))
    if (!site) return plain(text(`${request.host} is not in the simulated world\n`, 404))
    if (request.path === '/robots.txt') return plain(text(robotsOf(site)))
    const stage = { world, now: faults.clockOf(request.host, at), asked: at, keysOf: keys.keysOf }
    return faults.spoil(request.host, site.answer(request, stage) ?? text('Not Found\n', 404))
  }

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const request = await readRequest(incoming)
    const { host } = request
    open.set(host, (open.get(host) ?? 0) + 1)
    mostAtOnce = Math.max(mostAtOnce, open.get(host) ?? 0)
    outgoing.once('close', () => open.set(host, (open.get(host) ?? 1) - 1))
    const at = now()
    const { answer, late_ms, whole } = answerOf(request, at)
    const { status, type, body, emits = [] } = answer
    const bytes = Buffer.from(body)
    if (whole && emits.length > 0)
      outgoing.once('finish', () =>
        options.onEmission?.(emits.map((reading) => ({ ...reading, observed_at: reading.observed_at ?? isoUtc(at) }))),
      )
    const headers = { 'content-type': type, 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
    outgoing.writeHead(status, status === 204 ? headers : { ...headers, 'content-length': bytes.length })
    if (late_ms === 0 || status === 204) {
      outgoing.end(status === 204 ? undefined : bytes)
      return
    }
    outgoing.write(bytes.subarray(0, bytes.length / 2))
    const timer = setTimeout(() => {
      timers.delete(timer)
      outgoing.end(bytes.subarray(bytes.length / 2))
    }, late_ms)
    timers.add(timer)
  }

  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch((error: unknown) => {
      if (!outgoing.headersSent) outgoing.writeHead(500, { 'content-type': 'text/plain' })
      outgoing.end(String(error))
    })
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    world,
    rotateKeys: keys.rotate,
    setFault: faults.set,
    mostAtOnce: () => mostAtOnce,
    close: async () => {
      for (const timer of timers) clearTimeout(timer)
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Every site allows us; one of them forbids other corners of itself. */
function robotsOf({ robots = [] }: Site): string {
  return ['User-agent: *', ...robots, 'Allow: /', ''].join('\n')
}

/** Splits `/host/path?query` and reads the body. */
async function readRequest(incoming: IncomingMessage): Promise<SiteRequest> {
  const url = new URL(incoming.url ?? '/', 'http://world')
  const [, host = '', ...segments] = url.pathname.split('/')
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > LARGEST_QUESTION) throw new Error('the question is too large')
    chunks.push(chunk)
  }
  return {
    method: incoming.method ?? 'GET',
    host,
    path: `/${segments.join('/')}`,
    query: url.searchParams,
    headers: incoming.headers,
    body: Buffer.concat(chunks).toString('utf8'),
  }
}
