import { expect, test } from 'vitest'
import type { BorderForecast } from '../../../warehouse/publishing/read/border-forecasts.ts'
import { NOW, snapshotAt, THIS_HOUR } from '../../api/example-snapshot.ts'
import { borderForecastFrom, measured } from '../../api/fake-snapshot.ts'
import { type Harness, shareHarness } from '../../api/harness.ts'

const harness = shareHarness()

const hours = borderForecastFrom(THIS_HOUR).hours.with(1, null)
const forecast = (over: Partial<BorderForecast>) => borderForecastFrom(THIS_HOUR, { hours, ...over })

const borderForecasts = [
  forecast({}),
  forecast({ terminal: 'Terminal 4' }),
  forecast({ iata: 'ZRH', direction: 'entry', basis: 'typical', note: 'Taken from US airports.' }),
]

interface Answer {
  horizon_hours: number
  queues: { terminal: string | null; direction: string | null; basis: string; hours: { time: string }[] }[]
  unavailable_reason: string | null
}

async function immigrationOf(harness: Harness, iata: string, tier: 'pro' | 'enterprise'): Promise<Answer> {
  const response = await harness.call(tier, `/api/v1/airports/${iata}/immigration`)
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}

test('hours have basis, source, interval and backtest, as far as the tier sees; an hour without passengers is absent', async () => {
  harness.controls.snapshot = snapshotAt(NOW, { borderForecasts })
  const answer = await immigrationOf(harness, 'JFK', 'pro')
  expect(answer).toMatchObject({ horizon_hours: 24, unavailable_reason: null })
  expect(answer.queues).toHaveLength(1)
  expect(answer.queues[0]).toMatchObject({
    terminal: null,
    basis: 'predicted',
    source: 'model:JFK@2026-11-20T04Z',
    backtest: { mae_minutes: 6.1, baseline_mae_minutes: 6.5, coverage_80: 0.79, samples: 900 },
    unavailable_reason: expect.stringContaining('nobody waits'),
  })
  expect(answer.queues[0]!.hours).toHaveLength(23)
  expect(answer.queues[0]!.hours[0]).toEqual({
    time: '2026-11-21T14:00:00Z',
    local_time: '2026-11-21T09:00:00-05:00',
    wait_minutes: 17,
    low: 9,
    high: 31,
    confidence: 0.48,
  })
  // Enterprise sees seven days and terminals; a Schengen airport has directions; elsewhere the reason stands.
  const jfk = await immigrationOf(harness, 'JFK', 'enterprise')
  expect(jfk.queues.map(({ terminal, hours }) => [terminal, hours.length])).toEqual([
    [null, 167],
    ['Terminal 4', 167],
  ])
  const zurich = await immigrationOf(harness, 'ZRH', 'enterprise')
  expect(zurich.queues).toMatchObject([
    { direction: 'entry', basis: 'typical', note: 'Taken from US airports.' },
    { direction: 'exit', basis: 'typical' },
  ])
  const none = await immigrationOf(harness, 'GRU', 'enterprise')
  expect(none).toMatchObject({ queues: [], unavailable_reason: expect.stringContaining('No forecast') })
  expect(none.unavailable_reason).toContain('no source of its waits covers')
  // Whoever has just read a wait there is not told that there is none.
  harness.controls.snapshot = snapshotAt(NOW, { queues: { 'GRU immigration': measured(NOW, 9) } })
  const young = await immigrationOf(harness, 'GRU', 'enterprise')
  expect(young).toMatchObject({ queues: [], unavailable_reason: expect.stringContaining('its wait is known now') })
})
