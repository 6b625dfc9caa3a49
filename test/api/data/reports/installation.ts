import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { issueKey } from '../../../../api/accounts/keys/keys.ts'
import { fileReport } from '../../../../api/data/reports/file-report.ts'
import { openState } from '../../../../api/state/open.ts'
import type { State } from '../../../../api/state/state.ts'
import { projectFile } from '../../../../config/paths.ts'
import { openLocalCounter } from '../../../../jobs/live-local.ts'
import type { ReportBatch } from '../../../../jobs/reports.ts'
import { openLocalReportDesk } from '../../../../jobs/reports-local.ts'
import { createReportLander } from '../../../../pipeline/land-reports.ts'
import { openWarehouse } from '../../../../warehouse/storage/open.ts'
import { NOW, snapshotAt } from '../../example-snapshot.ts'
import { temporaryFolder } from '../../harness.ts'
import { said } from './reported-waits.ts'

const nobody = () => Promise.reject(new Error('no live request here'))

/** An installation with a report that is accepted, and one that is held. */
export async function installation() {
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

/** Status and landing of each report, the accepted ones first. */
export const landedAt = async ({ db }: State) =>
  (await db.selectFrom('wait_reports').select(['status', 'landed_at']).orderBy('status').execute()).map(
    ({ status, landed_at }) => [status, landed_at],
  )

/** A pipeline of the installation in this process; how many rows its warehouse has, and what it was handed. */
export async function pipeline({ folder, socket }: { folder: string; socket: string }) {
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
