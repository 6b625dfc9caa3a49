import { expect, test } from 'vitest'
import { USUAL_RANDOM_FAULTS } from '../../pipeline/simulator/faults.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { soak } from './soak.ts'

/** Rounds of this test are four hours apart; `npm run soak` has one every few minutes. Part of the exhaustive run only. */
test('after two days of all sources with faults, the warehouse holds exactly the expected readings', async () => {
  const report = await soak({
    data_dir: await temporaryFolder(),
    seed: 7,
    from: Date.parse('2026-11-20T00:00:00Z'),
    hours: 48,
    step_minutes: 240,
    random_faults: { ...USUAL_RANDOM_FAULTS, slow_ms: 20 },
    beforeRound: (simulator, round) => {
      if (round % 5 === 3) simulator.rotateKeys()
      // Seattle is down for a day: its circuit opens, and only the canary finds that it works again.
      if (round === 2) simulator.setFault({ hosts: ['www.portseattle.org'], status_503: 1_000 })
      if (round === 8) simulator.setFault({})
    },
  })
  const { sent, landed, probed, failures } = report
  const there = new Set(landed)
  expect(landed).toHaveLength(there.size)
  expect([...sent].filter((reading) => !there.has(reading)).slice(0, 5)).toEqual([])
  expect(landed.filter((reading) => !sent.has(reading) && !probed.has(reading)).slice(0, 5)).toEqual([])
  expect(sent.size).toBeGreaterThan(4_000)
  expect(failures.CIRCUIT_OPEN).toBeGreaterThan(0)
  expect(report.recovered).toBe(1)
  expect(
    landed.filter((reading) => reading.startsWith('sea-cwt')).some((reading) => reading.includes('2026-11-21T1')),
  ).toBe(true)
  // The faults occurred, and every failure has a code of its own.
  expect(failures.PARSE_FAILED).toBeGreaterThan(0)
  expect(failures.INTERNAL).toBeUndefined()
}, 280_000)
