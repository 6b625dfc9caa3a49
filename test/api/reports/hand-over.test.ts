import { once } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { AccountDependencies } from '../../../accounts/dependencies.ts'
import { handOverReports } from '../../../api/reports/hand-over.ts'
import { startPeriodicTasks } from '../../../bin/service/server.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { NOW } from '../example-snapshot.ts'
import { installation, landedAt, pipeline } from './installation.ts'

test('accepted reports wait for a pipeline, land once and do not carry their account; held ones are not handed over', async () => {
  const here = await installation()
  expect(await handOverReports(here.state, here.client, NOW)).toBe(0)
  const { handed, rows } = await pipeline(here)
  expect(await handOverReports(here.state, here.client, NOW)).toBe(1)
  expect(await handOverReports(here.state, here.client, NOW)).toBe(0)
  expect(await landedAt(here.state)).toEqual([
    ['accepted', new Date(NOW).toISOString()],
    ['held', null],
  ])
  expect(await rows()).toEqual([{ capture_id: `crowd-${here.report.id}` }])
  expect(JSON.stringify(handed)).not.toContain(here.account_id)
  expect(handed).toHaveLength(1)
})

test('the periodic task hands over waiting reports', async () => {
  const here = await installation()
  const { rows } = await pipeline(here)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const tasks = startPeriodicTasks({
    state: here.state,
    pipelineClient: here.client,
    clock: () => NOW,
  } as AccountDependencies)
  vi.advanceTimersByTime(10_000)
  await tasks.stop()
  expect(await rows()).toHaveLength(1)
})

test.runIf(EXHAUSTIVE)(
  'after kill −9 of the pipeline before it acknowledges, the report is handed over again and lands once',
  async () => {
    const here = await installation()
    const child = here.program('land-reports-and-die')
    await once(child.stdout!, 'data')
    const ended = once(child, 'exit')
    expect(await handOverReports(here.state, here.client, NOW)).toBe(0)
    expect((await ended)[1]).toBe('SIGKILL')
    expect((await landedAt(here.state))[0]).toEqual(['accepted', null])
    const { rows } = await pipeline(here)
    expect(await rows(), 'it had landed').toHaveLength(1)
    expect(await handOverReports(here.state, here.client, NOW)).toBe(1)
    expect(await rows()).toHaveLength(1)
    expect((await landedAt(here.state))[0]).toEqual(['accepted', new Date(NOW).toISOString()])
  },
  20_000,
)
