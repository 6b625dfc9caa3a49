import type { HoldshortError } from '../../config/errors.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { type PeriodicTask, type Stores, serviceFaults } from '../dependencies.ts'
import {
  endedForecastsFault,
  futureSnapshotFault,
  isStale,
  type ProbedPipeline,
  pipelineProbe,
  staleSnapshotFault,
  UNANSWERED,
} from './stale-snapshot.ts'
import { serviceStatus } from './status-report.ts'

/** Every fault of the service at `now` (epoch ms), the worst first. */
export function faultsOf(
  dependencies: Stores,
  snapshot: Snapshot | null,
  now: number,
  pipeline: ProbedPipeline,
): HoldshortError[] {
  const { publish_seconds } = dependencies.settings
  const own = serviceFaults(dependencies)
  const isUnread = own.some(({ code }) => code === 'SNAPSHOT_INVALID')
  const found = [
    // A newer one was published where it cannot be read.
    isUnread ? null : staleSnapshotFault(snapshot, now, publish_seconds, pipeline),
    futureSnapshotFault(snapshot, now),
    endedForecastsFault(snapshot, now),
  ]
  return [...own, ...found.filter((fault) => fault !== null)]
}

/** The health of the process at `now` (epoch ms), with its faults. The pipeline is requested only if nothing new is published. */
export async function healthOf(dependencies: Stores, now: number, probe: () => Promise<ProbedPipeline>) {
  const snapshot = dependencies.holder.current()?.asOf(now) ?? null
  const isAwaited = snapshot === null || isStale(snapshot, now, dependencies.settings.publish_seconds)
  const faults = faultsOf(dependencies, snapshot, now, isAwaited ? await probe() : UNANSWERED)
  const { status, reason } = serviceStatus(snapshot, now, faults)
  return { snapshot, faults, status, reason }
}

const TIMEOUT_MS = 10_000

/** Calls the operator's watchdog while the service is healthy: what does not hear of it for a while sounds the alarm. */
export const heartbeatTask: PeriodicTask = {
  name: 'heartbeat',
  every_ms: 60_000,
  async run(dependencies, now, stopping) {
    const { settings, pipelineClient, clock = Date.now, logger } = dependencies
    const { heartbeat_url } = settings
    if (heartbeat_url === undefined) return
    const { status, reason } = await healthOf(dependencies, now, pipelineProbe(pipelineClient, clock))
    if (status !== 'ok') return logger?.debug({ status, reason }, 'no heartbeat is sent')
    const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(stopping ? [stopping] : [])])
    try {
      const { request } = await import('undici')
      const { statusCode, body } = await request(heartbeat_url, { signal })
      await body.dump()
      if (statusCode >= 400) logger?.warn({ status: statusCode }, 'the heartbeat was refused')
    } catch (error) {
      // The address may hold a secret, and is not logged.
      logger?.warn({ error: (error as Error).message }, 'the heartbeat could not be sent')
    }
  },
}
