import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { repetitions } from '../exhaustive.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { startInstallation, until } from './installation.ts'

/** State and parent of a process by the kernel's table; null when it has ended, even if nobody has collected its exit status. */
function running(pid: number): { parent: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state, parent] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? null : { parent: Number(parent) }
  } catch {
    return null
  }
}

/** The processes that a process has started, and theirs. */
function descendants(pid: number): number[] {
  const children = readdirSync('/proc')
    .map(Number)
    .filter((child) => running(child)?.parent === pid)
  return children.flatMap((child) => [child, ...descendants(child)])
}

const runs = repetitions(1, 10)
test.runIf(process.platform === 'linux')(
  'all processes end within five seconds after their supervisor is killed, at any moment',
  async () => {
    const folder = await temporaryFolder()
    for (let run = 0; run < runs; run++) {
      const { supervisor } = await startInstallation(folder, {
        HOLDSHORT_SIMULATED_WORLD: 'http://127.0.0.1:9',
        HOLDSHORT_CHROMIUM_PATH: '/nowhere/chromium',
      })
      await until('the children are started', () => descendants(supervisor.pid ?? 0).length >= 2)
      await sleep(Math.random() * (runs === 1 ? 500 : 6_000))
      const processes = descendants(supervisor.pid ?? 0)
      expect(processes.length).toBeGreaterThan(0)
      supervisor.kill('SIGKILL')
      await until('all processes are gone', () => !processes.some(running), 5_000)
    }
  },
  repetitions(30_000, 240_000),
)
