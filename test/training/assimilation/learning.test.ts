import { expect, test } from 'vitest'
import { HOUR_MS, isoUtc } from '../../../config/domain.ts'
import { seededRandom } from '../../../forecasting/statistics/statistics.ts'
import { type AssimilationExample, examplesOf } from '../../../training/assimilation/examples.ts'
import { fitSteps } from '../../../training/assimilation/fit.ts'
import { observedWaits, readObservedWaits } from '../../../training/assimilation/observed-waits.ts'
import { ownAdjustment } from '../../../training/assimilation/own-factors.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { newWarehouse } from '../../warehouse/new-warehouse.ts'
import { reading } from '../../warehouse/test-rows.ts'

const FIRST = Date.parse('2026-06-01T00:00:00Z')

/** Readings of 400 hours against a forecast of 10 minutes; `kept(lead)` of each deviation is there at the later hour. */
function drawnExamples(kept: (lead_hours: number) => number): AssimilationExample[] {
  const random = seededRandom(7)
  return Array.from({ length: 400 }, (_, k) => {
    const observed_ms = FIRST + k * HOUR_MS
    const minutes = 20 * (random() - 0.5)
    return [0.5, 1.5, 2.5, 6, 12, 24].map((lead_hours) => ({
      iata: 'JFK',
      observed_ms,
      lead_hours,
      is_next_hour: lead_hours < 2,
      wait_minutes: 30 + minutes,
      deviation: { minutes, spread: 10 },
      ratio: 1,
      p10: 25,
      p50: 30,
      p90: 35,
      truth: 30 + kept(lead_hours) * minutes + 2 * (random() - 0.5),
    }))
  }).flat()
}

test('the fit finds how fast a deviation fades', () => {
  const steps = fitSteps(drawnExamples((lead) => Math.exp(-lead / 4)))
  const at = (lead: number) => steps.find(({ lead_hours }) => lead_hours === lead)!
  for (const lead of [0.5, 6, 24]) {
    expect(at(lead).p50.above).toBeCloseTo(Math.exp(-lead / 4), 1)
    expect(at(lead).p50.below).toBeCloseTo(Math.exp(-lead / 4), 1)
    expect(at(lead).p10.above).toBeLessThanOrEqual(at(lead).p90.above + 0.05)
  }
})

test('an airport where deviations last carries more than the shared curves, one where they mean nothing less', () => {
  const lasting = ownAdjustment(drawnExamples(() => 0.9))!
  const noise = ownAdjustment(drawnExamples(() => 0))!
  expect(lasting.carry).toBeGreaterThan(1.3)
  expect(lasting.mae_minutes).toBeLessThan(lasting.issued_mae_minutes)
  expect(noise.carry).toBeLessThan(0.5)
  // With few readings the shared curves stay.
  expect(ownAdjustment(drawnExamples(() => 0).slice(0, 20))).toBeNull()
})

test('an example compares a reading with later hours only', () => {
  const waits = observedWaits([
    { iata: 'JFK', terminal: '4', lane: 'a', observed_ms: FIRST + 70 * 60_000, minutes: 20 },
    { iata: 'JFK', terminal: '5', lane: 'b', observed_ms: FIRST + 65 * 60_000, minutes: 10 },
    { iata: 'JFK', terminal: '4', lane: 'c', observed_ms: FIRST, minutes: 90 },
  ]).get('JFK')!
  // The lane that vanished over half an hour ago is no longer part of the wait.
  expect([...waits.minutes]).toEqual([90, 10, 15])
  const hours: number[] = []
  const examples = examplesOf({
    waits,
    from_ms: FIRST + HOUR_MS,
    to_ms: FIRST + 2 * HOUR_MS,
    hours: 3,
    issued: () => ({ p10: 5, p50: 8, p90: 12 }),
    truthAt: (hour_ms) => {
      hours.push((hour_ms - FIRST) / HOUR_MS)
      return 9
    },
  })
  expect(Math.min(...hours)).toBe(2)
  expect(examples.map(({ lead_hours, is_next_hour }) => [lead_hours, is_next_hour])).toEqual([
    [(2 * 60 - 65) / 60 + 0.5, true],
    [(3 * 60 - 65) / 60 + 0.5, false],
    [(4 * 60 - 65) / 60 + 0.5, false],
  ])
})

test('the warehouse gives what was shown, and nothing that became known after the cutoff', async () => {
  const warehouse = await newWarehouse()
  const at = (minutes: number) => isoUtc(FIRST + minutes * 60_000)
  const row = (minutes: number, wait_minutes: number, over = {}) =>
    reading({
      iata: 'JFK',
      observed_at: at(minutes),
      fetched_at: at(minutes),
      available_at: at(minutes),
      wait_minutes,
      ...over,
    })
  await warehouse.land(readings, [
    row(5, 10, { checkpoint: 'Main' }),
    row(20, 14, { checkpoint: 'Main' }),
    row(21, 6, { checkpoint: 'North' }),
    row(22, 60, { checkpoint: 'Pre', lane: 'precheck' }),
    row(23, 90, { checkpoint: 'South', flags: ['implausible_spike'] }),
    row(40, 30, { checkpoint: 'Main', available_at: at(500) }),
  ])
  const waits = await readObservedWaits(warehouse, { kind: 'security', cutoff_ms: FIRST + 4 * HOUR_MS, days: 1 })
  await warehouse.close()
  expect([...waits.get('JFK')!.minutes]).toEqual([10])
  expect(waits.get('JFK')!.observed_ms[0]).toBe(FIRST + 21 * 60_000)
})
