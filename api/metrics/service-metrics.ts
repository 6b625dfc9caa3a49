import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import { Counter, Registry } from 'prom-client'
import { getOrCreate } from '../../config/once.ts'
import type { Gate } from '../gate/admission.ts'
import { METHODS } from '../rest/unknown-routes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Time of the first hook (performance.now, ms); 0 for a request that could not be routed. */
    began: number
  }
}

/** Unknown paths and methods share one label, so that clients cannot create labels. */
const UNKNOWN = 'unknown'
const REFUSALS = new Set([401, 403, 429])

const knownMethods = new Set<string>(METHODS)

/** Counters of the service for Prometheus. Labels have few values, all defined by us. */
export class ServiceMetrics {
  readonly registry = new Registry()
  readonly #answerTimes = new ResponseTimeHistogram('holdshort_http_request_duration_seconds')
  readonly #refusals = new Counter({
    name: 'holdshort_http_refusals_total',
    help: 'Answers 401 (no valid key), 403 (tier or origin) and 429 (a limit was reached).',
    labelNames: ['status'],
    registers: [this.registry],
  })
  readonly toolCalls = new Counter({
    name: 'holdshort_mcp_tool_calls_total',
    help: 'MCP tool calls by tool, and whether they ended in an answer or a tool error.',
    labelNames: ['tool', 'outcome'],
    registers: [this.registry],
  })

  /** Counts one response under the template of its route, or as one that no route matched. */
  countAnswer(request: FastifyRequest, reply: FastifyReply, route = UNKNOWN): void {
    const method = knownMethods.has(request.method) ? request.method : UNKNOWN
    const { statusCode } = reply
    const took = request.began === 0 ? 0 : performance.now() - request.began
    this.#answerTimes.observe(route, method, statusCode, took)
    if (REFUSALS.has(statusCode)) this.#refusals.inc({ status: statusCode })
  }

  /** The histogram of response times in the text format of Prometheus; all other metrics are in the registry. */
  answerTimes(): string {
    return this.#answerTimes.text(
      'Time from the first hook of a request until its answer is ready to be sent; its _count counts the answers.',
    )
  }
}

/**
 * Counts every response of a route; what no route matched is counted where it is answered. It counts in
 * onSend and not when the response has been sent, because a listener per response costs more than the counting. Each route has
 * a counter of its own: Fastify makes an object of the options of a route whenever code reads them from a request.
 */
export function countAnswers(app: FastifyInstance, metrics: ServiceMetrics): void {
  app.decorateRequest('began', 0)
  app.addHook('onRequest', (request, _reply, done) => {
    request.began = performance.now()
    done()
  })
  const counters = new WeakSet<onSendHookHandler>()
  app.addHook('onRoute', (route) => {
    const counter: onSendHookHandler = (request, reply, _payload, done) => {
      metrics.countAnswer(request, reply, route.url)
      done()
    }
    counters.add(counter)
    // The route of HEAD that Fastify adds has the hooks of GET.
    const others = [route.onSend ?? []].flat().filter((hook) => !counters.has(hook as onSendHookHandler))
    route.onSend = [...others, counter] as onSendHookHandler[]
  })
}

/** Exposes the gate's own counts when the metrics are read; the gate does not depend on metrics. */
export function addGateCounter(registry: Registry, { decisions }: Gate): void {
  new Counter({
    name: 'holdshort_gate_decisions_total',
    help: 'Decisions of the gate on calls with a key.',
    labelNames: ['decision'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [decision, count] of Object.entries(decisions)) this.inc({ decision }, count)
    },
  })
}

/** Upper bounds of the buckets. Cached answers take about 0.1 ms, the slowest some hundred milliseconds. */
const BOUNDS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]

interface Cell {
  /** Responses by the first bound that they do not exceed; the last element is for those above all bounds. */
  counts: number[]
  sum_ms: number
}

/**
 * A histogram of response times by route, method and class of status. Counting a response allocates nothing, because every
 * response is counted; the histogram of prom-client builds an object and a text for the labels each time.
 */
export class ResponseTimeHistogram {
  readonly #name: string
  /** Cells by route, then method, then the first digit of the status code. */
  readonly #cells = new Map<string, Map<string, Cell[]>>()

  constructor(name: string) {
    this.#name = name
  }

  observe(route: string, method: string, statusCode: number, milliseconds: number): void {
    const cell =
      this.#cells.get(route)?.get(method)?.[Math.floor(statusCode / 100)] ?? this.#add(route, method, statusCode)
    let place = 0
    while (place < BOUNDS_SECONDS.length && milliseconds > BOUNDS_SECONDS[place]! * 1_000) place++
    cell.counts[place]!++
    cell.sum_ms += milliseconds
  }

  #add(route: string, method: string, statusCode: number): Cell {
    const methods = getOrCreate(this.#cells, route, () => new Map())
    const cell = { counts: new Array<number>(BOUNDS_SECONDS.length + 1).fill(0), sum_ms: 0 }
    getOrCreate(methods, method, () => [])[Math.floor(statusCode / 100)] = cell
    return cell
  }

  /** The histogram in the text format of Prometheus. Labels are our own route templates and methods, so none is escaped. */
  text(help: string): string {
    const lines = [`# HELP ${this.#name} ${help}`, `# TYPE ${this.#name} histogram`]
    for (const [route, methods] of this.#cells)
      for (const [method, classes] of methods)
        classes.forEach((cell, statusClass) => {
          lines.push(...this.#lines(`route="${route}",method="${method}",status="${statusClass}xx"`, cell))
        })
    return `${lines.join('\n')}\n`
  }

  #lines(labels: string, { counts, sum_ms }: Cell): string[] {
    let total = 0
    const buckets = counts.map((count, place) => {
      total += count
      return `${this.#name}_bucket{${labels},le="${BOUNDS_SECONDS[place] ?? '+Inf'}"} ${total}`
    })
    return [...buckets, `${this.#name}_sum{${labels}} ${sum_ms / 1_000}`, `${this.#name}_count{${labels}} ${total}`]
  }
}
