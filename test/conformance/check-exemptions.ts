import { EXEMPTIONS, type Exemption } from './exemptions.ts'
import type { Outcome } from './suites.ts'

/** The results of one run of a suite. */
export interface Run {
  name: string
  outcomes: Outcome[]
}

/** The exemption of a scenario in a run; undefined when it must pass. */
export const exemptionOf = (scenario: string, run: string): Exemption | undefined =>
  EXEMPTIONS.find(({ scenarios, runs }) => scenarios.includes(scenario) && (runs?.includes(run) ?? true))

/** Whether a scenario passes: at least one check succeeded and none failed. */
export const passes = ({ met, unmet }: Outcome) => met.length > 0 && unmet.length === 0

/** Lists results that contradict the table of exemptions: failures that are not exempt, and exemptions that pass. */
export function disagreements(runs: Run[]): string[] {
  const seen = new Set(runs.flatMap(({ outcomes }) => outcomes.map(({ scenario }) => scenario)))
  const unknown = EXEMPTIONS.flatMap(({ scenarios }) => scenarios).filter((scenario) => !seen.has(scenario))
  return [
    ...unknown.map((scenario) => `${scenario} is exempt, but no suite has it`),
    ...runs.flatMap((run) => run.outcomes.flatMap((outcome) => disagreement(run.name, outcome) ?? [])),
  ]
}

function disagreement(run: string, outcome: Outcome): string | null {
  const { scenario, met, unmet, malformed } = outcome
  const place = `${scenario} (${run})`
  if (malformed) return `${place}: a message breaks the schema of the protocol`
  const exemption = exemptionOf(scenario, run)
  if (exemption?.checks) {
    const expected = exemption.checks.toSorted().join(', ')
    const found = unmet.toSorted().join(', ')
    return expected === found && met.length > 0 ? null : `${place}: only ${expected} are exempt; unmet: ${found}`
  }
  if (!exemption) return passes(outcome) ? null : `${place}: not passed: ${unmet.join(', ') || 'nothing was checked'}`
  if (exemption.vacuous) return passes(outcome) ? null : `${place}: no longer passes, so it is not vacuous`
  return passes(outcome) ? `${place}: exempt, but passed; remove it from the table` : null
}
