import fc from 'fast-check'
import { expect, test } from 'vitest'
import { getAcris } from '../../../answers/questions/get-acris.ts'
import { airportDirectory } from '../../../config/airports/directory.ts'
import type { CheckpointWait, QueueWait } from '../../../config/answer-schemas.ts'
import { sourceById } from '../../../config/sources.ts'
import { isoUtc } from '../../../config/vocabulary.ts'
import { aci } from '../../../pipeline/collectors/aci.ts'
import { observedStatus } from '../../../warehouse/publishing/waits/queue-wait.ts'
import type { ParsedReading } from '../../../warehouse/tables/readings.ts'
import { NOW, snapshotAt } from '../../api/example-snapshot.ts'
import { measured } from '../../api/fake-snapshot.ts'
import { contextFor } from '../../pipeline/collectors/context.ts'

interface Answer {
  current: { queueName: string; projectedWaitTime: number | null; status: string; basis: string | null }[]
}
const acrisOf = (queue: QueueWait, tier: 'pro' | 'enterprise' = 'enterprise') =>
  getAcris.run(
    { iata: 'PHX' },
    { snapshot: snapshotAt(NOW, { queues: { 'PHX security': queue } }), directory: airportDirectory(), tier, now: NOW },
  ) as unknown as Answer

/** Reads an answer as a member of the standard is read: waits in seconds, the list named `current`. */
function readBack(answer: Answer): ParsedReading[] {
  const context = contextFor('aci-phx', 'PHX', isoUtc(NOW))
  const options = {
    ...sourceById('aci-phx').options,
    wait_unit: 'seconds',
    rows: 'current',
    clock: '',
    keep: '',
    id_lanes: '',
    names: '',
  }
  const source = { ...context.source, options }
  return aci.parse(JSON.stringify(answer), { ...context, source }).readings as ParsedReading[]
}

const provenance = {
  basis: 'measured' as const,
  observed_at: isoUtc(NOW - 120_000),
  age_seconds: 120,
  source: 'aci-phx',
  freshness: 'live' as const,
}
const lane = fc.record({
  terminal: fc.constantFrom('3', '4'),
  checkpoint: fc.constantFrom('A', 'Main', 'Checkpoint 5', 'North'),
  lane: fc.constantFrom('standard' as const, 'precheck' as const, 'clear' as const, 'priority' as const),
  wait: fc.option(fc.integer({ min: 0, max: 170 })),
  range: fc.option(fc.record({ low: fc.integer({ min: 0, max: 20 }), high: fc.integer({ min: 21, max: 170 }) })),
})

test('is read back to the same waits by the collector of the standard', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(lane, { minLength: 1, selector: (row) => `${row.terminal} ${row.checkpoint} ${row.lane}` }),
      (lanes) => {
        const terminals = [...new Set(lanes.map(({ terminal }) => terminal))].map((terminal) => ({
          ...measured(NOW, 9).terminals[0]!,
          terminal,
          checkpoints: lanes
            .filter((row) => row.terminal === terminal)
            .map(({ checkpoint, lane: name, wait, range }): CheckpointWait => {
              const status = wait === null ? ('closed' as const) : ('open' as const)
              return {
                checkpoint,
                lane: name,
                wait_minutes: wait,
                range: wait === null ? null : range,
                open: wait !== null,
                ...observedStatus(status, provenance),
                ...provenance,
                unavailable_reason: null,
              }
            }),
        }))
        const line = (...fields: unknown[]) => fields.join('|')
        const expected = lanes.map(({ terminal, checkpoint, lane: name, wait, range }) =>
          line(
            terminal,
            `T${terminal} ${checkpoint}`,
            name,
            wait,
            wait === null ? null : (range?.low ?? null),
            wait === null ? null : (range?.high ?? null),
            wait === null ? 'closed' : 'open',
          ),
        )
        const read = readBack(acrisOf({ ...measured(NOW, 9), terminals })).map((row) =>
          line(
            row.terminal,
            row.checkpoint,
            row.lane,
            row.wait_minutes,
            row.wait_minutes_low,
            row.wait_minutes_high,
            row.status,
          ),
        )
        expect(read.sort()).toEqual(expected.sort())
      },
    ),
    { numRuns: 60 },
  )
})

test('the one queue for who sees no terminals has the range of its lanes', () => {
  const [quiet] = measured(NOW, 5).terminals
  const [busy] = measured(NOW, 19).terminals
  const terminals = [
    { ...quiet!, terminal: '1' },
    { ...busy!, terminal: '4' },
  ]
  expect(acrisOf({ ...measured(NOW, 12), terminals }, 'pro').current).toMatchObject([
    { projectedWaitTime: 720, projectedMinWaitMinutes: 5, projectedMaxWaitMinutes: 19 },
  ])
})

test('has one queue for who sees no terminals, and no figure for an estimate', () => {
  expect(acrisOf(measured(NOW, 9), 'pro').current).toMatchObject([
    { queueName: 'Security All', projectedWaitTime: 540 },
  ])
  const estimate = { ...measured(NOW, 9), basis: 'predicted' as const, terminals: [] }
  expect(acrisOf(estimate, 'pro').current).toMatchObject([{ projectedWaitTime: null, basis: null }])
})
