import { ERROR_CODES, HoldshortError } from '../../config/errors.ts'
import { CLOCK_AHEAD_MS, isoUtc } from '../../config/vocabulary.ts'
import type { CallClient } from '../../jobs/calls/define-call.ts'
import { type PipelineState, pipelineStateCall } from '../../jobs/calls/pipeline-state.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { durationText } from './duration-text.ts'

/** What is known of the pipeline: whether it answers, and what it says. */
export interface ProbedPipeline extends PipelineState {
  answers: boolean
}

/** What is known before the pipeline was asked, and while it gives no answer. */
export const UNANSWERED: ProbedPipeline = { answers: false, held_by: null, failed_with: null }

/** Many may ask for the state of the service, and one question in this time is enough. */
const ASK_AGAIN_MS = 5_000

/** Asks the pipeline for its state, at most every five seconds and for half a second. */
export function pipelineProbe(client: CallClient | undefined, clock: () => number): () => Promise<ProbedPipeline> {
  let asked_ms = Number.NEGATIVE_INFINITY
  let answer = Promise.resolve(UNANSWERED)
  return () => {
    const now = clock()
    if (client === undefined || Math.abs(now - asked_ms) < ASK_AGAIN_MS) return answer
    asked_ms = now
    answer = client.call(pipelineStateCall, {}).then(
      (state) => ({ answers: true, ...state }),
      () => UNANSWERED,
    )
    return answer
  }
}

/** Whether a snapshot is so old that the next but one should have been published. */
export const isStale = (snapshot: Snapshot, now: number, publish_seconds: number): boolean =>
  now - snapshot.generated_ms > 2_000 * publish_seconds

function reasonOf({ answers, held_by, failed_with }: ProbedPipeline): string {
  if (held_by !== null) {
    const { name, pid, since } = held_by
    const known = [...(pid === null ? [] : [`process ${pid}`]), ...(since === null ? [] : [`started ${since}`])]
    return `the pipeline waits for ${name}${known.length === 0 ? '' : ` (${known.join(', ')})`}, which holds the warehouse`
  }
  if (!answers) return 'the pipeline gives no answer: it is not running, or it is stuck'
  if (failed_with !== null) {
    const { title } = ERROR_CODES[failed_with]
    return `the last attempt failed: ${title.slice(0, 1).toLowerCase()}${title.slice(1)} (${failed_with}); the pipeline’s log says more`
  }
  return 'the pipeline answers, but it has not finished a publication; its log says why'
}

/** The fault that all forecasts of the own models are over: nothing has been forecast for a week. Null while one reaches ahead, or none was made. */
export function endedForecastsFault(snapshot: Snapshot | null, now: number): HoldshortError | null {
  const end = snapshot?.ownForecastsEnd ?? null
  if (end === null || end > now) return null
  return new HoldshortError(
    'FORECASTS_ENDED',
    `the newest forecast reached until ${isoUtc(end)}: no later one was made`,
  )
}

/** The fault that the newest snapshot is dated ahead of this machine's clock, by which its figures look younger than they are; null if it is not. */
export function futureSnapshotFault(snapshot: Snapshot | null, now: number): HoldshortError | null {
  const ahead_ms = (snapshot?.generated_ms ?? now) - now
  if (ahead_ms <= CLOCK_AHEAD_MS) return null
  return new HoldshortError(
    'SNAPSHOT_AHEAD',
    `the newest snapshot is dated ${durationText(ahead_ms)} ahead of this machine’s clock: that clock is wrong, or the one of the machine that publishes, and ages of figures are too small`,
  )
}

/**
 * The fault that no snapshot was published for two periods, or that something prevents the first publication, with its reason; null if
 * the newest one is younger, or the first is being made.
 * @returns HoldshortError SNAPSHOT_STALE
 */
export function staleSnapshotFault(
  snapshot: Snapshot | null,
  now: number,
  publish_seconds: number,
  pipeline: ProbedPipeline,
): HoldshortError | null {
  const isPrevented = pipeline.held_by !== null || pipeline.failed_with !== null
  if (snapshot === null ? !isPrevented : !isStale(snapshot, now, publish_seconds)) return null
  const since = snapshot === null ? 'yet' : `for ${durationText(now - snapshot.generated_ms)}`
  return new HoldshortError(
    'SNAPSHOT_STALE',
    `nothing has been published ${since}, although a snapshot is due every ${durationText(publish_seconds * 1_000)}: ${reasonOf(pipeline)}`,
  )
}
