import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { AppDependencies } from '../dependencies.ts'
import type { Gate } from '../gate/admission.ts'
import { notFoundError } from '../rest/unknown-routes.ts'
import { statusReport } from '../status/status-report.ts'
import { metricsAccess } from './metrics-access.ts'
import type { ServiceMetrics } from './service-metrics.ts'
import { addGateCounter } from './service-metrics.ts'
import { addSnapshotGauges } from './snapshot-gauges.ts'

/** With a bucket: how long ago it last answered this process. */
function addStoreGauge(registry: Registry, { store_age_seconds }: AppDependencies['holder']): void {
  if (!store_age_seconds) return
  new Gauge({
    name: 'holdshort_store_age_seconds',
    help: 'Seconds since the bucket last answered this process; only with a bucket.',
    registers: [registry],
    collect() {
      this.set(store_age_seconds())
    },
  })
}

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
  addStoreGauge(registry, holder)
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
