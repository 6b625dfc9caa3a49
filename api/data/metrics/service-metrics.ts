import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Counter, Registry } from 'prom-client'
import type { Gate } from '../gate/admission.ts'
import { METHODS } from '../rest/unknown-routes.ts'
import { ResponseTimeHistogram } from './response-time-histogram.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** When its first hook ran (performance.now, ms); 0 for a request that could not be routed. */
    began: number
  }
}

/** Unknown addresses are counted together: strangers must not be able to make labels. */
const UNKNOWN = 'unknown'
const REFUSALS = new Set([401, 403, 429])

const known = new Set<string>(METHODS)

/** What the service counts of itself, for Prometheus. Labels have few values, all of them ours. */
export class ServiceMetrics {
  readonly registry = new Registry()
  readonly #answerTimes = new ResponseTimeHistogram('holdshort_http_request_duration_seconds')
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
    const took = request.began === 0 ? 0 : performance.now() - request.began
    this.#answerTimes.observe(route, method, statusCode, took)
    if (REFUSALS.has(statusCode)) this.#refusals.inc({ status: statusCode })
  }

  /** The histogram of answers as Prometheus reads it; the registry holds the rest. */
  answerTimes(): string {
    return this.#answerTimes.text(
      'Time from the first hook of a request until its answer is ready to be sent; its _count counts the answers.',
    )
  }
}

/**
 * Counts every answer that passes the hooks: all but those to requests that could not be routed. On sending, not when
 * sent: listening for the end of an answer costs more than all else here.
 */
export function countAnswers(app: FastifyInstance, metrics: ServiceMetrics): void {
  app.decorateRequest('began', 0)
  app.addHook('onRequest', (request, _reply, done) => {
    request.began = performance.now()
    done()
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    metrics.countAnswer(request, reply)
    done()
  })
}

/** Shows the gate's own counts when asked; the gate itself knows nothing of metrics. */
export function addGateCounter(registry: Registry, { decisions }: Gate): void {
  new Counter({
    name: 'holdshort_gate_decisions_total',
    help: 'Decisions of the gate on calls with a key.',
    labelNames: ['decision'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [decision, made] of Object.entries(decisions)) this.inc({ decision }, made)
    },
  })
}
