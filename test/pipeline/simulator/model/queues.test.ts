import { describe, expect, it } from 'vitest'
import { airportDirectory } from '../../../../config/airports/directory.ts'
import { DAY_MS, HOUR_MS } from '../../../../config/vocabulary.ts'
import { QUEUES } from '../../../../pipeline/simulator/catalogue/index.ts'
import { createQueueModel } from '../../../../pipeline/simulator/model/queues.ts'
import { repetitions } from '../../../exhaustive.ts'

const START = Date.parse('2026-10-04T00:00:00Z')
const JFK4 = 'JFK/4/Main ChekPoint/standard'
const series = (seed: number, id: string, hours: number) => {
  const world = createQueueModel(seed)
  return Array.from({ length: hours }, (_, hour) => world.waitAt(id, START + hour * HOUR_MS).minutes)
}
const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

describe('the simulated world', () => {
  it('has every queue once', () => {
    expect(new Set(QUEUES.map((queue) => queue.id)).size).toBe(QUEUES.length)
  })

  it('is a function of seed and instant, in whatever order it is queried', () => {
    const forward = series(7, JFK4, 300)
    expect(series(7, JFK4, 300)).toEqual(forward)
    const world = createQueueModel(7)
    const backward = forward.map((_, hour) => world.waitAt(JFK4, START + (299 - hour) * HOUR_MS).minutes)
    expect(backward.reverse()).toEqual(forward)
    expect(series(8, JFK4, 300)).not.toEqual(forward)
  })

  it('closes only the halls that close at night', () => {
    const world = createQueueModel(7)
    const threeAtNight = Date.parse('2026-10-07T07:00:00Z')
    expect(world.waitAt('LGA/B/Main ChekPoint/standard', threeAtNight)).toEqual({ open: false, minutes: null })
    expect(series(7, JFK4, 24 * 40).every((minutes) => minutes !== null)).toBe(true)
  })

  it('has waits in a realistic range', () => {
    const world = createQueueModel(7)
    const waits = QUEUES.flatMap((queue) =>
      Array.from(
        { length: 24 * repetitions(7, 14) },
        (_, hour) => world.waitAt(queue.id, START + hour * HOUR_MS).minutes ?? [],
      ).flat(),
    )
    expect(Math.min(...waits)).toBe(0)
    expect(Math.max(...waits)).toBeLessThan(100)
    expect(median(waits)).toBeGreaterThanOrEqual(2)
    expect(waits.filter((minutes) => minutes > 30).length / waits.length).toBeLessThan(0.04)
  })

  it('can be predicted from its past, but not exactly', () => {
    const waits = series(7, JFK4, 24 * 7 * 9) as number[]
    const eighth = waits.slice(24 * 7 * 8)
    const usual = eighth.map((_, hour) => median(Array.from({ length: 8 }, (__, week) => waits[week * 168 + hour]!)))
    const overall = median(waits)
    const byHour = mean(eighth.map((minutes, hour) => Math.abs(minutes - usual[hour]!)))
    const flat = mean(eighth.map((minutes) => Math.abs(minutes - overall)))
    expect(byHour).toBeLessThan(0.8 * flat)
    expect(byHour).toBeGreaterThan(0.8)
  })

  const inAmerica = (iata: string) => airportDirectory().byIata.get(iata)?.country === 'US'

  it('has longer waits on the Wednesday before Thanksgiving', () => {
    const world = createQueueModel(7)
    const busy = (day: string) =>
      mean(
        QUEUES.filter((queue) => queue.lane !== 'precheck' && inAmerica(queue.iata)).flatMap(({ id }) =>
          [14, 17, 20].flatMap(
            (hour) => world.waitAt(id, Date.parse(`${day}T00:00:00Z`) + hour * HOUR_MS).minutes ?? [],
          ),
        ),
      )
    const ordinary = [1, 2, 3, 4, 5].map((weeks) =>
      busy(new Date(Date.parse('2026-11-25') - weeks * 7 * DAY_MS).toISOString().slice(0, 10)),
    )
    expect(busy('2026-11-25')).toBeGreaterThan(1.4 * mean(ordinary))
  })

  it('publishes every kind of state, with and without a reading', () => {
    const world = createQueueModel(7)
    const states = new Set<string>()
    for (const queue of QUEUES)
      for (let hour = 0; hour < 24 * 7; hour++) states.add(world.publishedAt(queue.id, START + hour * HOUR_MS).state)
    expect([...states].sort()).toEqual(['closed', 'hidden', 'open', 'unknown'])
  })
})
