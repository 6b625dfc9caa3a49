import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openHarness, temporaryFolder } from '../api/harness.ts'
import { liveAnswer } from '../jobs/calls/live-answer.ts'
import { disagreements } from './check-exemptions.ts'
import { openKeyProxy } from './key-proxy.ts'
import { report } from './report.ts'
import { INSTALLED, outcomesIn, run } from './suites.ts'

const VERSIONS = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']
interface SuiteRun {
  name: string
  program: 'suite 0.1' | 'suite 0.2'
  args: string[]
}
const RUNS: SuiteRun[] = [
  { name: '0.1', program: 'suite 0.1', args: [] },
  { name: '0.2', program: 'suite 0.2', args: [] },
  ...VERSIONS.map(
    (version): SuiteRun => ({ name: `0.2 ${version}`, program: 'suite 0.2', args: ['--spec-version', version] }),
  ),
]

/** Long enough for three progress messages, one per second. */
const SLOW_MS = 3_300

test.skipIf(!INSTALLED)(
  'every applicable scenario passes; the others are exempt with a reason',
  async () => {
    const { app, keys, controls } = await openHarness()
    controls.answerLive = async () => {
      await sleep(SLOW_MS)
      return liveAnswer()
    }
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as { port: number }
    // The test clock stands still; each request moves it, so that the calls do not all fall into one minute.
    const onRequest = () => {
      controls.now += 100
    }
    const address = await openKeyProxy(port, keys.enterprise.key, onRequest)
    const folder = temporaryFolder()
    const runs = await Promise.all(
      RUNS.map(async ({ name, program, args }) => {
        const out = join(folder, name)
        const command = ['server', '--url', `${address}/mcp`, '--suite', 'all', ...args, '-o', out]
        const { stdout, stderr } = await run(program, command, folder)
        expect(stdout, stderr).toContain('=== SUMMARY ===')
        return { name, outcomes: outcomesIn(out) }
      }),
    )
    const known = await Promise.all([scenariosOf('suite 0.1', folder), scenariosOf('suite 0.2', folder)])
    const ran = new Set(runs.flatMap(({ outcomes }) => outcomes.map(({ scenario }) => scenario)))
    expect([...new Set(known.flat())].filter((scenario) => !ran.has(scenario))).toEqual([])
    expect(disagreements(runs)).toEqual([])
    await expect(report(runs)).toMatchFileSnapshot('./README.md')
  },
  60_000,
)

/** The names of all server scenarios of a suite. */
async function scenariosOf(program: SuiteRun['program'], folder: string): Promise<string[]> {
  const { stdout } = await run(program, ['list', '--server'], folder)
  const names = [...stdout.matchAll(/^ {2}- ([\w-]+)/gm)].map(([, name]) => name!)
  expect(names.length).toBeGreaterThan(30)
  return names
}
