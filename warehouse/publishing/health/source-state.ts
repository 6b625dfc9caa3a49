import type { Source } from '../../../config/sources.ts'
import { DAY_MS, HOUR_MS, isoUtc } from '../../../config/vocabulary.ts'
import { freshMs } from '../../storage/source-freshness.ts'
import type { SourceState } from '../read/source-health.ts'
import type { StillWaits } from '../waits/still-waits.ts'
import type { WithoutWaits } from '../waits/without-waits.ts'

/** One run of a source, with all its requests. */
export interface SourceRun {
  /** At least one request was answered and could be parsed. */
  answered: boolean
  /** No request was sent, because the circuit was open. */
  skipped: boolean
  rows: number
  /** The time by which the source's clock was ahead, so that its rows were left out: `1 h ahead in America/Vancouver`; null if it was not. */
  clock_ahead?: string | null
}

/** The evidence that a state follows from; instants in epoch milliseconds. */
export interface Evidence {
  /** Finished runs of the last day, newest first, at most ten. */
  runs: readonly SourceRun[]
  /** Start of the last run; null when it was never run. */
  last_run_ms: number | null
  last_success_ms: number | null
  /** Time of its newest reading; time of its last answer where an empty answer is usual at this hour. */
  newest_observed_ms: number | null
  content_changed_ms: number | null
  /** Median rows of a run over the last week; null while there are too few hours. */
  usual_rows: number | null
  /** Fewest rows of an hour's runs at this time of day in the last week; null while there are none. */
  fewest_rows: number | null
  /** An airport whose waits stand still although they are usually long; null if there is none. */
  still: StillWaits | null
  /** That its rows have no wait any more, at a time of day at which they had one; null if it is not so. */
  waitless: WithoutWaits | null
  last_error: string | null
}

export interface Judgement {
  state: SourceState
  reason: string | null
}

/** Failed runs in a row that make a source failing; a single failure does not. */
const FAILING_RUNS = 2
/** Number of runs that must all have too few rows, because a feed may be in the middle of an update. */
const SHORT_RUNS = 3
/** Number of answers in a row whose clock must be ahead: a single one may be chance. */
const CLOCK_RUNS = 3
/** With fewer runs the failure rate is not judged. */
const MIN_RUNS_FOR_RATE = 4

type Schedule = Pick<Source, 'kind' | 'cadence_seconds' | 'timeliness'>

/** METARs are issued hourly, TAFs every six hours; a copy of the map may be days old. */
const REPORT_AGE_MS: Partial<Record<Source['kind'], number>> = {
  metar: 2 * HOUR_MS,
  taf: 9 * HOUR_MS,
  places: 7 * DAY_MS,
  // Each airport is requested once, so that the answers only grow older.
  zones: Number.POSITIVE_INFINITY,
}

/** Age of the newest reading (milliseconds) above which a source is degraded. */
export function ageLimitMs(source: Schedule): number {
  const fresh = freshMs(source)
  return source.timeliness === 'history' ? fresh : Math.max(fresh, REPORT_AGE_MS[source.kind] ?? 0)
}

/** Kinds that may stay the same or be empty: there are no delays or alerts at times, and each airport has its own places and zones. */
const VARIES: ReadonlySet<Source['kind']> = new Set(['delays', 'alerts', 'zones', 'places'])

/**
 * How long a source may send the same bytes (milliseconds). Null for what may stay the same, which is judged by its observation
 * time. A page of waits without a clock may stand still for a night.
 */
export function standstillMs(source: Schedule): number | null {
  if (VARIES.has(source.kind)) return null
  if (source.timeliness === 'history') return 14 * DAY_MS
  if (source.kind === 'metar') return 3 * HOUR_MS
  return source.kind === 'taf' ? 12 * HOUR_MS : DAY_MS
}

/** A duration as text, in minutes, hours or days. */
export function durationText(ms: number): string {
  if (ms < 2 * HOUR_MS) return `${Math.round(ms / 60_000)} minutes`
  return ms < 2 * DAY_MS ? `${Math.round(ms / HOUR_MS)} hours` : `${Math.round(ms / DAY_MS)} days`
}

/**
 * The state of a source at `now` (epoch ms), from its previous state (null when none is recorded) and the evidence of its
 * runs. Pure; the table of transitions is in warehouse/publishing/README.md.
 */
export function nextState(source: Source, before: SourceState | null, evidence: Evidence, now: number): Judgement {
  if (!source.active) return { state: 'off', reason: source.why_off }
  if (evidence.last_run_ms === null) return { state: 'not_asked', reason: 'It has not been collected yet.' }
  // Once the zones of every airport are known, nothing is requested.
  if (evidence.runs.length === 0 && source.kind === 'zones') return { state: 'healthy', reason: null }
  if (evidence.runs.length === 0)
    return degraded(`It has not been collected since ${isoUtc(evidence.last_run_ms)}: our own collection stopped.`)
  const reachability = judgeFailures(source, before, evidence)
  if (reachability) return reachability
  const clock = judgeClock(evidence)
  if (clock) return degraded(clock)
  const age = judgeAge(source, evidence, now)
  if (age) return degraded(age)
  if (evidence.still !== null) return degraded(stillText(evidence.still))
  if (evidence.waitless !== null && source.timeliness === 'live') return degraded(waitlessText(evidence.waitless, now))
  const wasHealthy = before === null || before === 'healthy' || before === 'not_asked' || before === 'off'
  const shortfall = tooFewRows(source, evidence, wasHealthy) ?? tooManyFailures(evidence, wasHealthy)
  return shortfall === null ? { state: 'healthy', reason: null } : degraded(shortfall)
}

const degraded = (reason: string): Judgement => ({ state: 'degraded', reason })

const stillText = ({ iata, low, high, usual_low, usual_high }: StillWaits) => {
  const waits = low === high ? `${high}` : `${Math.floor(low)} to ${Math.ceil(high)}`
  return `Every wait of ${iata} has been ${waits} min for a day; in the four weeks before, eight of ten hours had ${Math.floor(usual_low)} to ${Math.ceil(usual_high)} min.`
}

const waitlessText = ({ last_at, days }: WithoutWaits, now: number) =>
  `Its rows have had no wait for ${durationText(now - Date.parse(last_at) - HOUR_MS)}; at this time of day they had one on ${days} of the 7 days before. A field may have another name.`

const inParentheses = (error: string | null) => (error === null ? '' : ` (${error})`)

/** Whether the circuit is open or the last runs failed; null when neither holds. */
function judgeFailures(source: Source, before: SourceState | null, evidence: Evidence): Judgement | null {
  const { runs, last_error, last_success_ms } = evidence
  if (runs[0]?.skipped)
    return {
      state: 'open_circuit',
      reason: `It failed so often that only canary requests are sent${inParentheses(last_error)}.`,
    }
  const lastAnswer = runs.findIndex(({ answered }) => answered)
  const failed = lastAnswer === -1 ? runs.length : lastAnswer
  const wasDown = before === 'failing' || before === 'open_circuit'
  const isHourlyOrRarer = source.cadence_seconds * 1_000 >= HOUR_MS
  const isEnough = failed >= FAILING_RUNS || failed === runs.length || wasDown || isHourlyOrRarer
  if (last_success_ms !== null && (failed === 0 || !isEnough)) return null
  const count = Math.max(1, failed)
  const subject = count === 1 ? 'Its last run' : `Its last ${count} runs`
  return { state: 'failing', reason: `${subject} failed${inParentheses(last_error)}.` }
}

/** Whether the clock of a source was ahead by whole hours in every one of its last answers; null when it was not. */
function judgeClock({ runs }: Evidence): string | null {
  const answered = runs.filter((run) => run.answered).slice(0, CLOCK_RUNS)
  const clock_ahead = answered[0]?.clock_ahead ?? null
  if (clock_ahead === null || answered.length < CLOCK_RUNS) return null
  if (answered.some((run) => (run.clock_ahead ?? null) === null)) return null
  return `Its clock is ${clock_ahead} in each of its last ${CLOCK_RUNS} answers, and these readings are left out: its time zone rules or ours are wrong.`
}

/** Why the content of a source is too old; null when it is not. */
function judgeAge(source: Source, evidence: Evidence, now: number): string | null {
  const { runs, newest_observed_ms, content_changed_ms } = evidence
  if (newest_observed_ms === null)
    return runs.every(({ rows }) => rows === 0)
      ? 'It answers, but has given no reading yet.'
      : 'It has given no reading with a plausible time.'
  const age = now - newest_observed_ms
  if (age > ageLimitMs(source)) return `Its newest reading is ${durationText(age)} old.`
  const standstill = standstillMs(source)
  if (standstill !== null && content_changed_ms !== null && now - content_changed_ms > standstill)
    return `Its content has not changed for ${durationText(now - content_changed_ms)}.`
  return null
}

/** Why a source has far too few rows: under half of the usual number, or under three quarters until it is healthy again. */
function tooFewRows(source: Source, evidence: Evidence, wasHealthy: boolean): string | null {
  if (VARIES.has(source.kind)) return null
  const answered = evidence.runs.filter((run) => run.answered).slice(0, SHORT_RUNS)
  if (answered.length === 0) return null
  const most = Math.max(...answered.map(({ rows }) => rows))
  const { usual_rows, fewest_rows } = evidence
  if (usual_rows === null || usual_rows === 0)
    return most === 0 && answered.length === SHORT_RUNS ? 'It answers without any reading.' : null
  const limit = usual_rows * (wasHealthy ? 0.5 : 0.75)
  // Checkpoints that close for the night are no fault: as few rows at this time of day are usual.
  const isUsualNow = fewest_rows !== null && most >= fewest_rows
  if (most >= limit || isUsualNow) return null
  return `It gives ${most} of its usual ${Math.round(usual_rows)} rows.`
}

/** Whether too many of its last runs failed: half of them, or three in ten until it is healthy again. */
function tooManyFailures({ runs, last_error }: Evidence, wasHealthy: boolean): string | null {
  const failed = runs.filter(({ answered }) => !answered).length
  if (runs.length < MIN_RUNS_FOR_RATE || failed < runs.length * (wasHealthy ? 0.5 : 0.3)) return null
  return `${failed} of its last ${runs.length} runs failed${inParentheses(last_error)}.`
}
