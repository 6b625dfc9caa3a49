import { spawn } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { LEASE_MS } from '../../../accounts/alerts/deliver-messages.ts'
import { evaluateAlerts } from '../../../accounts/alerts/evaluate-alerts.ts'
import { openState } from '../../../api/state/open.ts'
import { projectFile } from '../../../config/paths.ts'
import { temporaryFolder } from '../../api/harness.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { setUpPhone, snapshotOf } from './alert-setup.ts'

/** A state on disk with one queued message, and `start`, which runs another process that sends due messages. */
async function queueMessageOnDisk() {
  const folder = temporaryFolder()
  const state = await openState({ data_dir: folder })
  onTestFinished(() => state.close())
  const alerts = await setUpPhone({}, state)
  await alerts.create('a')
  alerts.controls.snapshot = snapshotOf(alerts.controls.now, 50)
  await evaluateAlerts(alerts.dependencies, alerts.controls.now)
  const program = projectFile('dist', 'test', 'programs', 'deliver-alerts.js')
  const start = () =>
    spawn(process.execPath, [program, folder, String(alerts.controls.now)], { stdio: ['ignore', 'ignore', 'inherit'] })
  return { ...alerts, start }
}

test.runIf(EXHAUSTIVE)(
  'a message of a process killed while sending is sent again when its lease ends, not before',
  async () => {
    const { run, controls, phone, start } = await queueMessageOnDisk()
    phone.answer = { status: 'hang' }
    const child = start()
    while (phone.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    child.kill('SIGKILL')
    await new Promise((resolve) => child.on('close', resolve))
    phone.answer = { status: 201 }
    controls.now += LEASE_MS - 1_000
    await run()
    expect(phone.messages).toEqual([])
    controls.now += 1_000
    await run()
    expect(phone.messages).toHaveLength(1)
  },
)

test.runIf(EXHAUSTIVE)('two processes that send concurrently send each message once', async () => {
  const { run, dependencies, controls, start, account, connect, create, service, deliveries } =
    await queueMessageOnDisk()
  const phones = Array.from({ length: 20 }, (_, k) => service.browser(`phone-${k}`))
  for (const [k, phone] of phones.entries()) {
    await account(`b${k}`)
    await connect(`b${k}`, phone)
    await create(`b${k}`)
  }
  await evaluateAlerts(dependencies, controls.now)
  const first = start()
  while (!(await deliveries()).some(({ attempts }) => attempts > 0)) await new Promise((done) => setTimeout(done, 2))
  await Promise.all([run(), new Promise((resolve) => first.on('close', resolve))])
  expect(phones.map(({ messages }) => messages.length)).toEqual(phones.map(() => 1))
  expect(new Set((await deliveries()).map(({ state, attempts }) => `${state} ${attempts}`))).toEqual(
    new Set(['sent 1']),
  )
})
