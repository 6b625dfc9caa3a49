import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS, HORIZON_HOURS, HOUR_MS, isoUtc } from '../../../config/vocabulary.ts'
import { pinball } from '../../../forecasting/skill/metrics.ts'
import { scoreVintages } from '../../../training/record/score-vintages.ts'
import type { Warehouse } from '../../../warehouse/storage/warehouse.ts'
import { deleteUntil, replaceDays } from '../../../warehouse/storage/write.ts'
import { delays } from '../../../warehouse/tables/delays.ts'
import { type Forecast, forecasts } from '../../../warehouse/tables/forecasts.ts'
import { type Rollup, rollups } from '../../../warehouse/tables/rollups.ts'
import type { ScoreRow } from '../../../warehouse/tables/scores.ts'
import { stateChanges } from '../../../warehouse/tables/state-changes.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { newWarehouse } from '../../warehouse/new-warehouse.ts'
import { forecast, listed, rollup } from '../../warehouse/test-rows.ts'

const DAY = Date.parse('2026-11-20T00:00:00Z')

/** A vintage of the next `hours` hours: 10, 20 and 30 minutes, where the baseline says 12, 16 and 40. */
const vintage = (issued_ms: number, hours = 1, over: Partial<Forecast> = {}): Forecast[] =>
  Array.from({ length: hours }, (_, ahead) =>
    forecast(issued_ms + 7_000, issued_ms + ahead * HOUR_MS, 20, {
      p10: 10,
      p90: 30,
      p_within_5: 0.75,
      baseline_p10: 12,
      baseline_p50: 16,
      baseline_p90: 40,
      model_p50: 20,
      rule_p50: 18,
      persistence_p50: 29,
      trend_p50: 22,
      model: 'model:JFK@2026-11-19T04Z',
      ...over,
    }),
  )

async function warehouseWith(rows: { observed: Rollup[]; issued: Forecast[] }): Promise<Warehouse> {
  const warehouse = await newWarehouse()
  await warehouse.land(rollups, rows.observed)
  await warehouse.land(forecasts, rows.issued)
  return warehouse
}

const scoresOf = (warehouse: Warehouse) => warehouse.query<ScoreRow>('SELECT * EXCLUDE (date) FROM scores ORDER BY ALL')

/** Replaces the observed hours of the day, as a rollup does when a reading arrives late. */
const correct = (warehouse: Warehouse, mean: number) =>
  warehouse.write((context) => {
    const day = { kind: 'security', date: '2026-11-20', made_from: null }
    const corrected = `SELECT * REPLACE (${mean} AS mean) FROM rollups WHERE kind = 'security' AND date = '2026-11-20'`
    return replaceDays(context, rollups, [day], corrected)
  })

test('an hour is scored by hand-computed sums, in the bucket of its hours ahead', async () => {
  const warehouse = await warehouseWith({
    observed: [rollup(DAY + 5 * HOUR_MS, 26), rollup(DAY + 6 * HOUR_MS, 33)],
    issued: vintage(DAY + 5 * HOUR_MS, 2),
  })
  expect(await scoreVintages(warehouse, { now: DAY + DAY_MS })).toBe(1)
  const [first, second, ...more] = await scoresOf(warehouse)
  expect(more).toEqual([])
  const loss = (wait: number, p10: number, p50: number, p90: number) =>
    (pinball(0.1, wait, p10) + pinball(0.5, wait, p50) + pinball(0.9, wait, p90)) / 3
  expect(first).toMatchObject({ day: isoUtc(DAY), kind: 'security', iata: 'JFK', direction: null, from_hours: 0 })
  expect(first).toMatchObject({ basis: 'predicted', served: 'model', confidence_tenth: 7, samples: 1, claimed: 1 })
  expect(first).toMatchObject({
    error_minutes: 6,
    below: 0,
    above: 0,
    width_minutes: 20,
    within_5: 0,
    confidence: 0.75,
  })
  expect(first?.pinball_minutes).toBeCloseTo(loss(26, 10, 20, 30), 10)
  expect(first?.brier).toBeCloseTo(0.75 ** 2, 10)
  expect(first).toMatchObject({ compared: 1, compared_error_minutes: 6, baseline_error_minutes: 10 })
  expect(first?.baseline_pinball_minutes).toBeCloseTo(loss(26, 12, 16, 40), 10)
  expect(first).toMatchObject({ contended: 1, model_error_minutes: 6, rule_error_minutes: 8, model_above_median: 1 })
  expect(first).toMatchObject({ opposed: 1, opposed_error_minutes: 6 })
  expect(first).toMatchObject({ persistence_error_minutes: 3, trend_error_minutes: 4 })
  expect(second).toMatchObject({ from_hours: 1, error_minutes: 13, above: 1, below: 0 })
})

test('scoring again changes nothing; a corrected hour is scored again, and each ended hour is added', async () => {
  const warehouse = await warehouseWith({
    observed: [rollup(DAY, 22), rollup(DAY + HOUR_MS, 22), rollup(DAY + 2 * HOUR_MS, 22)],
    issued: vintage(DAY, 3),
  })
  const samples = async () => (await scoresOf(warehouse)).reduce((sum, row) => sum + row.samples, 0)
  // The hour from 02:00 is still running.
  expect(await scoreVintages(warehouse, { now: DAY + 2 * HOUR_MS + 5 })).toBe(1)
  expect(await samples()).toBe(2)
  expect(await scoreVintages(warehouse, { now: DAY + 2 * HOUR_MS + 900_000 })).toBe(0)
  expect(await scoreVintages(warehouse, { now: DAY + 3 * HOUR_MS })).toBe(1)
  expect(await samples()).toBe(3)
  const before = await scoresOf(warehouse)
  await correct(warehouse, 29)
  expect(await scoreVintages(warehouse, { now: DAY + 3 * HOUR_MS })).toBe(1)
  const after = await scoresOf(warehouse)
  expect(before.reduce((sum, row) => sum + row.error_minutes, 0)).toBe(6)
  expect(after.reduce((sum, row) => sum + row.error_minutes, 0)).toBe(27)
})

test.runIf(EXHAUSTIVE)(
  'a day keeps its scores when vintages are deleted by age, also when an hour is corrected afterwards',
  async () => {
    const issued = [...vintage(DAY - DAY_MS, 48), ...vintage(DAY, 24)]
    const warehouse = await warehouseWith({ observed: [rollup(DAY + HOUR_MS, 22)], issued })
    await scoreVintages(warehouse, { now: DAY + DAY_MS })
    const before = await scoresOf(warehouse)
    expect(before.map(({ samples }) => samples)).toEqual([1, 1])
    await warehouse.write((context) => deleteUntil(context, forecasts, '2026-11-19'))
    await correct(warehouse, 99)
    expect(await scoreVintages(warehouse, { now: DAY + DAY_MS })).toBe(0)
    expect(await scoresOf(warehouse)).toEqual(before)
  },
)

test.runIf(EXHAUSTIVE)('the newest days are scored first and the others stay due', async () => {
  const days = [0, 1, 2, 3]
  const warehouse = await warehouseWith({
    observed: days.map((day) => rollup(DAY + day * DAY_MS, 20)),
    issued: days.flatMap((day) => vintage(DAY + day * DAY_MS, 1)),
  })
  const now = DAY + 4 * DAY_MS
  expect(await scoreVintages(warehouse, { now, maxDays: 3 })).toBe(3)
  expect((await scoresOf(warehouse)).map(({ day }) => day)).not.toContain(isoUtc(DAY))
  expect(await scoreVintages(warehouse, { now, maxDays: 3 })).toBe(1)
  expect(await scoreVintages(warehouse, { now, maxDays: 3 })).toBe(0)
})

test.runIf(EXHAUSTIVE)(
  'terminals and border directions are scored by their own waits, and hours of travellers alone are not',
  async () => {
    const border = (terminal: string, checkpoint: string, mean: number, samples: number) =>
      rollup(DAY, mean, { kind: 'immigration', level: 'lane', iata: 'ZRH', terminal, checkpoint, samples })
    const warehouse = await warehouseWith({
      observed: [
        rollup(DAY, 20),
        rollup(DAY, 40, { level: 'terminal', terminal: '4' }),
        rollup(DAY + HOUR_MS, 77, { source: 'crowd' }),
        border('A', 'Passport control arrivals', 10, 1),
        border('B', 'Passport control arrivals', 16, 2),
      ],
      issued: [
        ...vintage(DAY, 2),
        ...vintage(DAY, 1, { terminal: '4' }),
        ...vintage(DAY, 1, {
          kind: 'immigration',
          iata: 'ZRH',
          direction: 'entry',
          model: 'baseline:ZRH/entry@2026-11-20T00Z',
          baseline_p10: null,
          baseline_p50: null,
          baseline_p90: null,
          model_p50: null,
          rule_p50: null,
        }),
      ],
    })
    await scoreVintages(warehouse, { now: DAY + DAY_MS })
    const rows = (await scoresOf(warehouse)).map(({ iata, terminal, direction, samples, error_minutes, compared }) => ({
      queue: [iata, terminal, direction].join('/'),
      samples,
      error_minutes,
      compared,
    }))
    expect(rows).toEqual(
      expect.arrayContaining([
        { queue: 'JFK//', samples: 1, error_minutes: 0, compared: 1 },
        { queue: 'JFK/4/', samples: 1, error_minutes: 20, compared: 1 },
        { queue: 'ZRH//entry', samples: 1, error_minutes: 6, compared: 0 },
      ]),
    )
    expect(rows).toHaveLength(3)
  },
)

test.runIf(EXHAUSTIVE)(
  'an airport without own forecasts is scored by the worldwide prior, from the first snapshot on and apart by basis',
  async () => {
    const warehouse = await warehouseWith({
      observed: [rollup(DAY + HOUR_MS, 9, { iata: 'ARN' }), rollup(DAY + 6 * HOUR_MS, 9, { iata: 'ARN' })],
      issued: [],
    })
    expect(await scoreVintages(warehouse, { now: DAY + DAY_MS })).toBe(0)
    await warehouse.land(stateChanges, [
      { subject: 'source:arn', state: 'healthy', since: isoUtc(DAY + 5 * HOUR_MS), reason: null },
    ])
    expect(await scoreVintages(warehouse, { now: DAY + DAY_MS })).toBe(1)
    const rows = await scoresOf(warehouse)
    expect(rows.map(({ from_hours }) => from_hours)).toEqual([0, 1, 6, 24])
    for (const row of rows) expect(row).toMatchObject({ basis: 'typical', served: 'prior', samples: 1, compared: 0 })
  },
)

test.runIf(EXHAUSTIVE)(
  'the worst hours come with the program in force, and with how the other hours of the day were missed',
  async () => {
    const hours = Array.from({ length: 12 }, (_, hour) => hour)
    const warehouse = await warehouseWith({
      observed: hours.map((hour) => rollup(DAY + hour * HOUR_MS, hour === 6 ? 95 : 21)),
      issued: hours.flatMap((hour) => vintage(DAY + (hour - 1) * HOUR_MS, 2)),
    })
    await warehouse.land(delays, [
      listed(isoUtc(DAY + 6 * HOUR_MS + 600_000), {
        iata: 'JFK',
        type: 'ground_stop',
        reason: 'thunderstorms',
        average_minutes: null,
      }),
    ])
    await scoreVintages(warehouse, { now: DAY + DAY_MS })
    const rows = await warehouse.query('SELECT * EXCLUDE (date) FROM misses')
    expect(rows).toMatchObject([
      {
        iata: 'JFK',
        hour: isoUtc(DAY + 6 * HOUR_MS),
        p90: 30,
        wait_minutes: 95,
        program: 'ground stop: thunderstorms',
        closed_share: null,
        same_side_share: 1,
      },
    ])
  },
)

test.runIf(EXHAUSTIVE)(
  'sums over any partition of forecasts and hours add up to those of the whole',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ hour: fc.nat({ max: 30 }), wait: fc.nat({ max: 60 }) }), { minLength: 1, maxLength: 12 }),
        fc.array(
          fc.record({
            hour: fc.nat({ max: 20 }),
            hours: fc.integer({ min: 1, max: HORIZON_HOURS }),
            claim: fc.option(fc.integer({ min: 0, max: 100 })),
            iata: fc.constantFrom('JFK', 'LGA'),
          }),
          { minLength: 1, maxLength: 6 },
        ),
        async (waits, issues) => {
          const truth = new Map(waits.map(({ hour, wait }) => [hour, wait]))
          const rows = issues.flatMap(({ hour, hours, claim, iata }, k) =>
            vintage(DAY + hour * HOUR_MS + k * 1_000, hours, {
              iata,
              p_within_5: claim === null ? null : claim / 100,
            }).map((row, ahead) => ({ ...row, valid_at: isoUtc(DAY + (hour + ahead) * HOUR_MS) })),
          )
          const warehouse = await warehouseWith({
            observed: [...truth].flatMap(([hour, wait]) =>
              ['JFK', 'LGA'].map((iata) => rollup(DAY + hour * HOUR_MS, wait, { iata })),
            ),
            issued: rows,
          })
          await scoreVintages(warehouse, { now: DAY + 9 * DAY_MS, maxDays: 99 })
          const [sums] = await warehouse.query<{ samples: number; error: number; claimed: number }>(
            'SELECT coalesce(sum(samples), 0)::INTEGER AS samples, coalesce(sum(error_minutes), 0) AS error, coalesce(sum(claimed), 0)::INTEGER AS claimed FROM scores',
          )
          const known = rows.flatMap((row) => {
            const wait = truth.get((Date.parse(row.valid_at) - DAY) / HOUR_MS)
            return wait === undefined ? [] : [{ row, wait }]
          })
          expect(sums?.samples).toBe(known.length)
          expect(sums?.claimed).toBe(known.filter(({ row }) => row.p_within_5 !== null).length)
          expect(sums?.error).toBeCloseTo(
            known.reduce((sum, { row, wait }) => sum + Math.abs(wait - row.p50), 0),
            6,
          )
        },
      ),
      { numRuns: 15 },
    )
  },
  120_000,
)
