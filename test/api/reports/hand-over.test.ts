import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { issueKey } from '../../../api/access/keys.ts'
import { startChores } from '../../../api/chores/start.ts'
import type { AppDependencies } from '../../../api/dependencies.ts'
import { fileReport } from '../../../api/reports/file-report.ts'
import { handOverReports } from '../../../api/reports/hand-over.ts'
import { openState, type State } from '../../../api/state/open.ts'
import { projectFile } from '../../../config/paths.ts'
import { openLocalCounter } from '../../../jobs/live-local.ts'
import type { ReportBatch } from '../../../jobs/reports.ts'
import { openLocalReportDesk } from '../../../jobs/reports-local.ts'
import { createReportLander } from '../../../pipeline/land-reports.ts'
import { openWarehouse } from '../../../warehouse/open.ts'
import { temporaryFolder } from '../harness.ts'
import { NOW, snapshotAt } from '../world.ts'
import { said } from './travellers.ts'

const nobody = () => Promise.reject(new Error('no live request here'))

/** An installation with a report that is accepted, and one that is held. */
async function installation() {
  const folder = temporaryFolder()
  const socket = join(folder, 'live.sock')
  const state = await openState({ data_dir: folder })
  const desk = openLocalReportDesk(socket)
  const { account_id } = await issueKey(state, { tier: 'free' }, NOW)
  const { report } = await fileReport(state, said({ terminal: '4' }), account_id, { snapshot: snapshotAt(), now: NOW })
  await fileReport(state, said({ wait_minutes: 150 }), account_id, { snapshot: snapshotAt(), now: NOW })
  onTestFinished(async () => {
    await desk.close()
    await state.close()
  })
  const program = (name: string) => {
    const path = projectFile('dist', 'test', 'programs', `${name}.js`)
    return spawn(process.execPath, [path, folder, socket], { stdio: ['ignore', 'pipe', 'inherit'] })
  }
  return { folder, socket, state, desk, account_id, report, program }
}

const landedAt = async ({ db }: State) =>
  (await db.selectFrom('wait_reports').select(['status', 'landed_at']).orderBy('status').execute()).map(
    ({ status, landed_at }) => [status, landed_at],
  )

/** A pipeline of the installation in this process; how many rows its warehouse has, and what it was handed. */
async function pipeline({ folder, socket }: { folder: string; socket: string }) {
  const warehouse = await openWarehouse(folder)
  const handed: ReportBatch[] = []
  const land = createReportLander(warehouse, () => NOW)
  const reports = (batch: ReportBatch) => {
    handed.push(batch)
    return land(batch)
  }
  const counter = await openLocalCounter(socket, nobody, { reports, retry_ms: 20 })
  onTestFinished(async () => {
    await counter.close()
    await warehouse.close()
  })
  const rows = () => warehouse.query<{ capture_id: string }>('SELECT capture_id FROM readings')
  return { handed, rows }
}

test('reports wait for a pipeline, land once, and carry nothing of whose they are; held ones stay', async () => {
  const here = await installation()
  expect(await handOverReports(here.state, here.desk, NOW)).toBe(0)
  const { handed, rows } = await pipeline(here)
  expect(await handOverReports(here.state, here.desk, NOW)).toBe(1)
  expect(await handOverReports(here.state, here.desk, NOW)).toBe(0)
  expect(await landedAt(here.state)).toEqual([
    ['accepted', new Date(NOW).toISOString()],
    ['held', null],
  ])
  expect(await rows()).toEqual([{ capture_id: `crowd-${here.report.id}` }])
  expect(JSON.stringify(handed)).not.toContain(here.account_id)
  expect(handed).toHaveLength(1)
})

test('the chore brings what waits', async () => {
  const here = await installation()
  const { rows } = await pipeline(here)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const chores = startChores({ state: here.state, reportDesk: here.desk, clock: () => NOW } as AppDependencies)
  vi.advanceTimersByTime(10_000)
  await chores.stop()
  expect(await rows()).toHaveLength(1)
})

test('kill −9 of the pipeline between landing and acknowledging: handed over again, there once', async () => {
  const here = await installation()
  const child = here.program('land-reports-and-die')
  await once(child.stdout!, 'data')
  const ended = once(child, 'exit')
  expect(await handOverReports(here.state, here.desk, NOW)).toBe(0)
  expect((await ended)[1]).toBe('SIGKILL')
  expect((await landedAt(here.state))[0]).toEqual(['accepted', null])
  const { rows } = await pipeline(here)
  expect(await rows(), 'it had landed').toHaveLength(1)
  expect(await handOverReports(here.state, here.desk, NOW)).toBe(1)
  expect(await rows()).toHaveLength(1)
  expect((await landedAt(here.state))[0]).toEqual(['accepted', new Date(NOW).toISOString()])
}, 20_000)

test('kill −9 of the api between the landing and its note: handed over again, there once', async () => {
  const here = await installation()
  const { rows, handed } = await pipeline(here)
  const child = here.program('hand-over-and-die')
  expect((await once(child, 'exit'))[1]).toBe('SIGKILL')
  expect([await rows(), (await landedAt(here.state))[0]]).toEqual([
    [{ capture_id: `crowd-${here.report.id}` }],
    ['accepted', null],
  ])
  expect(await handOverReports(here.state, here.desk, NOW)).toBe(1)
  expect(await rows()).toHaveLength(1)
  expect(handed).toHaveLength(2)
}, 20_000)
