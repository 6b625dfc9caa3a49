import { expect, test } from 'vitest'
import { AirportSize } from '../../../config/vocabulary.ts'
import { typicalModel, typicalQuantiles } from '../../../forecasting/prior/typical.ts'

test('every size, hour and weekday has ordered quantiles, and a confidence where its class was observed', () => {
  for (const size of AirportSize.options)
    for (let weekday = 1; weekday <= 7; weekday++)
      for (let hour = 0; hour < 24; hour++) {
        const { p10, p50, p90, confidence, local_hour, weekend } = typicalQuantiles(size, hour, weekday)
        expect([local_hour, weekend]).toEqual([hour, weekday > 5])
        expect(p10).toBeLessThanOrEqual(p50)
        expect(p50).toBeLessThanOrEqual(p90)
        if (size === 'small') expect(confidence).toBeNull()
        else expect(confidence).toSatisfy((share: number) => share > 0.5 && share < 1)
      }
})

test('a size class without observed airports has no backtest', () => {
  expect(typicalModel('small').backtest).toMatchObject({ mae_minutes: null, samples: 0 })
  expect(typicalModel('large')).toMatchObject({
    basis: 'typical',
    version: expect.stringMatching(/^prior:typical-large@/),
  })
  expect(typicalModel('large').backtest.samples).toBeGreaterThan(10_000)
})
