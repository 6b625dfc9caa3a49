import { expect, test } from 'vitest'
import { disagreements } from './check-exemptions.ts'
import { EXEMPTIONS } from './exemptions.ts'
import type { Outcome } from './suites.ts'

const outcome = (scenario: string, over: Partial<Outcome> = {}): Outcome => ({
  scenario,
  met: ['a'],
  unmet: [],
  malformed: false,
  ...over,
})
const [exempt] = EXEMPTIONS.flatMap(({ scenarios, checks, hollow }) => (checks || hollow ? [] : scenarios))
/** All exempt scenarios as they are expected, but for those given. */
const told = (...given: Outcome[]) => {
  const expected = EXEMPTIONS.flatMap(({ scenarios, checks, hollow }) =>
    scenarios.map((scenario) => outcome(scenario, { unmet: hollow ? [] : (checks ?? ['b']) })),
  )
  const others = expected.filter(({ scenario }) => !given.some((one) => one.scenario === scenario))
  return disagreements([{ name: '0.1', outcomes: [...others, ...given] }])
}

test('a scenario is passed, or exempt for a reason; the table is held both ways', () => {
  expect(told(outcome('ping'))).toEqual([])
  expect(told(outcome('ping', { unmet: ['b'] }))).toEqual(['ping (0.1): not passed: b'])
  expect(told(outcome('ping', { met: [] }))).toEqual(['ping (0.1): not passed: nothing was checked'])
  expect(told(outcome(exempt!))).toEqual([`${exempt} (0.1): exempt, but passed; take it off the table`])
  expect(told(outcome(exempt!, { malformed: true }))).toEqual([expect.stringContaining('breaks the schema')])
  expect(told(outcome('server-stateless', { unmet: ['another'] }))).toEqual([expect.stringContaining('unmet: another')])
  expect(disagreements([])).toContain(`${exempt} is exempt, but no suite has it`)
})
