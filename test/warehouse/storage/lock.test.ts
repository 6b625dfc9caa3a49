import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { projectFile } from '../../../config/paths.ts'
import { withWriteLock } from '../../../warehouse/storage/lock.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const nothing = async () => undefined

test('a process that wrote leaves the lock to one that waits, and not for ever to one that was killed while it waited', async () => {
  const locks = await temporaryFolder()
  await withWriteLock(locks, nothing)
  writeFileSync(join(locks, 'write.999999999.0a1b2c.waiting'), '')
  const began = performance.now()
  await withWriteLock(locks, nothing)
  const left = performance.now() - began
  expect(left).toBeGreaterThan(500)
  const again = performance.now()
  await withWriteLock(locks, nothing)
  expect(performance.now() - again).toBeLessThan(left)
  expect(readdirSync(locks).filter((name) => name.endsWith('.waiting'))).toEqual([])
})

test.runIf(EXHAUSTIVE)(
  'a training gets the lock although a pipeline writes without a gap',
  async () => {
    const locks = await temporaryFolder()
    const holder = spawn(process.execPath, [projectFile('dist', 'test', 'programs', 'hold-lock-forever.js'), locks], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void holder.kill('SIGKILL'))
    await once(holder.stdout, 'data')
    for (let time = 0; time < 5; time += 1) {
      const began = performance.now()
      await withWriteLock(locks, nothing)
      expect(performance.now() - began).toBeLessThan(10_000)
    }
  },
  60_000,
)
