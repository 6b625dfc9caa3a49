import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import { Counter, Histogram, Registry } from 'prom-client'
import type { Gate } from '../gate/admission.ts'
import { METHODS } from '../rest/unknown-routes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Time of the first hook (performance.now, ms); not set for a request that no hook has seen. */
    began: number | undefined
  }
}

/** Unknown paths and methods share one label, so that clients cannot create labels. */
const UNKNOWN = 'unknown'
const REFUSALS = new Set([401, 403, 429])

const knownMethods = new Set<string>(METHODS)

/** Counters of the service for Prometheus. Labels have few values, all defined by us. */
export class ServiceMetrics {
  readonly registry = new Registry()
  readonly #answerTimes = new Histogram({
    name: 'holdshort_http_request_duration_seconds',
    help: 'Time from the first hook of a request until its answer is ready to be sent; its _count counts the answers.',
    labelNames: ['route', 'method', 'status'],
    // Cached answers take about 0.1 ms, the slowest some hundred milliseconds.
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [this.registry],
  })
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
    const seconds = request.began ? (performance.now() - request.began) / 1_000 : 0
    this.#answerTimes.observe({ route, method, status: `${Math.floor(statusCode / 100)}xx` }, seconds)
    if (REFUSALS.has(statusCode)) this.#refusals.inc({ status: statusCode })
  }
}

/**
 * Counts every response of a route; what no route matched is counted where it is answered. It counts in
 * onSend and not when the response has been sent, because a listener per response costs more than the counting. Each route has
 * a counter of its own: Fastify makes an object of the options of a route whenever code reads them from a request.
 */
export function countAnswers(app: FastifyInstance, metrics: ServiceMetrics): void {
  app.decorateRequest('began', undefined)
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
