import { join } from 'node:path'
import { expect, test } from 'vitest'
import { HOUR_MS, isoUtc } from '../../../config/vocabulary.ts'
import { buildPrior } from '../../../training/research/prior.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { writeHistorySet } from './history-set.ts'

test('the prior names the observed classes and scores each airport with a table from the others', async () => {
  const root = await temporaryFolder()
  const rows = ['JFK', 'EWR', 'ATL'].flatMap((iata, k) =>
    Array.from({ length: 24 * 31 }, (_, hour) => {
      const observed = isoUtc(Date.parse('2026-05-04T00:00:00Z') + hour * HOUR_MS)
      return `${iata},,Main,Standard,${observed},${2 * k + (hour % 24 < 12 ? 4 : 10)},,,open`
    }),
  )
  await writeHistorySet(join(root, 'security-made'), rows)
  const { classes, made_from, own_readings } = buildPrior(root, '2026-11-21', 2)
  expect(made_from).toEqual(['security-made'])
  const large = classes.find(({ size }) => size === 'large')!
  expect(large).toMatchObject({ airports: ['ATL', 'EWR', 'JFK'], hours: 3 * 24 * 31, extrapolated_from: null })
  expect(large.leave_one_airport_out).toMatchObject({ airports: 3, samples: 3 * 24 * 31, within_5: 1 })
  // 08:00 in New York is 12:00 UTC: waits of 10, 12 and 14 minutes at the three airports.
  expect(large.table[8]).toMatchObject({ p50: 12 })
  // After a day of own readings the level is known, and the prior alone is 2 minutes off at two of the airports.
  const [oneDay] = own_readings.measured
  expect(oneDay).toMatchObject({ own_days: 1, airports: 3 })
  expect(oneDay!.mae_minutes).toBeLessThan(0.5 * oneDay!.prior_mae_minutes)
  expect(classes.find(({ size }) => size === 'small')).toMatchObject({
    airports: [],
    extrapolated_from: 'large',
    leave_one_airport_out: null,
  })
})

test('a folder whose sets are too short to show a new airport is refused', async () => {
  const root = await temporaryFolder()
  await writeHistorySet(join(root, 'security-short'), ['JFK,,Main,Standard,2026-05-04T00:00:00Z,4,,,open'])
  expect(() => buildPrior(root, '2026-11-21')).toThrow('30 days')
})
