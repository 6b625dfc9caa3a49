import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../../config/domain.ts'
import {
  type Evidence,
  nextState,
  type Round,
  SOURCE_STATES,
  type SourceState,
  spoken,
} from '../../../../warehouse/serving/health/source-state.ts'
import { ageLimitMs, standstillMs } from '../../../../warehouse/storage/source-limits.ts'
import { testSource } from '../../../pipeline/test-source.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const good: Round = { answered: true, left_out: false, rows: 10 }
const bad: Round = { answered: false, left_out: false, rows: 0 }
const out: Round = { answered: false, left_out: true, rows: 0 }
const times = (count: number, round: Round) => Array.from({ length: count }, () => round)

/** A source that is well; override what the test is about. */
function evidence(over: Partial<Evidence> = {}): Evidence {
  return {
    rounds: times(10, good),
    asked_ms: NOW - 60_000,
    last_success_ms: NOW - 60_000,
    newest_observed_ms: NOW - 120_000,
    content_changed_ms: NOW - 120_000,
    usual_rows: 10,
    fewest_rows: null,
    last_error: null,
    ...over,
  }
}
const seattle = testSource()
const judged = (over: Partial<Evidence>, before: SourceState | null = 'healthy', source = seattle) =>
  nextState(source, before, evidence(over), NOW)

describe('the state of a source', () => {
  it('is healthy, with nothing to explain, when it answers with new readings', () => {
    for (const before of [null, ...SOURCE_STATES])
      expect(judged({}, before)).toEqual({ state: 'healthy', reason: null })
  })

  it('is off, or not asked, with the reason', () => {
    const off = testSource({ active: false, why_off: 'Its terms forbid it.' })
    expect(judged({}, 'healthy', off)).toEqual({ state: 'off', reason: 'Its terms forbid it.' })
    expect(judged({ asked_ms: null, rounds: [] }).state).toBe('not_asked')
    expect(judged({ rounds: [] })).toMatchObject({
      state: 'degraded',
      reason: expect.stringContaining('not been asked since'),
    })
  })

  it('passes over one failed run, and is failing at the second; where one is all there is, at the first', () => {
    expect(judged({ rounds: [bad, ...times(9, good)] }).state).toBe('healthy')
    expect(judged({ rounds: [bad, bad, ...times(8, good)], last_error: 'FETCH_FAILED' })).toEqual({
      state: 'failing',
      reason: 'Its last 2 runs failed (FETCH_FAILED).',
    })
    expect(judged({ rounds: [bad], last_success_ms: NOW - 2 * DAY_MS }).state).toBe('failing')
    expect(judged({ rounds: [bad], last_success_ms: null, newest_observed_ms: null }, 'not_asked').state).toBe(
      'failing',
    )
    expect(judged({ rounds: [bad, good] }, 'healthy', testSource({ cadence_seconds: 86_400 })).state).toBe('failing')
    expect(judged({ rounds: [bad, ...times(9, good)] }, 'failing').state).toBe('failing')
  })

  it('is an open circuit while its runs are left out, and comes back by way of degraded', () => {
    expect(judged({ rounds: [out, ...times(5, bad)] }, 'failing').state).toBe('open_circuit')
    const back = judged({ rounds: [good, ...times(9, out)] }, 'open_circuit')
    expect(back).toMatchObject({ state: 'degraded', reason: '9 of its last 10 runs failed.' })
    expect(judged({ rounds: [...times(7, good), ...times(3, out)] }, 'degraded').state).toBe('degraded')
    expect(judged({ rounds: [...times(8, good), ...times(2, out)] }, 'degraded').state).toBe('healthy')
  })

  it('is degraded when every other run fails, which alone would never be two in a row', () => {
    const flapping = Array.from({ length: 10 }, (_, i) => (i % 2 ? good : bad))
    expect(judged({ rounds: flapping }).state).toBe('degraded')
    expect(judged({ rounds: [...times(7, good), ...times(3, bad)] }).state).toBe('healthy')
  })

  it('is degraded when its newest reading is too old for a source of its kind', () => {
    const old = (hours: number) => ({ newest_observed_ms: NOW - hours * HOUR_MS })
    expect(judged(old(1.5))).toEqual({ state: 'degraded', reason: 'Its newest reading is 90 minutes old.' })
    expect(judged(old(1.5), 'healthy', testSource({ kind: 'metar' })).state).toBe('healthy')
    expect(judged(old(6), 'healthy', testSource({ kind: 'taf' })).state).toBe('healthy')
    const late = testSource({ kind: 'immigration', timeliness: 'history', cadence_seconds: 86_400 })
    expect([judged(old(3 * 24), null, late).state, judged(old(8 * 24), null, late).state]).toEqual([
      'healthy',
      'degraded',
    ])
    expect(judged({ newest_observed_ms: null }).state).toBe('degraded')
  })

  it('is degraded when a feed without a clock repeats itself round the clock, but not over a night, nor for delays', () => {
    const still = (hours: number) => ({ content_changed_ms: NOW - hours * HOUR_MS })
    expect(judged(still(10)).state).toBe('healthy')
    expect(judged(still(30))).toEqual({ state: 'degraded', reason: 'What it sends has not changed for 30 hours.' })
    expect(judged(still(30 * 24), 'healthy', testSource({ kind: 'delays' })).state).toBe('healthy')
    expect(judged(still(4), 'healthy', testSource({ kind: 'metar' })).state).toBe('degraded')
  })

  it('is degraded when three runs in a row have far fewer rows than usual, and recovers only near the usual', () => {
    const rows = (...counts: number[]) => ({
      rounds: [...counts.map((count) => ({ ...good, rows: count })), ...times(7, good)],
    })
    expect(judged(rows(4, 4, 10)).state).toBe('healthy')
    expect(judged(rows(4, 4, 4))).toEqual({ state: 'degraded', reason: 'It gives 4 of its usual 10 rows.' })
    expect(judged(rows(6, 6, 6)).state).toBe('healthy')
    expect(judged(rows(6, 6, 6), 'degraded').state).toBe('degraded')
    expect(judged(rows(8, 8, 8), 'degraded').state).toBe('healthy')
  })

  it('forgives few rows where that is usual at this hour, and an empty list of delays always', () => {
    const empty = { rounds: times(10, { ...good, rows: 0 }) }
    expect(judged(empty).state).toBe('degraded')
    expect(judged({ ...empty, fewest_rows: 0 }).state).toBe('healthy')
    expect(judged(empty, 'healthy', testSource({ kind: 'delays' })).state).toBe('healthy')
    expect(judged({ ...empty, usual_rows: null })).toEqual({
      state: 'degraded',
      reason: 'It answers without any reading.',
    })
  })
})

describe('for whatever evidence', () => {
  /** Numbers in [0, 1) that are the same in every run (mulberry32). */
  function seeded(seed: number) {
    let a = seed
    return () => {
      a = (a + 0x6d2b79f5) | 0
      let t = Math.imul(a ^ (a >>> 15), 1 | a)
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
      return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
    }
  }
  const random = seeded(20_261_121)
  const pick = <T>(...choices: T[]): T => choices[Math.floor(random() * choices.length)] as T
  const instant = () =>
    pick(null, NOW + 600_000, NOW, NOW - random() * HOUR_MS, NOW - random() * 3 * DAY_MS, NOW - random() * 40 * DAY_MS)
  const anyRound = (): Round => pick(good, bad, out, { ...good, rows: Math.floor(random() * 20) })
  const anySource = () =>
    testSource({
      kind: pick('security', 'immigration', 'delays', 'metar', 'taf'),
      timeliness: pick('live', 'history'),
      cadence_seconds: pick(60, 300, 1_800, 86_400),
      active: random() < 0.9,
    })
  const anyEvidence = (): Evidence => ({
    rounds: Array.from({ length: Math.floor(random() * 11) }, anyRound),
    asked_ms: instant(),
    last_success_ms: instant(),
    newest_observed_ms: instant(),
    content_changed_ms: instant(),
    usual_rows: pick(null, 0, 1, 10, 100),
    fewest_rows: pick(null, 0, 5),
    last_error: pick(null, 'FETCH_FAILED'),
  })

  it('there is a state, with a reason unless it is healthy; and it is never healthy on old readings or failed runs', () => {
    const seen = new Map<SourceState, number>()
    for (let at = 0; at < 20_000; at += 1) {
      const [source, found] = [anySource(), anyEvidence()]
      const before = pick(null, ...SOURCE_STATES)
      const { state, reason } = nextState(source, before, found, NOW)
      const told = JSON.stringify({ source, before, found, state, reason })
      expect(SOURCE_STATES, told).toContain(state)
      if (source.active) expect(reason === null, told).toBe(state === 'healthy')
      seen.set(state, (seen.get(state) ?? 0) + 1)
      if (state !== 'healthy') continue
      expect(NOW - (found.newest_observed_ms ?? Number.NEGATIVE_INFINITY), told).toBeLessThanOrEqual(ageLimitMs(source))
      expect(
        found.rounds.some(({ answered }) => answered),
        told,
      ).toBe(true)
      expect(found.rounds[0]?.left_out, told).toBe(false)
      const still = standstillMs(source)
      if (still !== null && found.content_changed_ms !== null)
        expect(NOW - found.content_changed_ms, told).toBeLessThanOrEqual(still)
    }
    for (const state of SOURCE_STATES) expect(seen.get(state), state).toBeGreaterThan(100)
  })

  it('judging again what was judged changes nothing: a state does not flap by itself', () => {
    for (let at = 0; at < 20_000; at += 1) {
      const [source, found] = [anySource(), anyEvidence()]
      const first = nextState(source, pick(null, ...SOURCE_STATES), found, NOW)
      expect(nextState(source, first.state, found, NOW).state, JSON.stringify({ source, found, first })).toBe(
        first.state,
      )
    }
  })
})

it('stretches of time are spoken as a person would', () => {
  expect([50 * 60_000, 5 * HOUR_MS, 3 * DAY_MS].map(spoken)).toEqual(['50 minutes', '5 hours', '3 days'])
})
