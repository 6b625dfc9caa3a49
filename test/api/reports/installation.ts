import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { issueKey } from '../../../accounts/keys/keys.ts'
import { fileReport } from '../../../api/reports/file-report.ts'
import { openState } from '../../../api/state/open.ts'
import type { State } from '../../../api/state/state.ts'
import { projectFile } from '../../../config/paths.ts'
import { implementCall } from '../../../jobs/calls/define-call.ts'
import { type ReportBatch, reportsCall } from '../../../jobs/calls/reports.ts'
import { openSocketClient, serveOnSocket } from '../../../jobs/transports/socket.ts'
import { createReportLander } from '../../../pipeline/land-reports.ts'
import { openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { NOW, snapshotAt } from '../example-snapshot.ts'
import { temporaryFolder } from '../harness.ts'
import { reportedWait } from './reported-waits.ts'

/** An installation with an accepted and a held report. */
export async function installation() {
  const folder = temporaryFolder()
  const socket = join(folder, 'live.sock')
  const state = await openState({ data_dir: folder })
  const client = openSocketClient(socket)
  const { account_id } = await issueKey(state, { tier: 'free' }, NOW)
  const { report } = await fileReport(state, reportedWait({ terminal: '4' }), account_id, {
    snapshot: snapshotAt(),
    now: NOW,
  })
  await fileReport(state, reportedWait({ wait_minutes: 150 }), account_id, { snapshot: snapshotAt(), now: NOW })
  onTestFinished(async () => {
    await client.close()
    await state.close()
  })
  const program = (name: string) => {
    const path = projectFile('dist', 'test', 'programs', `${name}.js`)
    return spawn(process.execPath, [path, folder, socket], { stdio: ['ignore', 'pipe', 'inherit'] })
  }
  return { folder, socket, state, client, account_id, report, program }
}

/** Status and landing time of each report, the accepted ones first. */
export const landedAt = async ({ db }: State) =>
  (await db.selectFrom('wait_reports').select(['status', 'landed_at']).orderBy('status').execute()).map(
    ({ status, landed_at }) => [status, landed_at],
  )

/** Runs the installation's pipeline in this process; returns the batches it received and the rows of its warehouse. */
export async function pipeline({ folder, socket }: { folder: string; socket: string }) {
  const warehouse = await openWarehouse(folder)
  const handed: ReportBatch[] = []
  const land = createReportLander(warehouse, () => NOW)
  const reports = implementCall(reportsCall, (batch) => {
    handed.push(batch)
    return land(batch)
  })
  const server = await serveOnSocket(socket, [reports], { takeover_check_ms: 20 })
  onTestFinished(async () => {
    await server.close()
    await warehouse.close()
  })
  const rows = () => warehouse.query<{ capture_id: string }>('SELECT capture_id FROM readings')
  return { handed, rows }
}
