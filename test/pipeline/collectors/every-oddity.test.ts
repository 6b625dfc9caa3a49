import { describe, expect, it } from 'vitest'
import { queuesOf } from '../../../pipeline/simulator/catalogue/index.ts'
import type { ExpectedReading } from '../../../pipeline/simulator/sites/site.ts'
import type { ParsedReading } from '../../../warehouse/tables/readings.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { FETCHED, parseAs } from './context.ts'
import { SIMULATED_SOURCES } from './payload-cases.ts'
import { answerWith, type Published } from './payload-of.ts'

const STATES: Published[] = [7, 'closed', 33, 'unknown', 0, 3, 12, 22]

/** Their collectors read place and lane from the address of the request. */
const READ_FROM_ADDRESS = ['zensors-las', 'zensors-bos', 'icn-keyless']

/** A reading has the time of its answer where the answer has one. */
const basisOf = (row: ParsedReading | ExpectedReading) =>
  'observed_at_basis' in row ? row.observed_at_basis : row.observed_at === null ? 'fetch' : 'source'

const lineOf = (row: ParsedReading | ExpectedReading, closed: boolean) =>
  [
    [row.kind, row.iata, row.terminal, row.checkpoint, row.lane, row.observed_at ?? FETCHED, basisOf(row)].join(' | '),
    closed ? 'closed' : [row.wait_minutes, row.wait_minutes_low, row.wait_minutes_high].join(' '),
  ].join(' = ')

/** The readings with a wait or a closure, as lines. */
const landed = (readings: ParsedReading[]) =>
  readings
    .filter(
      (row) => row.status === 'closed' || (row.wait_minutes ?? row.wait_minutes_low ?? row.wait_minutes_high) !== null,
    )
    .map((row) => lineOf(row, row.status === 'closed'))

describe.each([
  ['no oddity', []],
  ['every oddity', ['']],
])('a collector lands what a site publishes with %s', (_, oddities) => {
  it.each(SIMULATED_SOURCES.filter((source) => !READ_FROM_ADDRESS.includes(source)))('%s', (source) => {
    for (const iata of new Set(queuesOf(source).map((queue) => queue.iata)))
      for (const shift of EXHAUSTIVE ? STATES.keys() : [0, 3]) {
        const states = queuesOf(source, iata).map((queue, index) => {
          const state = STATES[(index + shift) % STATES.length]!
          // Such a queue never closes, and its site may have no form for it.
          return state === 'closed' && queue.closes - queue.opens >= 24 ? 'unknown' : state
        })
        const { body, expected = [] } = answerWith(source, states, { iata, oddities })
        const lines = new Set(expected.map((row) => lineOf(row, row.closed)))
        expect(landed(parseAs(source, body, iata).readings).toSorted(), body).toEqual([...lines].toSorted())
      }
  })
})
