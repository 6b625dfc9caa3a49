import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, isoUtc } from '../../../../config/vocabulary.ts'
import { seededRandom } from '../../../../forecasting/statistics/statistics.ts'
import {
  ageLimitMs,
  durationText,
  type Evidence,
  nextState,
  type SourceRun,
  standstillMs,
} from '../../../../warehouse/publishing/health/source-state.ts'
import { SOURCE_STATES, type SourceState } from '../../../../warehouse/publishing/read/source-health.ts'
import { testSource } from '../../../pipeline/test-source.ts'
import { testValues } from '../../../values.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const good: SourceRun = { answered: true, skipped: false, rows: 10 }
const bad: SourceRun = { answered: false, skipped: false, rows: 0 }
const skipped: SourceRun = { answered: false, skipped: true, rows: 0 }
/** A run by what it was, or by the rows of its answer. */
const RUNS: Record<string, SourceRun> = { good, bad, skipped }
const runOf = (run: string | number): SourceRun => (typeof run === 'number' ? { ...good, rows: run } : RUNS[run]!)
const hoursAgo = (hours: number | null) => (hours === null ? null : NOW - hours * HOUR_MS)

/** What is known of a source, with times in hours before now; a healthy one has what is not named. */
interface Known extends Partial<Pick<Evidence, 'usual_rows' | 'fewest_rows' | 'last_error'>> {
  runs?: (string | number)[]
  last_run?: number | null
  last_success?: number | null
  newest_observed?: number | null
  content_changed?: number
}

const evidenceOf = ({
  runs = Array(10).fill('good'),
  last_run = 1 / 60,
  last_success = 1 / 60,
  newest_observed = 1 / 30,
  content_changed = 1 / 30,
  ...known
}: Known): Evidence => ({
  runs: runs.map(runOf),
  last_run_ms: hoursAgo(last_run),
  last_success_ms: hoursAgo(last_success),
  newest_observed_ms: hoursAgo(newest_observed),
  content_changed_ms: hoursAgo(content_changed),
  usual_rows: 10,
  fewest_rows: null,
  still: null,
  waitless: null,
  last_error: null,
  ...known,
})

testValues('warehouse/publishing/health/source-state.json', {
  stateOf: (source: Parameters<typeof testSource>[0], before: SourceState | null, known: Known) =>
    nextState(testSource(source), before, evidenceOf(known), NOW),
  durationText: (hours: number) => durationText(hours * HOUR_MS),
})

describe('any evidence', () => {
  const random = seededRandom(20_261_121)
  const pick = <T>(...choices: T[]): T => choices[Math.floor(random() * choices.length)] as T
  const instant = () =>
    pick(null, NOW + 600_000, NOW, NOW - random() * HOUR_MS, NOW - random() * 3 * DAY_MS, NOW - random() * 40 * DAY_MS)
  const anyRun = (): SourceRun => pick(good, bad, skipped, { ...good, rows: Math.floor(random() * 20) })
  const anySource = () =>
    testSource({
      kind: pick('security', 'immigration', 'delays', 'metar', 'taf'),
      timeliness: pick('live', 'history'),
      cadence_seconds: pick(60, 300, 1_800, 86_400),
      active: random() < 0.9,
    })
  const anyEvidence = (): Evidence => ({
    runs: Array.from({ length: Math.floor(random() * 11) }, anyRun),
    last_run_ms: instant(),
    last_success_ms: instant(),
    newest_observed_ms: instant(),
    content_changed_ms: instant(),
    usual_rows: pick(null, 0, 1, 10, 100),
    fewest_rows: pick(null, 0, 5),
    still: pick(null, null, {
      source: 'sea-cwt',
      kind: 'security' as const,
      iata: 'SEA',
      low: 0,
      high: 0,
      usual_low: 2,
      usual_high: 20,
    }),
    waitless: pick(null, null, { source: 'sea-cwt', last_at: isoUtc(NOW - 5 * HOUR_MS), days: 6 }),
    last_error: pick(null, 'FETCH_FAILED'),
  })

  it('gives a state, with a reason unless it is healthy, and never healthy with old readings or failed runs', () => {
    const seen = new Map<SourceState, number>()
    for (let round = 0; round < 20_000; round += 1) {
      const source = anySource()
      const found = anyEvidence()
      const before = pick(null, ...SOURCE_STATES)
      const { state, reason } = nextState(source, before, found, NOW)
      const check = (holds: boolean) => holds || expect.fail(JSON.stringify({ source, before, found, state, reason }))
      if (source.active) check((reason === null) === (state === 'healthy'))
      seen.set(state, (seen.get(state) ?? 0) + 1)
      if (state !== 'healthy') continue
      check(NOW - (found.newest_observed_ms ?? Number.NEGATIVE_INFINITY) <= ageLimitMs(source))
      check(found.runs.some(({ answered }) => answered))
      check(found.runs[0]?.skipped === false)
      const still = standstillMs(source)
      check(still === null || found.content_changed_ms === null || NOW - found.content_changed_ms <= still)
    }
    expect([...seen.keys()].toSorted()).toEqual(SOURCE_STATES.toSorted())
    for (const [state, times] of seen) expect(times, state).toBeGreaterThan(100)
  })

  it('gives the same state again when nothing changed, so a state does not flap by itself', () => {
    for (let round = 0; round < 20_000; round += 1) {
      const source = anySource()
      const found = anyEvidence()
      const first = nextState(source, pick(null, ...SOURCE_STATES), found, NOW)
      if (nextState(source, first.state, found, NOW).state !== first.state)
        expect.fail(JSON.stringify({ source, found, first }))
    }
  })
})
