import { exemptionOf, passes, type Run } from './check-exemptions.ts'
import { EXEMPTIONS } from './exemptions.ts'
import { STAND_INS } from './substitutes.ts'

const INTRODUCTION = `# Conformance of the MCP server

Made by \`conformance.test.ts\`; do not edit, run \`npx vitest run test/conformance -u\`.

The suites of \`@modelcontextprotocol/conformance\` (0.1.16 and 0.2.0-alpha.12) judge the whole service on a real port, with
every server scenario they have, in every version of the protocol that they know; suite 0.2 also holds each message against
the schema of the protocol. The tests fail when a scenario that applies is not passed, and when one that is exempt begins to be.

    npm ci --prefix test/conformance
    npx vitest run test/conformance

They stand beside this file with versions of their own (335 MB), and are no dependency of the project. Without them the tests
are skipped, which is said. They need Node 22.19 and bring one along where the tests run on an older.

Two things stand between a suite and the server: \`door.ts\` shows an API key, as the suites have no option for one; and
\`stand-ins.ts\` puts a tool, prompt or resource of ours in the place of a like one of the suites’ own reference server.

\`authorization.test.ts\` has the suite’s client go the way to a token at our authorization server (2 of 2 scenarios), and
\`inspector.test.ts\` drives the command line of MCP Inspector 2.12.0 with an \`Authorization\` header.
`

/** The README of this folder: what each run passes, and why the rest does not apply. */
export function report(runs: Run[]): string {
  const counts = runs.map(({ name, outcomes }) => {
    const counted = outcomes.filter(({ scenario }) => {
      const exemption = exemptionOf(scenario, name)
      return !exemption || exemption.checks
    })
    return `| ${name} | ${outcomes.length} | ${counted.length} | ${outcomes.length - counted.length} |`
  })
  const rows = [...passedBy(runs)].sort().map(([scenario, names]) => `| ${scenario} | ${names.join(', ')} |`)
  const exempt = EXEMPTIONS.map(({ scenarios, reason, runs: only, checks }) => {
    const part = [only && `in ${only.join(', ')}`, checks && `of it ${checks.join(', ')}`].filter(Boolean)
    return `| ${[scenarios.join(', '), ...part].join('; ')} | ${reason} |`
  })
  return [
    INTRODUCTION,
    '## Runs\n',
    'A run is a suite and the version of the protocol it was told to speak; without one the suite chooses, and runs the extensions too.\n',
    '| run | scenarios | passed | do not apply |\n| --- | --- | --- | --- |',
    ...counts,
    '\n## Passed\n\n| scenario | runs |\n| --- | --- |',
    ...rows,
    '\n## Stand-ins\n\n| of the suite | of ours |\n| --- | --- |',
    ...STAND_INS.map(([theirs, ours]) => `| ${theirs} | ${ours} |`),
    '\n## Does not apply\n\n| scenarios | why |\n| --- | --- |',
    ...exempt,
    '',
  ].join('\n')
}

function passedBy(runs: Run[]): Map<string, string[]> {
  const passed = new Map<string, string[]>()
  for (const { name, outcomes } of runs)
    for (const outcome of outcomes) {
      const exemption = exemptionOf(outcome.scenario, name)
      const counts = exemption ? exemption.checks !== undefined : passes(outcome)
      if (counts) passed.set(outcome.scenario, [...(passed.get(outcome.scenario) ?? []), name])
    }
  return passed
}
