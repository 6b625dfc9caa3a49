import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openLog } from '../../../bin/runtime/log.ts'
import { supervise } from '../../../bin/runtime/supervise.ts'
import { readSettings } from '../../../config/settings.ts'

test('a child that refuses its settings at its first start is not started again, and the supervisor learns it', async () => {
  const settings = readSettings({ HOLDSHORT_LOG_LEVEL: 'silent' })
  const log = openLog(settings, 'start')
  const children = supervise([{ name: 'pipeline', args: ['work', '--no-such-flag'] }], {}, log, settings)
  await expect(Promise.race([children.refused, sleep(20_000)])).resolves.toBe('refused')
  expect(children.pid('pipeline')).toBeNull()
  await children.stop()
})
