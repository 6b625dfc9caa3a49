import { expect, test } from 'vitest'
import { DAY_MS } from '../../../config/vocabulary.ts'
import { featureRows, horizonHours } from '../../../forecasting/features/features.ts'
import { prepareSeries, profileAt } from '../../../forecasting/features/profile.ts'
import { contenderQuantiles } from '../../../training/forecasters/contenders.ts'
import { netShareOf } from '../../../training/models/pooled-fit.ts'
import { createNet, disposeNet, normalisationOf } from '../../../training/models/quantile-net.ts'
import { startBackend } from '../../../training/models/tensorflow-backend.ts'
import { DEFAULT_TRAINING_SETTINGS } from '../../../training/settings/training-settings.ts'
import { fakeSeries, peaks, START } from '../fake-series.ts'

test('the share of a net grows with the days it learned from, up to its most', () => {
  const shares = [0, 20, 25, 40, 500].map((days) => netShareOf(days, DEFAULT_TRAINING_SETTINGS.net_share))
  expect(shares).toEqual([0, 0, expect.closeTo(0.225, 6), 0.9, 0.9])
})

test('medians are whole minutes where the waits are, and between them where they are not', async () => {
  await startBackend()
  const wait = peaks(4)
  const now = START + 30 * DAY_MS
  const mediansOf = (waitAt: (hour: number, weekday: number) => number) => {
    const series = prepareSeries(fakeSeries(30, waitAt))
    const rows = featureRows(series, profileAt(series, now)!, horizonHours(now))
    const net = createNet(normalisationOf(rows, []), 1, DEFAULT_TRAINING_SETTINGS.net)
    const { model, rule } = contenderQuantiles({ net, share: 0.5 }, rows)
    disposeNet(net)
    for (const { p10, p50, p90 } of [model, rule])
      p50.forEach((minutes, row) => {
        expect(p10[row]!).toBeLessThanOrEqual(minutes)
        expect(p90[row]!).toBeGreaterThanOrEqual(minutes)
      })
    return [...model.p50, ...rule.p50]
  }
  expect(mediansOf((hour, weekday) => Math.round(wait(hour, weekday))).every(Number.isInteger)).toBe(true)
  expect(mediansOf(wait).some(Number.isInteger)).toBe(false)
})
