import { DAY_MS, HOUR_MS, isoUtc } from '../../../config/domain.ts'
import type { Source } from '../../../config/sources.ts'
import { ageLimitMs, standstillMs } from '../../storage/source-limits.ts'

/**
 * How a source is doing. `degraded`: it answers, but its newest reading is old, its rows are far fewer than usual, its content stands
 * still, or too many of its last runs failed; so a source that was down comes back by way of it. `failing`: its last two runs failed, or
 * all there are. `open_circuit`: it failed so often that only the canary asks it. `not_asked`: on, but never run yet. The table of
 * transitions is in warehouse/README.md.
 */
export const SOURCE_STATES = ['healthy', 'degraded', 'failing', 'open_circuit', 'not_asked', 'off'] as const
export type SourceState = (typeof SOURCE_STATES)[number]

/** One run of a source: all its requests. */
export interface Round {
  /** At least one request answered and could be read. */
  answered: boolean
  /** Nothing was asked, because the circuit was open. */
  left_out: boolean
  rows: number
}

/** What the state is told from; instants in epoch milliseconds. */
export interface Evidence {
  /** Runs of the last day that have ended, the newest first, at most ten. */
  rounds: readonly Round[]
  /** When it was last asked; null when it never was. */
  asked_ms: number | null
  last_success_ms: number | null
  /** Of its newest reading; of its last answer, where an empty one is usual at this hour. */
  newest_observed_ms: number | null
  content_changed_ms: number | null
  /** Median rows of a round over the last week; null before there are enough. */
  usual_rows: number | null
  /** Fewest rows of an hour's rounds at this time of day in the last week; null before there are any. */
  fewest_rows: number | null
  last_error: string | null
}

export interface Judgement {
  state: SourceState
  reason: string | null
}

/** Failed runs in a row that make a source failing; one alone passes. */
const FAILING_ROUNDS = 2
/** Rounds that must all be short of rows; a feed in the middle of an update is forgiven. */
const SHORT_ROUNDS = 3
/** Fewer rounds say nothing about steadiness. */
const ENOUGH_ROUNDS = 4

/** A stretch of time for a person. */
export function spoken(ms: number): string {
  if (ms < 2 * HOUR_MS) return `${Math.round(ms / 60_000)} minutes`
  return ms < 2 * DAY_MS ? `${Math.round(ms / HOUR_MS)} hours` : `${Math.round(ms / DAY_MS)} days`
}

const failing = (count: number, last_error: string | null): Judgement => ({
  state: 'failing',
  reason: `${count === 1 ? 'Its last run' : `Its last ${count} runs`} failed${last_error === null ? '' : ` (${last_error})`}.`,
})
const degraded = (reason: string): Judgement => ({ state: 'degraded', reason })

/** Whether it gives far fewer rows than usual: under half, or under three quarters until it is healthy again. */
function shortOfRows(source: Source, evidence: Evidence, wasHealthy: boolean): string | null {
  // Delays are mostly none, and each airport has its own number of places.
  if (source.kind === 'delays' || source.kind === 'places') return null
  const answered = evidence.rounds.filter((round) => round.answered).slice(0, SHORT_ROUNDS)
  if (answered.length === 0) return null
  const most = Math.max(...answered.map(({ rows }) => rows))
  const { usual_rows, fewest_rows } = evidence
  if (usual_rows === null || usual_rows === 0)
    return most === 0 && answered.length === SHORT_ROUNDS ? 'It answers without any reading.' : null
  // As few at this time of day in the last week: checkpoints that close for the night are no fault.
  if (most >= usual_rows * (wasHealthy ? 0.5 : 0.75) || (fewest_rows !== null && most >= fewest_rows)) return null
  return `It gives ${most} of its usual ${Math.round(usual_rows)} rows.`
}

/** Whether too many of its last runs failed: half of them, or three in ten until it is healthy again. */
function unsteady({ rounds, last_error }: Evidence, wasHealthy: boolean): string | null {
  const failed = rounds.filter(({ answered }) => !answered).length
  if (rounds.length < ENOUGH_ROUNDS || failed < rounds.length * (wasHealthy ? 0.5 : 0.3)) return null
  return `${failed} of its last ${rounds.length} runs failed${last_error === null ? '' : ` (${last_error})`}.`
}

/**
 * The state of a source at `now` (epoch ms), from the state before (null when none is known) and what its runs say. Pure and
 * total; its table of transitions is in warehouse/README.md.
 */
export function nextState(source: Source, before: SourceState | null, evidence: Evidence, now: number): Judgement {
  if (!source.active) return { state: 'off', reason: source.why_off }
  if (evidence.asked_ms === null) return { state: 'not_asked', reason: 'It has not been asked yet.' }
  const { rounds, newest_observed_ms, content_changed_ms, last_success_ms } = evidence
  if (rounds.length === 0)
    return degraded(`It has not been asked since ${isoUtc(evidence.asked_ms)}: our own collecting stood still.`)
  const lastAnswer = rounds.findIndex(({ answered }) => answered)
  const failed = lastAnswer === -1 ? rounds.length : lastAnswer
  if (rounds[0]?.left_out)
    return {
      state: 'open_circuit',
      reason: `It failed so often that only the canary asks it${evidence.last_error === null ? '' : ` (${evidence.last_error})`}.`,
    }
  const wasDown = before === 'failing' || before === 'open_circuit'
  const seldom = source.cadence_seconds * 1_000 >= HOUR_MS
  const enough = failed >= FAILING_ROUNDS || failed === rounds.length || wasDown || seldom
  if (last_success_ms === null || (failed > 0 && enough)) return failing(Math.max(1, failed), evidence.last_error)
  if (newest_observed_ms === null)
    return degraded(
      rounds.every(({ rows }) => rows === 0)
        ? 'It answers, but has given no reading yet.'
        : 'It has given no reading whose time can be believed.',
    )
  const age = now - newest_observed_ms
  if (age > ageLimitMs(source)) return degraded(`Its newest reading is ${spoken(age)} old.`)
  const still = standstillMs(source)
  if (still !== null && content_changed_ms !== null && now - content_changed_ms > still)
    return degraded(`What it sends has not changed for ${spoken(now - content_changed_ms)}.`)
  const wasHealthy = before === null || before === 'healthy' || before === 'not_asked' || before === 'off'
  const short = shortOfRows(source, evidence, wasHealthy) ?? unsteady(evidence, wasHealthy)
  return short === null ? { state: 'healthy', reason: null } : degraded(short)
}
