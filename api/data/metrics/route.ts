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

let watched: Registry | null = null

/** Memory, CPU, garbage collection and event-loop lag: of the process, so watched once in it. */
function processMetrics(): Registry {
  if (watched) return watched
  watched = new Registry()
  collectDefaultMetrics({ register: watched })
  return watched
}

/** GET /metrics in the text format of Prometheus; to whoever may not read it there is nothing. */
export function addMetricsRoute(
  app: FastifyInstance,
  { settings, holder, clock = Date.now }: AppDependencies,
  gate: Gate,
  metrics: ServiceMetrics,
): void {
  const { registry } = metrics
  const mayRead = metricsAccess(settings)
  addGateCounter(registry, gate)
  const show = addSnapshotGauges(registry)
  const all = Registry.merge([registry, processMetrics()])
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!mayRead(request)) throw notFoundError(request)
    const now = clock()
    show(statusReport(holder.current()?.asOf(now) ?? null, now))
    return reply
      .header('cache-control', 'no-store')
      .type(all.contentType)
      .send(metrics.answerTimes() + (await all.metrics()))
  })
}
