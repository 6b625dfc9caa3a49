import type { HoldshortError } from '../../config/errors.ts'
import type { SourceState } from '../../warehouse/publishing/read/source-health.ts'
import { durationText } from './duration-text.ts'

export const OVERALL_STATES = ['ok', 'degraded', 'down', 'starting'] as const
export type OverallState = (typeof OVERALL_STATES)[number]

/** A snapshot older than this is stale: the newest one is usually a minute or two old. */
export const STALE_AFTER_MS = 900_000
/** With an older snapshot no served figure is live or recent any more. */
const DOWN_AFTER_MS = 3_600_000
/** Minimum share of the requested sources that must be healthy. */
const MIN_HEALTHY_SHARE = 0.8

export const OVERALL_RULE =
  'ok: the snapshot is under two publication periods old (two minutes by default; never over 15 minutes) and at least 80 % of the sources requested so far are healthy, and accounts and snapshots can be stored; down: it is an hour old or more, there is none because publishing fails or the data folder cannot be used, or no source answers; degraded: anything between; starting: there is no snapshot yet, or no source has been requested yet.'

/** Faults of the data folder, without which nothing is published. */
const KEEP_FROM_PUBLISHING: ReadonlySet<string> = new Set(['DATA_FOLDER_UNUSABLE', 'WAREHOUSE_CORRUPT'])

export type StateCounts = Record<SourceState, number>

/** Number of sources that have been requested at least once. */
export const requestedSourceCount = ({ healthy, degraded, failing, open_circuit }: StateCounts) =>
  healthy + degraded + failing + open_circuit

const sentence = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`

/** The status of the whole service, with the reason when it is not ok. `faults` are those of the process itself. `snapshotAgeMs` is null while there is no snapshot. */
export function overallStatus(
  snapshotAgeMs: number | null,
  counts: StateCounts,
  faults: readonly Pick<HoldshortError, 'code' | 'message'>[] = [],
): { status: OverallState; reason: string | null } {
  const staleFault = faults.find(({ code }) => code === 'SNAPSHOT_STALE' || code === 'SNAPSHOT_INVALID')
  if (snapshotAgeMs === null) {
    const preventing = staleFault ?? faults.find(({ code }) => KEEP_FROM_PUBLISHING.has(code))
    if (preventing) return { status: 'down', reason: sentence(preventing.message) }
    return { status: 'starting', reason: sentence(faults[0]?.message ?? 'no snapshot has been published yet') }
  }
  const { healthy, degraded } = counts
  const requested = requestedSourceCount(counts)
  const stale = sentence(staleFault?.message ?? `nothing has been published for ${durationText(snapshotAgeMs)}`)
  if (snapshotAgeMs >= DOWN_AFTER_MS) return { status: 'down', reason: stale }
  if (requested > 0 && healthy + degraded === 0)
    return { status: 'down', reason: `None of the ${requested} sources requested so far answers.` }
  if (faults[0] !== undefined) return { status: 'degraded', reason: sentence(faults[0].message) }
  if (requested === 0) return { status: 'starting', reason: 'No source has been requested yet.' }
  if (snapshotAgeMs >= STALE_AFTER_MS) return { status: 'degraded', reason: stale }
  if (healthy / requested < MIN_HEALTHY_SHARE)
    return { status: 'degraded', reason: `Only ${healthy} of ${requested} sources requested so far are healthy.` }
  return { status: 'ok', reason: null }
}
