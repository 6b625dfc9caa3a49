import { expect, test } from 'vitest'
import type { ArchiveRequest } from '../../../jobs/calls/archive.ts'
import { ACCURACY } from '../../api/accuracy-content.ts'
import { NOW, snapshotAt, THIS_HOUR } from '../../api/example-snapshot.ts'
import { forecastFrom } from '../../api/fake-snapshot.ts'
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
  const of = async (iata: string) => (await call('free', `/api/v1/airports/${iata}/accuracy`)).json()
  expect((await of('LGA')).drift).toMatchObject({ state: 'on_rule', since: '2026-11-19T08:00:00Z' })
  const typical = await of('XSM')
  expect(typical.security.horizons[0].live).toBeNull()
  expect(typical.typical.horizons[0].live).toMatchObject({
    mae_minutes: 6,
    baseline_mae_minutes: null,
    skill_mae: null,
  })
  const backtestOnly = await of('GRU')
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
  expect((await call('free', '/api/v1/airports/JFK/accuracy/vintage')).json().errors[0].parameter).toBe('as_of')
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

test('a whole past forecast is read as CSV: a row an hour, with what came true and an empty cell where nothing is known', async () => {
  const issued_at = '2026-11-20T14:00:12Z'
  const requests: ArchiveRequest[] = []
  const hours = Array.from({ length: 40 }, (_, ahead) => ahead)
  const model = forecastFrom('JFK', THIS_HOUR).model
  const harness = await openHarness(
    {},
    {
      pipelineClient: {
        close: async () => undefined,
        call: async (_call, request) => {
          requests.push(request as ArchiveRequest)
          const series = {
            terminal: '',
            start: '2026-11-20T14:00:00Z',
            adjusted_to: null,
            p10: hours.map((ahead) => 40 + ahead),
            p50: hours.map((ahead) => 80 + 10 * ahead),
            p90: hours.map((ahead) => 160 + 10 * ahead),
            confidence: hours.map(() => 71),
            observed: hours.map((ahead) => (ahead % 7 === 3 ? null : 95 + 10 * ahead)),
          }
          const vintage = { issued_at, model, series: [series] }
          return { subject: 'forecast', vintage, oldest_issued_at: null } as never
        },
      },
    },
  )
  const address = `/api/v1/airports/JFK/accuracy/vintage?as_of=${issued_at}`
  const json = (await harness.call('free', address)).json()
  const csv = await harness.call('free', address, { headers: { accept: 'text/csv' } })
  expect(csv.headers['content-type']).toContain('text/csv')
  const [header, ...lines] = csv.body.trimEnd().split('\r\n')
  expect(header).toBe('airport,issued_at,model,time,low,wait_minutes,high,confidence,observed_minutes')
  expect(lines).toHaveLength(hours.length)
  expect(lines[0]).toBe(`JFK,${issued_at},${model.version},2026-11-20T14:00:00Z,4,8,16,0.71,10`)
  // The hour in which nothing was observed, and the last one.
  expect(lines[3]).toBe(`JFK,${issued_at},${model.version},2026-11-20T17:00:00Z,4,11,19,0.71,`)
  expect(lines.at(-1)).toContain('2026-11-22T05:00:00Z')
  const cells = lines.map((line) => line.split(','))
  expect(
    cells.map(([, , , time, , wait, , , observed]) => [time, Number(wait), observed === '' ? null : Number(observed)]),
  ).toEqual(
    json.hours.map(({ time, wait_minutes, observed_minutes }: Record<string, unknown>) => [
      time,
      wait_minutes,
      observed_minutes,
    ]),
  )
  // Only hours that have ended are requested, and no terminals.
  expect(requests[0]).toMatchObject({ iata: 'JFK', from: '2026-11-20T14:00:00Z', terminals: false })
  expect(Date.parse(requests[0]!.to)).toBeLessThanOrEqual(NOW)
})
