import { expect, it } from 'vitest'
import { createQueueModel } from '../../../../pipeline/simulator/model/queues.ts'
import { sometimes } from '../../../../pipeline/simulator/sites/posted-waits.ts'

const START = Date.parse('2026-11-20T00:00:00Z')

it('oddities of sites last ten minutes, occur in their share of the time, and depend on seed and name', () => {
  const on = (seed: number, oddity: string) => {
    const world = createQueueModel(seed)
    return Array.from({ length: 4_000 }, (_, minute) =>
      sometimes({ queues: world, now: START + minute * 60_000 }, oddity, 0.25),
    )
  }
  const first = on(7, 'spike')
  expect(first.filter(Boolean).length / first.length).toBeCloseTo(0.25, 1)
  for (let spell = 0; spell < first.length; spell += 10) expect(new Set(first.slice(spell, spell + 10)).size).toBe(1)
  expect(on(7, 'spike')).toEqual(first)
  expect(on(8, 'spike')).not.toEqual(first)
  expect(on(7, 'range')).not.toEqual(first)
})
