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

const NOW = Date.parse('2026-11-20T12:00:00Z')
const good: SourceRun = { answered: true, skipped: false, rows: 10 }
const bad: SourceRun = { answered: false, skipped: false, rows: 0 }
const skipped: SourceRun = { answered: false, skipped: true, rows: 0 }
const times = (count: number, run: SourceRun) => Array.from({ length: count }, () => run)

/** Evidence of a healthy source; override the fields of the test. */
function evidence(over: Partial<Evidence> = {}): Evidence {
  return {
    runs: times(10, good),
    last_run_ms: NOW - 60_000,
    last_success_ms: NOW - 60_000,
    newest_observed_ms: NOW - 120_000,
    content_changed_ms: NOW - 120_000,
    usual_rows: 10,
    fewest_rows: null,
    still: null,
    waitless: null,
    last_error: null,
    ...over,
  }
}
const seattle = testSource()
const stateOf = (over: Partial<Evidence>, before: SourceState | null = 'healthy', source = seattle) =>
  nextState(source, before, evidence(over), NOW)

describe('the state of a source', () => {
  it('is healthy without a reason when it answers with new readings', () => {
    for (const before of [null, ...SOURCE_STATES])
      expect(stateOf({}, before)).toEqual({ state: 'healthy', reason: null })
  })

  it('is off or not asked, with a reason', () => {
    const off = testSource({ active: false, why_off: 'Its terms forbid it.' })
    expect(stateOf({}, 'healthy', off)).toEqual({ state: 'off', reason: 'Its terms forbid it.' })
    expect(stateOf({ last_run_ms: null, runs: [] }).state).toBe('not_asked')
    expect(stateOf({ runs: [] })).toMatchObject({
      state: 'degraded',
      reason: expect.stringContaining('not been collected since'),
    })
  })

  it('stays healthy when its zones are all known, so that nothing is asked any more', () => {
    const zones = testSource({ kind: 'zones' })
    expect(stateOf({ runs: [], newest_observed_ms: NOW - 90 * DAY_MS }, 'healthy', zones).state).toBe('healthy')
    expect(stateOf({ newest_observed_ms: NOW - 90 * DAY_MS }, 'healthy', zones).state).toBe('healthy')
    expect(stateOf({ last_run_ms: null, runs: [] }, null, zones).state).toBe('not_asked')
  })

  it('is failing at the second failed run; at the first when there is no other, or runs are rare', () => {
    expect(stateOf({ runs: [bad, ...times(9, good)] }).state).toBe('healthy')
    expect(stateOf({ runs: [bad, bad, ...times(8, good)], last_error: 'FETCH_FAILED' })).toEqual({
      state: 'failing',
      reason: 'Its last 2 runs failed (FETCH_FAILED).',
    })
    expect(stateOf({ runs: [bad], last_success_ms: NOW - 2 * DAY_MS }).state).toBe('failing')
    expect(stateOf({ runs: [bad], last_success_ms: null, newest_observed_ms: null }, 'not_asked').state).toBe('failing')
    expect(stateOf({ runs: [bad, good] }, 'healthy', testSource({ cadence_seconds: 86_400 })).state).toBe('failing')
    expect(stateOf({ runs: [bad, ...times(9, good)] }, 'failing').state).toBe('failing')
  })

  it('is an open circuit while its runs are skipped, and recovers through degraded', () => {
    expect(stateOf({ runs: [skipped, ...times(5, bad)] }, 'failing').state).toBe('open_circuit')
    const back = stateOf({ runs: [good, ...times(9, skipped)] }, 'open_circuit')
    expect(back).toMatchObject({ state: 'degraded', reason: '9 of its last 10 runs failed.' })
    expect(stateOf({ runs: [...times(7, good), ...times(3, skipped)] }, 'degraded').state).toBe('degraded')
    expect(stateOf({ runs: [...times(8, good), ...times(2, skipped)] }, 'degraded').state).toBe('healthy')
  })

  it('is degraded when every other run fails, although two never fail in a row', () => {
    const flapping = Array.from({ length: 10 }, (_, i) => (i % 2 ? good : bad))
    expect(stateOf({ runs: flapping }).state).toBe('degraded')
    expect(stateOf({ runs: [...times(7, good), ...times(3, bad)] }).state).toBe('healthy')
  })

  it('is degraded when its newest reading is too old for a source of its kind', () => {
    const old = (hours: number) => ({ newest_observed_ms: NOW - hours * HOUR_MS })
    expect(stateOf(old(1.5))).toEqual({ state: 'degraded', reason: 'Its newest reading is 90 minutes old.' })
    expect(stateOf(old(1.5), 'healthy', testSource({ kind: 'metar' })).state).toBe('healthy')
    expect(stateOf(old(6), 'healthy', testSource({ kind: 'taf' })).state).toBe('healthy')
    const late = testSource({ kind: 'immigration', timeliness: 'history', cadence_seconds: 86_400 })
    expect([stateOf(old(3 * 24), null, late).state, stateOf(old(8 * 24), null, late).state]).toEqual([
      'healthy',
      'degraded',
    ])
    expect(stateOf({ newest_observed_ms: null }).state).toBe('degraded')
  })

  it('is degraded when its content has not changed for a day; a night is allowed, and delays may stay the same', () => {
    const still = (hours: number) => ({ content_changed_ms: NOW - hours * HOUR_MS })
    expect(stateOf(still(10)).state).toBe('healthy')
    expect(stateOf(still(30))).toEqual({ state: 'degraded', reason: 'Its content has not changed for 30 hours.' })
    expect(stateOf(still(30 * 24), 'healthy', testSource({ kind: 'delays' })).state).toBe('healthy')
    expect(stateOf(still(4), 'healthy', testSource({ kind: 'metar' })).state).toBe('degraded')
  })

  it('is degraded when three runs in a row have far fewer rows than usual, and recovers near the usual number', () => {
    const rows = (...counts: number[]) => ({
      runs: [...counts.map((count) => ({ ...good, rows: count })), ...times(7, good)],
    })
    expect(stateOf(rows(4, 4, 10)).state).toBe('healthy')
    expect(stateOf(rows(4, 4, 4))).toEqual({ state: 'degraded', reason: 'It gives 4 of its usual 10 rows.' })
    expect(stateOf(rows(6, 6, 6)).state).toBe('healthy')
    expect(stateOf(rows(6, 6, 6), 'degraded').state).toBe('degraded')
    expect(stateOf(rows(8, 8, 8), 'degraded').state).toBe('healthy')
  })

  it('allows few rows where that is usual at this hour, and an empty list of delays always', () => {
    const empty = { runs: times(10, { ...good, rows: 0 }) }
    expect(stateOf(empty).state).toBe('degraded')
    expect(stateOf({ ...empty, fewest_rows: 0 }).state).toBe('healthy')
    expect(stateOf(empty, 'healthy', testSource({ kind: 'delays' })).state).toBe('healthy')
    expect(stateOf({ ...empty, usual_rows: null })).toEqual({
      state: 'degraded',
      reason: 'It answers without any reading.',
    })
  })
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

it('durations are given in minutes, hours or days', () => {
  expect([50 * 60_000, 5 * HOUR_MS, 3 * DAY_MS].map(durationText)).toEqual(['50 minutes', '5 hours', '3 days'])
})
