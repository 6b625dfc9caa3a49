import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { listContains, networkList } from '../../config/networks.ts'
import { once } from '../../config/once.ts'
import type { Settings } from '../../config/settings.ts'
import { SOURCE_STATES } from '../../warehouse/publishing/read/source-health.ts'
import type { AppDependencies } from '../dependencies.ts'
import type { Gate } from '../gate/admission.ts'
import { notFoundError } from '../rest/unknown-routes.ts'
import { OVERALL_STATES } from '../status/overall.ts'
import { type StatusReport, statusReport } from '../status/status-report.ts'
import { addGateCounter, type ServiceMetrics } from './service-metrics.ts'

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

/** Memory, CPU, garbage collection and event loop lag of the process. They are collected once per process. */
const processMetrics = once(() => {
  const register = new Registry()
  collectDefaultMetrics({ register })
  return register
})

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
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request)) throw notFoundError(request)
    const now = clock()
    updateGauges(statusReport(holder.current()?.asOf(now) ?? null, now))
    return reply
      .header('cache-control', 'no-store')
      .type(all.contentType)
      .send(await all.metrics())
  })
}

/** Registers the gauges of the snapshot and the sources. The returned function sets all of them from a status report. */
function addSnapshotGauges(registry: Registry): (report: StatusReport) => void {
  const gauge = <L extends string = never>(name: string, help: string, ...labelNames: L[]) =>
    new Gauge<L>({ name: `holdshort_${name}`, help, labelNames, registers: [registry] })

  const status = gauge('status', 'The status of GET /status: 1 for the one it is, 0 for the others.', 'status')
  const age = gauge('snapshot_age_seconds', 'Age of the snapshot that is served; absent while there is none.')
  const snapshotId = gauge('snapshot_info', 'The snapshot that is served.', 'id', 'simulated')
  const counts = gauge('sources', 'Sources by state.', 'state')
  const state = gauge(
    'source_state',
    'The state that a source is in, as 1; a source that is off has none.',
    'source',
    'state',
  )
  const age_of_reading = gauge('source_reading_age_seconds', 'Age of the newest reading of a source.', 'source')

  return ({ status: overall, snapshot, simulated, sources, counts: byState }) => {
    for (const gauge of [snapshotId, state, age_of_reading]) gauge.reset()
    for (const name of OVERALL_STATES) status.set({ status: name }, Number(name === overall))
    if (snapshot) age.set(snapshot.age_seconds)
    else age.remove()
    if (snapshot) snapshotId.set({ id: snapshot.id, simulated: String(simulated) }, 1)
    for (const name of SOURCE_STATES) counts.set({ state: name }, byState[name])
    for (const { source, state: name, newest_observed_age_seconds: seconds } of sources) {
      if (name === 'off') continue
      state.set({ source, state: name }, 1)
      if (seconds !== null) age_of_reading.set({ source }, seconds)
    }
  }
}

const THIS_MACHINE = networkList(['127.0.0.0/8', '::1'])
const FORWARDING_HEADERS = new Set([
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
])

/**
 * Returns whether a request may read the metrics. Without a setting, only clients on this machine may: the peer of the
 * socket decides, and a request forwarded by a proxy on this machine is refused. With HOLDSHORT_METRICS_FROM, clients in
 * those networks may; the client's address is then read from the forwarding header of a proxy in HOLDSHORT_TRUSTED_PROXIES.
 */
function metricsAccess({ metrics_from }: Settings): (request: FastifyRequest) => boolean {
  if (metrics_from.length === 0)
    return (request) =>
      listContains(THIS_MACHINE, peerOf(request)) && !wasForwarded(request) && hostIsThisMachine(request)
  const readers = networkList(metrics_from)
  return (request) => {
    // Behind an untrusted proxy, `ip` is the proxy's address and the client's is not known.
    if (wasForwarded(request) && request.ip === peerOf(request)) return false
    return listContains(readers, request.ip)
  }
}

const peerOf = ({ socket }: FastifyRequest) => socket.remoteAddress ?? ''

/** Whether a proxy forwarded the request: by a header, or by HTTP/1.0, which nginx uses by default and no scraper does. */
function wasForwarded({ headers, raw }: FastifyRequest): boolean {
  const isForwardingHeader = (name: string) => FORWARDING_HEADERS.has(name) || name.startsWith('x-forwarded-')
  return raw.httpVersion === '1.0' || Object.keys(headers).some(isForwardingHeader)
}

/** Whether the Host is localhost or an IP address. A proxy that adds no header still forwards the public name as Host. */
function hostIsThisMachine({ headers: { host = '' } }: FastifyRequest): boolean {
  const url = `http://${host}`
  const hostname = URL.canParse(url) ? new URL(url).hostname : ''
  return hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
}
