import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { stdioWithLife, watchedBy, watchLife } from '../../../bin/runtime/signs-of-life.ts'
import { projectFile } from '../../../config/paths.ts'

const WATCH_PARENT = pathToFileURL(projectFile('dist', 'test', 'programs', 'watch-parent.js')).href
const LIMIT_MS = 6_000
const started: ChildProcess[] = []
afterAll(() => {
  for (const child of started) child.kill('SIGKILL')
})

/** A process of this program that does `work`; how long it was silent when it was killed, and what others were told. */
function watchedChild(work: string) {
  const program = `
    import { allowOrderlyStop, watchParent } from '${WATCH_PARENT}'
    watchParent()
    setInterval(() => undefined, 1_000)
    ${work}`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    env: { ...process.env, ...watchedBy(process.pid) },
    stdio: stdioWithLife('inherit'),
  })
  started.push(child)
  const killed: number[] = []
  const silences: number[] = []
  watchLife(child, {
    limit_ms: LIMIT_MS,
    onSilence: (silent_ms) => silences.push(silent_ms),
    onKill: (silent_ms) => killed.push(silent_ms),
  })
  return { child, killed, silences }
}

const BUSY = 'setTimeout(() => { for (;;); }, 500)'
const WAITING = 'setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0), 500)'

test.concurrent.each([
  ['a service whose event loop is blocked by a computation without end', `allowOrderlyStop();${BUSY}`],
  ['a service whose event loop waits for ever', `allowOrderlyStop();${WAITING}`],
  ['a computation that waits for ever', WAITING],
])(
  '%s is killed, and others are told before',
  async (_what, work) => {
    const { child, killed, silences } = watchedChild(work)
    const [, signal] = await once(child, 'exit')
    expect(signal).toBe('SIGKILL')
    expect(killed).toHaveLength(1)
    expect(killed[0]).toBeGreaterThanOrEqual(LIMIT_MS)
    expect(killed[0]).toBeLessThan(LIMIT_MS + 3_000)
    expect(silences.length).toBeGreaterThan(1)
    expect(silences.at(-1)).toBe(0)
  },
  30_000,
)

test.concurrent.each([
  ['a service at rest', 'allowOrderlyStop()'],
  ['a computation that blocks its event loop for as long as it takes', BUSY],
])(
  '%s goes on',
  async (_what, work) => {
    const { child, killed, silences } = watchedChild(work)
    await sleep(3 * LIMIT_MS)
    expect([child.exitCode, child.signalCode, killed, silences]).toEqual([null, null, [], []])
  },
  30_000,
)

test.concurrent('a child that is stopped is killed, and one that goes on in time is not', async () => {
  const { child, killed } = watchedChild('allowOrderlyStop()')
  await sleep(3_000)
  child.kill('SIGSTOP')
  await sleep(LIMIT_MS - 3_500)
  child.kill('SIGCONT')
  await sleep(LIMIT_MS)
  expect(killed).toEqual([])
  child.kill('SIGSTOP')
  const [, signal] = await once(child, 'exit')
  expect([signal, killed.length]).toEqual(['SIGKILL', 1])
}, 40_000)
