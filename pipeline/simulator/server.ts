import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { DAY_MS, isoUtc } from '../../config/vocabulary.ts'
import { createFaults, type Faults, type FaultyAnswer, type RandomFaults } from './faults.ts'
import { hashOf, uniform } from './model/noise.ts'
import { createQueueModel, type QueueModel } from './model/queues.ts'
import { SITES } from './sites/index.ts'
import { type ExpectedReading, type Site, type SiteAnswer, type SiteRequest, text } from './sites/site.ts'

const WEEK_MS = 7 * DAY_MS

/** The key and version of each host that requires one: new every week, and after each call of `rotate`. */
function createKeys(seed: number, now: () => number) {
  let extraRotations = 0
  return {
    rotate: () => {
      extraRotations += 1
    },
    keysOf: (host: string): { key: string; version: string } => {
      const rotation = Math.floor(now() / WEEK_MS) + extraRotations
      const digits = (part: number) =>
        Math.floor(uniform(hashOf(`${seed} ${host} ${part}`), rotation) * 0xffffffff)
          .toString(16)
          .padStart(8, '0')
      return { key: [0, 1, 2, 3].map(digits).join(''), version: String(100 + 10 * (rotation % 80)) }
    },
  }
}

export interface SimulatedWorldOptions {
  seed: number
  /** 0 (the default) for any free port. Only this machine can reach it. */
  port?: number
  /** The clock of the simulated world, epoch milliseconds; the real clock by default. */
  now?: () => number
  faults?: Faults
  /** Random faults; none by default. */
  random_faults?: RandomFaults
  /** Called for every answer that was sent undamaged, with the readings it contains. */
  onExpectedReadings?: (readings: SentReading[]) => void
}

/** A reading in an answer that was sent. If the answer carries no time, `observed_at` is the instant of the request. */
export type SentReading = ExpectedReading & { observed_at: string }

export interface RunningSimulatedWorld {
  /** `http://127.0.0.1:PORT`: https://host/path of the real internet is served as `<url>/host/path`. */
  url: string
  queues: QueueModel
  /** Replaces the keys of all hosts: requests with the old ones are refused from now on. */
  rotateKeys: () => void
  /** Replaces all faults; `{}` ends them. */
  setFault: (faults: Faults) => void
  /** The largest number of requests to one host that were open at once. */
  maxRequestsAtOnce: () => number
  close: () => Promise<void>
}

/** The collectors' requests are far smaller; larger ones are refused. */
const MAX_REQUEST_BYTES = 64_000

/** Starts the simulated world: one server on the loopback address that answers in the real sites' formats, with invented numbers. */
export async function startSimulatedWorld(options: SimulatedWorldOptions): Promise<RunningSimulatedWorld> {
  const now = options.now ?? Date.now
  const queues = createQueueModel(options.seed)
  const keys = createKeys(options.seed, now)
  const faults = createFaults(
    options.faults ?? {},
    options.random_faults ? { seed: options.seed, faults: options.random_faults } : null,
  )
  const stopped = new AbortController()
  const open = new Map<string, number>()
  let maxOpen = 0

  function answerOf(request: SiteRequest, instant: number): FaultyAnswer {
    const undamaged = (answer: SiteAnswer) => ({ answer, late_ms: 0, whole: true })
    const site = SITES.find(({ hosts }) => hosts.includes(request.host))
    if (!site) return undamaged(text(`${request.host} is not in the simulated world\n`, 404))
    if (request.path === '/robots.txt') return undamaged(text(robotsOf(site)))
    const context = { queues, now: faults.clockOf(request.host, instant), requested_at: instant, keysOf: keys.keysOf }
    return faults.apply(request.host, site.answer(request, context) ?? text('Not Found\n', 404))
  }

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const request = await readRequest(incoming)
    const { host } = request
    open.set(host, (open.get(host) ?? 0) + 1)
    maxOpen = Math.max(maxOpen, open.get(host) ?? 0)
    outgoing.once('close', () => open.set(host, (open.get(host) ?? 1) - 1))
    const instant = now()
    const { answer, late_ms, whole } = answerOf(request, instant)
    const { status, type, body, expected = [] } = answer
    const bytes = Buffer.from(body)
    if (whole && expected.length > 0)
      outgoing.once('finish', () =>
        options.onExpectedReadings?.(
          expected.map((reading) => ({ ...reading, observed_at: reading.observed_at ?? isoUtc(instant) })),
        ),
      )
    const headers = { 'content-type': type, 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
    outgoing.writeHead(status, status === 204 ? headers : { ...headers, 'content-length': bytes.length })
    if (status === 204) {
      outgoing.end()
      return
    }
    outgoing.write(bytes.subarray(0, bytes.length / 2))
    if (late_ms > 0) await sleep(late_ms, undefined, { signal: stopped.signal }).catch(() => undefined)
    outgoing.end(bytes.subarray(bytes.length / 2))
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
    queues,

    rotateKeys: keys.rotate,
    setFault: faults.set,
    maxRequestsAtOnce: () => maxOpen,
    close: async () => {
      stopped.abort()
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** A robots.txt that allows everything except what the site's own lines forbid. */
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
    if (size > MAX_REQUEST_BYTES) throw new Error('the request is too large')
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
