import { describe, expect, it } from 'vitest'
import { sourceById } from '../../../config/sources.ts'
import { collectors } from '../../../pipeline/collectors/index.ts'
import { repetitions } from '../../exhaustive.ts'
import { contextFor, FETCHED } from './context.ts'
import { contextAt } from './faa-and-weather.ts'
import { violatedInvariant } from './invariants.ts'
import { mutant } from './mutate.ts'
import { PAYLOAD_CASES } from './payload-cases.ts'

/** Mutants per parser, divided among its payloads. */
const MUTANTS = repetitions(12, 400)

/** The fetch time of the FAA and weather payloads, which are of a later day. */
const FETCHED_LATER = '2027-01-07T23:50:00Z'

function contextOf(source: string, iata: string | null) {
  if (!/^(faa|awc)-/.test(source)) return contextFor(source, iata, FETCHED)
  return { ...contextFor(source, null, FETCHED_LATER), iataOf: contextAt(FETCHED_LATER).iataOf }
}

it('the payload cases cover every parser', () => {
  const covered = new Set(PAYLOAD_CASES.map(([source]) => sourceById(source).collector))
  expect(collectors.map(({ id }) => id).filter((id) => !covered.has(id))).toEqual([])
})

/** The number of payloads for the parser of this source. */
function payloadsOf(source: string): number {
  const { collector } = sourceById(source)
  return PAYLOAD_CASES.filter(([other]) => sourceById(other).collector === collector).length
}

describe.each(PAYLOAD_CASES)('%s with a damaged %s', (source, _name, iata, original) => {
  const context = contextOf(source, iata)
  const mutants = Math.ceil(MUTANTS / payloadsOf(source))

  it('keeps the invariants of its table', () => {
    expect(violatedInvariant(Buffer.from(original), context)).toBeNull()
    for (let seed = 0; seed < mutants; seed++) {
      const { kind, body } = mutant(original, seed)
      const violation = violatedInvariant(body, context)
      if (violation !== null) expect.fail(`seed ${seed} (${kind}): ${violation}\n${body}`)
    }
  })
})
