import type { SourceState } from '../../../warehouse/serving/health/source-state.ts'
import { inWords } from './duration-text.ts'

export const OVERALL_STATES = ['ok', 'degraded', 'down', 'starting'] as const
export type OverallState = (typeof OVERALL_STATES)[number]

/** The newest snapshot is usually a minute or two of age. */
export const OLD_MS = 900_000
/** Beyond it nothing that is served is live or recent any more. */
const DEAD_MS = 3_600_000
/** Least share of the sources asked so far that must be healthy. */
const LEAST_HEALTHY = 0.8

export const OVERALL_RULE =
  'ok: the snapshot is under 15 minutes old and at least 80 % of the sources asked so far are healthy; down: it is an hour old or more, or no source answers; degraded: anything between; starting: there is no snapshot, or no source has been asked yet.'

export type StateCounts = Record<SourceState, number>

/** Sources that have been asked at all. */
export const askedSources = ({ healthy, degraded, failing, open_circuit }: StateCounts) =>
  healthy + degraded + failing + open_circuit

/** How the service as a whole is doing, and why when it is not well. `snapshotAgeMs` is null while there is no snapshot. */
export function overallStatus(
  snapshotAgeMs: number | null,
  counts: StateCounts,
): { status: OverallState; reason: string | null } {
  if (snapshotAgeMs === null) return { status: 'starting', reason: 'No snapshot has been published yet.' }
  const { healthy, degraded } = counts
  const asked = askedSources(counts)
  const old = `Nothing has been published for ${inWords(snapshotAgeMs)}.`
  if (snapshotAgeMs >= DEAD_MS) return { status: 'down', reason: old }
  if (asked === 0) return { status: 'starting', reason: 'No source has been asked yet.' }
  if (healthy + degraded === 0) return { status: 'down', reason: `None of the ${asked} sources asked so far answers.` }
  if (snapshotAgeMs >= OLD_MS) return { status: 'degraded', reason: old }
  if (healthy / asked < LEAST_HEALTHY)
    return { status: 'degraded', reason: `Only ${healthy} of ${asked} sources asked so far are healthy.` }
  return { status: 'ok', reason: null }
}
