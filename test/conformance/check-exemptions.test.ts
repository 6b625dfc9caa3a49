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
const [exempt] = EXEMPTIONS.flatMap(({ scenarios, checks, vacuous }) => (checks || vacuous ? [] : scenarios))
/** The disagreements when all exempt scenarios end as expected, except the given outcomes. */
const disagreementsWith = (...outcomes: Outcome[]) => {
  const expected = EXEMPTIONS.flatMap(({ scenarios, checks, vacuous }) =>
    scenarios.map((scenario) => outcome(scenario, { unmet: vacuous ? [] : (checks ?? ['b']) })),
  )
  const others = expected.filter(({ scenario }) => !outcomes.some((other) => other.scenario === scenario))
  return disagreements([{ name: '0.1', outcomes: [...others, ...outcomes] }])
}

test('reports scenarios that fail without exemption and exemptions that pass', () => {
  expect(disagreementsWith(outcome('ping'))).toEqual([])
  expect(disagreementsWith(outcome('ping', { unmet: ['b'] }))).toEqual(['ping (0.1): not passed: b'])
  expect(disagreementsWith(outcome('ping', { met: [] }))).toEqual(['ping (0.1): not passed: nothing was checked'])
  expect(disagreementsWith(outcome(exempt!))).toEqual([`${exempt} (0.1): exempt, but passed; remove it from the table`])
  expect(disagreementsWith(outcome(exempt!, { malformed: true }))).toEqual([
    expect.stringContaining('breaks the schema'),
  ])
  expect(disagreementsWith(outcome('server-stateless', { unmet: ['another'] }))).toEqual([
    expect.stringContaining('unmet: another'),
  ])
  expect(disagreements([])).toContain(`${exempt} is exempt, but no suite has it`)
})
