import { EXEMPTIONS, type Exemption } from './exemptions.ts'
import type { Outcome } from './suites.ts'

/** What one run of a suite found. */
export interface Run {
  name: string
  outcomes: Outcome[]
}

/** Why a scenario need not pass in a run; undefined where it must. */
export const exemptionOf = (scenario: string, run: string): Exemption | undefined =>
  EXEMPTIONS.find(({ scenarios, runs }) => scenarios.includes(scenario) && (runs?.includes(run) ?? true))

/** Whether a scenario was passed: it found something, and nothing amiss. */
export const passes = ({ met, unmet }: Outcome) => met.length > 0 && unmet.length === 0

/** What is not as the table of exemptions says, in either direction, in words. */
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
  const at = `${scenario} (${run})`
  if (malformed) return `${at}: a message breaks the schema of the protocol`
  const exemption = exemptionOf(scenario, run)
  if (exemption?.checks) {
    const [expected, found] = [exemption.checks, unmet].map((checks) => checks.toSorted().join(', '))
    return expected === found && met.length > 0 ? null : `${at}: only ${expected} are exempt; unmet: ${found}`
  }
  if (!exemption) return passes(outcome) ? null : `${at}: not passed: ${unmet.join(', ') || 'nothing was checked'}`
  if (exemption.hollow) return passes(outcome) ? null : `${at}: no longer passed, so not hollow`
  return passes(outcome) ? `${at}: exempt, but passed; take it off the table` : null
}
