import { Gauge, type Registry } from 'prom-client'
import { SOURCE_STATES } from '../../../warehouse/publishing/health/source-state.ts'
import { OVERALL_STATES } from '../status/overall.ts'
import type { SourceStatus } from '../status/source-status.ts'
import type { StatusReport } from '../status/status-report.ts'

/** Registers the gauges of the snapshot and the sources. The returned function sets all of them from a status report. */
export function addSnapshotGauges(registry: Registry): (report: StatusReport) => void {
  const gauge = <L extends string = never>(name: string, help: string, ...labelNames: L[]) =>
    new Gauge<L>({ name: `holdshort_${name}`, help, labelNames, registers: [registry] })

  const status = gauge('status', 'The status of GET /status: 1 for the one it is, 0 for the others.', 'status')
  const age = gauge('snapshot_age_seconds', 'Age of the snapshot that is served; absent while there is none.')
  const snapshotId = gauge('snapshot_info', 'The snapshot that is served.', 'id', 'simulated')
  const state = gauge('source_state', 'State of a source: 1 for the one it is in, 0 for the others.', 'source', 'state')
  const bySource: [Gauge<'source'>, (source: SourceStatus) => number | null][] = [
    [
      gauge('source_reading_age_seconds', 'Age of the newest reading of a source.', 'source'),
      (source) => source.newest_observed_age_seconds,
    ],
    [gauge('source_rows', 'Rows of the last good run of a source.', 'source'), ({ rows }) => rows],
    [gauge('source_usual_rows', 'Median rows of its runs of the last days.', 'source'), (source) => source.usual_rows],
  ]
  const uptime = gauge('source_uptime_ratio', 'Share of runs that answered readably.', 'source', 'hours')
  const freshness = gauge(
    'source_freshness_ratio',
    'Share of time with a reading under an hour old.',
    'source',
    'hours',
  )

  return ({ status: overall, snapshot, simulated, sources }) => {
    for (const one of [snapshotId, state, uptime, freshness, ...bySource.map(([shown]) => shown)]) one.reset()
    for (const name of OVERALL_STATES) status.set({ status: name }, Number(name === overall))
    if (snapshot) age.set(snapshot.age_seconds)
    else age.remove()
    if (snapshot) snapshotId.set({ id: snapshot.id, simulated: String(simulated) }, 1)
    for (const one of sources) {
      const { source, windows } = one
      for (const name of SOURCE_STATES) state.set({ source, state: name }, Number(name === one.state))
      for (const [shown, figure] of bySource) {
        const value = figure(one)
        if (value !== null) shown.set({ source }, value)
      }
      for (const { hours, ...shares } of windows) {
        if (shares.uptime !== null) uptime.set({ source, hours }, shares.uptime)
        if (shares.freshness !== null) freshness.set({ source, hours }, shares.freshness)
      }
    }
  }
}
