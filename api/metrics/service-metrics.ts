import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Counter, Histogram, Registry } from 'prom-client'
import { METHODS } from '../rest/methods.ts'

/** Answers take about 0.1 ms from memory, and some hundred ms at worst. */
const BUCKETS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]
/** Unknown addresses are counted together: strangers must not be able to make labels. */
const UNKNOWN = 'unknown'
const REFUSALS = new Set([401, 403, 429])

const known = new Set<string>(METHODS)

/** What the service counts of itself, for Prometheus. Labels have few values, all of them ours. */
export class ServiceMetrics {
  readonly registry = new Registry()
  readonly #requests = new Histogram({
    name: 'holdshort_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer; its _count counts the answers.',
    labelNames: ['route', 'method', 'status'],
    buckets: BUCKETS_SECONDS,
    registers: [this.registry],
  })
  readonly #refusals = new Counter({
    name: 'holdshort_http_refusals_total',
    help: 'Answers 401 (no usable key), 403 (tier or origin) and 429 (a limit was met).',
    labelNames: ['status'],
    registers: [this.registry],
  })
  readonly toolCalls = new Counter({
    name: 'holdshort_mcp_tool_calls_total',
    help: 'MCP tool calls by tool, and whether they ended in an answer or a tool error.',
    labelNames: ['tool', 'outcome'],
    registers: [this.registry],
  })

  /** Counts one answer under the template of its route. */
  countAnswer(request: FastifyRequest, reply: FastifyReply): void {
    const route = request.is404 ? UNKNOWN : (request.routeOptions.url ?? UNKNOWN)
    const method = known.has(request.method) ? request.method : UNKNOWN
    const { statusCode } = reply
    const status = `${Math.floor(statusCode / 100)}xx`
    this.#requests.observe({ route, method, status }, reply.elapsedTime / 1_000)
    if (REFUSALS.has(statusCode)) this.#refusals.inc({ status: statusCode })
  }
}

/** Counts every answer that passes the hooks: all but those to requests that could not be routed. */
export function countAnswers(app: FastifyInstance, metrics: ServiceMetrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    metrics.countAnswer(request, reply)
    done()
  })
}
