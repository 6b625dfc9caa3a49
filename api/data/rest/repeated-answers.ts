import type { IncomingHttpHeaders, IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Tier } from '../../../config/domain.ts'
import type { Snapshot } from '../../../warehouse/publishing/snapshot/snapshot.ts'
import type { Admission, Gate } from '../gate/admission.ts'
import { countHosts } from './malformed-http.ts'
import { keyOnly, rateHeaders } from './require-key.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the answer to this request is good for; null where it is an answer to this request alone. */
    repeatable: Repeatable | null
  }
}

/** What an answer is made of, besides the address and the headers of its request: as long as it holds, so does the answer. */
export interface Repeatable {
  tier: Tier
  snapshot: Snapshot
  /** The span of time that the answer is good for, by its number. */
  period: number
  /** What does not change between the answers of one address. */
  operation: Operation
}

/** An operation of the REST API whose answers may be sent again. */
export interface Operation {
  /** Its name in the usage of an account. */
  name: string
  /** The template of its route. */
  route: string
  periodAt: (now: number) => number
  cacheControl: (snapshot: Snapshot, now: number) => string
}

/** An answer as it was sent, without the headers that are made for each. */
interface SentAnswer extends Repeatable {
  accept: string | undefined
  encoding: string | undefined
  /** Names and values in turn. */
  headers: string[]
  payload: string | Buffer
}

/** Headers of a request on which an answer to GET does not depend. With any other the request takes the whole way. */
const WITHOUT_EFFECT = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'connection',
  'forwarded',
  'host',
  'priority',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'user-agent',
  'via',
  'x-api-key',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
])

/** Headers of an answer that are made for each. */
const OF_EACH_ANSWER = /^(?:x-request-id|cache-control|content-length|(?:x-)?ratelimit.*)$/

/** Longer answers gain nothing: sending them takes longer than all hooks. */
const MAX_BYTES = 32_768
/** Of all answers that are kept; beyond it they are collected anew. */
const MAX_ALL_BYTES = 16 * 1_048_576
/** Answers of one address: tiers, types and codings. */
const MAX_ANSWERS = 4

function isPlain({ method, headers, rawHeaders }: IncomingMessage): boolean {
  if (method !== 'GET') return false
  for (const name in headers) if (!WITHOUT_EFFECT.has(name)) return false
  return countHosts(rawHeaders) === 1
}

/** Whether an answer is what a caller of a tier gets who accepts what these headers say. */
const isFor = (sent: SentAnswer, tier: Tier, headers: IncomingHttpHeaders): boolean =>
  sent.tier === tier && sent.accept === headers.accept && sent.encoding === headers['accept-encoding']

interface RepeatedAnswersOptions {
  gate: Gate
  clock: () => number
  /** The snapshot that is read at an instant; null while there is none. */
  snapshotAt: (now: number) => Snapshot | null
  newRequestId: () => string
  /** Called with the route of each answer that was sent again, and how long it took in ms. */
  onAnswer: (route: string, took: number) => void
  /** Whether no answer is to be sent again, because every one must pass the hooks. */
  isPaused: () => boolean
}

/**
 * Sends answers again: to a GET of the same address, type, coding and tier, from the same snapshot, everything but the rate
 * limits, the request id and the age is as it was. The gate decides on each such request, and it is counted and metered as any
 * other; it only does not pass the router and the hooks, which take longer than the rest together.
 */
export class RepeatedAnswers {
  readonly #options: RepeatedAnswersOptions
  readonly #answers = new Map<string, SentAnswer[]>()
  #snapshot: Snapshot | null = null
  #bytes = 0

  constructor(options: RepeatedAnswersOptions) {
    this.#options = options
  }

  /** Answers the requests of a server that need not pass its own listeners, which are those that it has now. */
  answerBefore(server: Server): void {
    const listeners = server.listeners('request') as RequestListener[]
    server.removeAllListeners('request')
    server.on('request', (request, response) => {
      if (this.#answer(request, response)) return
      for (const listener of listeners) listener.call(server, request, response)
    })
  }

  /** Keeps the answers that handlers call `repeatable`. */
  keepAnswersOf(app: FastifyInstance): void {
    app.addHook('onSend', (request, reply, payload, done) => {
      if (request.repeatable) this.#keep(request, request.repeatable, reply, payload)
      done()
    })
  }

  #keep({ raw, url }: FastifyRequest, repeatable: Repeatable, reply: FastifyReply, payload: unknown): void {
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload)
    if (reply.statusCode !== 200 || !isWhole || !isPlain(raw)) return
    const length = Buffer.byteLength(payload)
    if (length > MAX_BYTES) return
    this.#bytes += length
    if (this.#snapshot !== repeatable.snapshot || this.#bytes > MAX_ALL_BYTES) {
      this.#answers.clear()
      this.#bytes = length
      this.#snapshot = repeatable.snapshot
    }
    const headers = Object.entries(reply.getHeaders())
      .filter(([name]) => !OF_EACH_ANSWER.test(name))
      .flatMap(([name, value]) => [name, String(value)])
    headers.push('content-length', String(length))
    const { accept, 'accept-encoding': encoding } = raw.headers
    const sent: SentAnswer = Object.assign({ accept, encoding, headers, payload }, repeatable)
    const others = (this.#answers.get(url) ?? []).filter((known) => !isFor(known, repeatable.tier, raw.headers))
    this.#answers.set(url, [sent, ...others.slice(0, MAX_ANSWERS - 1)])
  }

  #answer(request: IncomingMessage, response: ServerResponse): boolean {
    const known = this.#answers.get(request.url ?? '')
    if (!known || !isPlain(request) || this.#options.isPaused()) return false
    const { clock, snapshotAt, newRequestId, onAnswer } = this.#options
    const [began, now] = [performance.now(), clock()]
    if (snapshotAt(now) !== this.#snapshot) return false
    const found = this.#admit(known, request.headers, now)
    if (!found) return false
    const { admission, sent } = found
    const { operation, payload, snapshot } = sent
    const headers = ['x-request-id', newRequestId(), 'cache-control', operation.cacheControl(snapshot, now)]
    const limits = rateHeaders(admission)
    for (const name in limits) headers.push(name, limits[name]!)
    for (const text of sent.headers) headers.push(text)
    admission.settle(true, operation.name)
    response.writeHead(200, headers)
    response.end(payload)
    onAnswer(operation.route, performance.now() - began)
    return true
  }

  /** The answer for a request, once the gate has admitted it; null, with nothing counted, where it must take the whole way. */
  #admit(known: readonly SentAnswer[], headers: IncomingHttpHeaders, now: number) {
    const { gate } = this.#options
    try {
      const key = keyOnly(headers)
      const tier = gate.tierAdmittedAtOnce(key, now)
      const sent = tier && known.find((each) => isFor(each, tier, headers))
      if (!sent || sent.period !== sent.operation.periodAt(now)) return null
      return { sent, admission: gate.admit(key, now, true) as Admission }
    } catch {
      // Without a key, or while the state cannot be read: the whole way says so.
      return null
    }
  }
}
