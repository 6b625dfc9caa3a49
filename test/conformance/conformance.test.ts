import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openHarness, temporaryFolder } from '../api/harness.ts'
import { liveAnswer } from '../jobs/calls/live-answer.ts'
import { disagreements } from './check-exemptions.ts'
import { openDoor } from './key-proxy.ts'
import { report } from './report.ts'
import { INSTALLED, outcomesIn, run } from './suites.ts'

const VERSIONS = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']
interface Asked {
  name: string
  program: 'suite 0.1' | 'suite 0.2'
  words: string[]
}
const RUNS: Asked[] = [
  { name: '0.1', program: 'suite 0.1', words: [] },
  { name: '0.2', program: 'suite 0.2', words: [] },
  ...VERSIONS.map(
    (version): Asked => ({ name: `0.2 ${version}`, program: 'suite 0.2', words: ['--spec-version', version] }),
  ),
]

/** Long enough for three messages of progress, one a second. */
const SLOW_MS = 3_300

test.skipIf(!INSTALLED)(
  'every scenario that applies is passed; the others are exempt for a reason',
  async () => {
    const { app, keys, controls } = await openHarness()
    controls.answerLive = async () => {
      await sleep(SLOW_MS)
      return liveAnswer()
    }
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as { port: number }
    // The clock stands still unless it is moved, and with it the minute that calls are counted in.
    const passed = () => {
      controls.now += 100
    }
    const address = await openDoor(port, keys.enterprise.key, passed)
    const folder = temporaryFolder()
    const runs = await Promise.all(
      RUNS.map(async ({ name, program, words }) => {
        const out = join(folder, name)
        const asked = ['server', '--url', `${address}/mcp`, '--suite', 'all', ...words, '-o', out]
        const { stdout, stderr } = await run(program, asked, folder)
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

/** Every server scenario that a suite says it has. */
async function scenariosOf(program: Asked['program'], folder: string): Promise<string[]> {
  const { stdout } = await run(program, ['list', '--server'], folder)
  const names = [...stdout.matchAll(/^ {2}- ([\w-]+)/gm)].map(([, name]) => name!)
  expect(names.length).toBeGreaterThan(30)
  return names
}
