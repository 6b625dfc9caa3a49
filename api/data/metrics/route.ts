import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { AppDependencies } from '../dependencies.ts'
import type { Gate } from '../gate/admission.ts'
import { notFoundError } from '../rest/unknown-routes.ts'
import { statusReport } from '../status/status-report.ts'
import { metricsAccess } from './metrics-access.ts'
import type { ServiceMetrics } from './service-metrics.ts'
import { addGateCounter } from './service-metrics.ts'
import { addSnapshotGauges } from './snapshot-gauges.ts'

let processRegistry: Registry | null = null

/** Memory, CPU, garbage collection and event loop lag of the process. They are collected once per process. */
function processMetrics(): Registry {
  if (processRegistry) return processRegistry
  processRegistry = new Registry()
  collectDefaultMetrics({ register: processRegistry })
  return processRegistry
}

/** Adds GET /metrics in the text format of Prometheus. Clients that may not read it get 404. */
export function addMetricsRoute(
  app: FastifyInstance,
  { settings, holder, clock = Date.now }: AppDependencies,
  gate: Gate,
  metrics: ServiceMetrics,
): void {
  const { registry } = metrics
  const mayRead = metricsAccess(settings)
  addGateCounter(registry, gate)
  const updateGauges = addSnapshotGauges(registry)
  const all = Registry.merge([registry, processMetrics()])
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!mayRead(request)) throw notFoundError(request)
    const now = clock()
    updateGauges(statusReport(holder.current()?.asOf(now) ?? null, now))
    return reply
      .header('cache-control', 'no-store')
      .type(all.contentType)
      .send(metrics.answerTimes() + (await all.metrics()))
  })
}
