import { Gauge, type Registry } from 'prom-client'
import { SOURCE_STATES } from '../../../warehouse/publishing/health/source-state.ts'
import { OVERALL_STATES } from '../status/overall.ts'
import type { StatusReport } from '../status/status-report.ts'

/** Registers the gauges of the snapshot and the sources. The returned function sets all of them from a status report. */
export function addSnapshotGauges(registry: Registry): (report: StatusReport) => void {
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
    for (const one of [snapshotId, state, age_of_reading]) one.reset()
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
