import { expect, test } from 'vitest'
import { ACCURACY } from '../../api/accuracy-content.ts'
import { NOW, snapshotAt } from '../../api/example-snapshot.ts'
import { openHarness } from '../../api/harness.ts'

async function harnessWith(accuracy = ACCURACY) {
  const harness = await openHarness()
  harness.controls.snapshot = snapshotAt(NOW, { accuracy })
  return harness
}

test('any tier reads the record of an airport beside its backtest and the rule, by hours ahead', async () => {
  const { call } = await harnessWith()
  const response = await call('free', '/api/v1/airports/JFK/accuracy?days=7')
  expect(response.statusCode).toBe(200)
  const answer = response.json()
  expect(answer).toMatchObject({ airport: 'JFK', days: 7, recorded_since: '2026-11-01T00:00:00Z', note: null })
  expect(answer.security.horizons.map(({ horizon }: { horizon: string }) => horizon)).toEqual([
    '1 h',
    '2–6 h',
    '7–24 h',
    '25–168 h',
  ])
  expect(answer.security.horizons[0].live).toMatchObject({
    samples: 200,
    mae_minutes: 3,
    pinball_minutes: 1.2,
    coverage_80: 0.79,
    below: 0.09,
    above: 0.12,
    width_minutes: 8,
    brier: 0.11,
    brier_constant: 0.128,
    baseline_mae_minutes: 4,
    skill_mae: { skill: 0.25, low: 0.2, high: 0.29, verdict: 'better' },
    skill_pinball: { low: null, verdict: 'undecided' },
    opposed: 160,
    opposed_mae_minutes: 3,
    persistence_mae_minutes: 6,
    trend_mae_minutes: 5,
  })
  expect(answer.security.horizons[0].backtest.mae_minutes).toBe(2.8)
  expect(answer.security.reliability[0]).toEqual({ confidence: 0.56, observed: 0.54, samples: 100 })
  expect(answer.immigration).toMatchObject([
    { direction: 'entry', horizons: [{ live: { mae_minutes: 8 } }, {}, {}, {}] },
  ])
  expect(answer.typical).toBeNull()
  expect(answer.drift).toEqual({ state: 'steady', since: null, reason: null })
})

test('a drift, a typical forecast and a missing record are each told', async () => {
  const { call } = await harnessWith()
  const accuracyOf = async (iata: string) => (await call('free', `/api/v1/airports/${iata}/accuracy`)).json()
  expect((await accuracyOf('LGA')).drift).toMatchObject({ state: 'on_rule', since: '2026-11-19T08:00:00Z' })
  const typical = await accuracyOf('XSM')
  expect(typical.security.horizons[0].live).toBeNull()
  expect(typical.typical.horizons[0].live).toMatchObject({
    mae_minutes: 6,
    baseline_mae_minutes: null,
    skill_mae: null,
  })
  const backtestOnly = await accuracyOf('GRU')
  expect(backtestOnly.note).toContain('the backtest is all that is known')
  expect(backtestOnly.security.horizons[0]).toMatchObject({ live: null, backtest: { mae_minutes: 2.8 } })
})

test('other periods, unknown airports and calls without a key are refused', async () => {
  const { call } = await harnessWith()
  const wrong = await call('free', '/api/v1/airports/JFK/accuracy?days=8')
  expect(wrong.statusCode).toBe(400)
  expect(wrong.json().errors[0].parameter).toBe('days')
  expect((await call('free', '/api/v1/airports/QQQ/accuracy')).statusCode).toBe(404)
  expect((await call(null, '/api/v1/accuracy')).statusCode).toBe(401)
})

test('the overview adds up all airports and names what is known about the worst misses; CSV has a row a bucket', async () => {
  const { call } = await harnessWith()
  const answer = (await call('free', '/api/v1/accuracy?days=90')).json()
  expect(answer.horizons[0]).toMatchObject({ airports: 2, figures: { samples: 400, mae_minutes: 4 } })
  expect(answer.horizons[3].skill_mae.verdict).toBe('undecided')
  expect(answer.calibration_error).toBeCloseTo(0.01, 3)
  expect(
    answer.airports.map(({ airport, basis, drift }: Record<string, string>) => `${airport} ${basis} ${drift}`),
  ).toEqual(['GRU predicted steady', 'JFK predicted steady', 'LGA predicted on_rule', 'XSM typical steady'])
  expect(answer.misses.map(({ known }: { known: string[] }) => known.length)).toEqual([3, 0])
  const csv = (await call('free', '/api/v1/accuracy', { headers: { accept: 'text/csv' } })).body.trim().split('\r\n')
  expect(csv[0]).toMatch(/^airport,basis,horizon,samples,mae_minutes/)
  expect(csv).toHaveLength(1 + 3 * 4)
})
