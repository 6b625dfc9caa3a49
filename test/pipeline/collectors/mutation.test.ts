import { describe, expect, it } from 'vitest'
import { sourceById } from '../../../config/sources.ts'
import { collectors } from '../../../pipeline/collectors/index.ts'
import { repetitions } from '../../exhaustive.ts'
import { CASES } from './cases.ts'
import { contextFor, FETCHED, fixture } from './context.ts'
import { contextAt } from './landable.ts'
import { brokenLaw } from './laws.ts'
import { mutant } from './mutate.ts'

/** Mutants of each parser, shared by its payloads. */
const MUTANTS = repetitions(60, 400)

/** The FAA's and the weather's payloads are of another evening than the queues'. */
const LATER = '2027-01-07T23:50:00Z'

function contextOf(source: string, iata: string | null) {
  if (!/^(faa|awc)-/.test(source)) return contextFor(source, iata, FETCHED)
  return { ...contextFor(source, null, LATER), iataOf: contextAt(LATER).iataOf }
}

describe('the payloads', () => {
  it('cover every parser', () => {
    const tried = new Set(CASES.map(([source]) => sourceById(source).collector))
    expect(collectors.map(({ id }) => id).filter((id) => !tried.has(id))).toEqual([])
  })
})

/** Payloads of the parser that reads this source. */
function payloadsOf(source: string): number {
  const { collector } = sourceById(source)
  return CASES.filter(([other]) => sourceById(other).collector === collector).length
}

describe.each(CASES)('%s, whatever happens to %s', (source, name, iata) => {
  const original = fixture(name)
  const context = contextOf(source, iata)
  const mutants = Math.ceil(MUTANTS / payloadsOf(source))

  it('holds the laws of its table', () => {
    expect(brokenLaw(Buffer.from(original), context)).toBeNull()
    for (let seed = 0; seed < mutants; seed++) {
      const { kind, body } = mutant(original, seed)
      const broken = brokenLaw(body, context)
      if (broken !== null) expect.fail(`seed ${seed} (${kind}): ${broken}\n${body}`)
    }
  })
})
