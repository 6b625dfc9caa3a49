import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openLog } from '../../../bin/runtime/log.ts'
import { supervise } from '../../../bin/runtime/supervise.ts'
import { readSettings } from '../../../config/settings.ts'
import { until } from '../../end-to-end/installation.ts'

test('a child that refuses its settings at its first start is not started again, and the supervisor learns it', async () => {
  const settings = readSettings({ HOLDSHORT_LOG_LEVEL: 'silent' })
  const log = openLog(settings, 'start')
  const children = supervise([{ name: 'pipeline', args: ['--no-such-flag'] }], {}, log, settings)
  await expect(Promise.race([children.refused, sleep(20_000)])).resolves.toBe('refused')
  expect(children.pid('pipeline')).toBeNull()
  await children.stop()
})

test('a child that ends so after it ran is started again', async () => {
  const settings = readSettings({ HOLDSHORT_LOG_LEVEL: 'silent' })
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
  onTestFinished(() => clock.mockRestore())
  const children = supervise([{ name: 'pipeline', args: ['--no-such-flag'] }], {}, openLog(settings, 'start'), settings)
  const first = children.pid('pipeline')
  clock.mockReturnValue(61_000)
  let isRefused = false
  void children.refused.then(() => {
    isRefused = true
  })
  const next = () => {
    const pid = children.pid('pipeline')
    return isRefused || (pid !== null && pid !== first) ? [isRefused] : null
  }
  await expect(until('the child is started again', next, 20_000)).resolves.toEqual([false])
  await children.stop()
})
