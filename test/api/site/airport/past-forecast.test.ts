import { expect, test } from 'vitest'
import { HOUR_MS, isoUtc } from '../../../../config/domain.ts'
import type { PastForecast } from '../../../../jobs/calls/archive.ts'
import { createCallClient, unavailable } from '../../../../jobs/calls/define-call.ts'
import { EXHAUSTIVE } from '../../../exhaustive.ts'
import { NOW, THIS_HOUR } from '../../example-snapshot.ts'
import { forecastFrom } from '../../fake-snapshot.ts'
import { openHarness } from '../../harness.ts'

const DAY_AGO = THIS_HOUR - 24 * HOUR_MS

/** The forecast of a day ago: 20 minutes at every hour, where 12.5 were observed. */
function vintage(): PastForecast {
  const all = (value: number) => new Array<number>(24).fill(value)
  return {
    subject: 'forecast',
    oldest_issued_at: null,
    vintage: {
      issued_at: isoUtc(DAY_AGO),
      model: forecastFrom('JFK', DAY_AGO).model,
      series: [
        {
          terminal: '',
          start: isoUtc(DAY_AGO),
          p10: all(110),
          p50: all(200),
          p90: all(310),
          confidence: all(70),
          open: all(255),
          adjusted_to: null,
          observed: all(125),
        },
      ],
    },
  }
}

test.runIf(EXHAUSTIVE)(
  'the last 24 hours stand beside what was forecast for them a day before, asked once an hour',
  async () => {
    let asked = 0
    let isUp = false
    const pipelineClient = createCallClient(async (call) => {
      if (!isUp) throw unavailable(call, 'is not running')
      asked++
      return vintage()
    })
    const { app, controls } = await openHarness({}, { pipelineClient })
    const rows = async () => (await app.inject('/airports/JFK/forecast.json')).json()
    const silent = await rows()
    expect(silent.rows[0]).toMatchObject({ observed_minutes: 13, wait_minutes: null, low: null })
    expect((await app.inject('/airports/JFK')).body).toContain('the forecast of a day ago cannot be read at the moment')
    isUp = true
    controls.now = NOW + HOUR_MS
    const answer = await rows()
    expect(answer.rows[1]).toMatchObject({ period: 'past', observed_minutes: 13, wait_minutes: 20, low: 11, high: 31 })
    expect(answer.description).toMatch(/\d+ of \d+ lay in the range that had been forecast the day before/)
    controls.now += 120_000
    await rows()
    expect(asked).toBe(1)
  },
)
