import { unavailable } from './live.ts'
import { openLocalAsker } from './live-local.ts'
import { HAND_OVER_WITHIN_MS, type ReportDesk, ReportReceipt } from './reports.ts'

/** Hands reports over to the pipeline process of the same data folder, at the socket of live requests. */
export function openLocalReportDesk(path: string, within_ms = HAND_OVER_WITHIN_MS): ReportDesk {
  const { ask, close } = openLocalAsker(path, '/reports', within_ms, unavailable)
  return { handOver: (batch) => ask(batch, (receipt) => ReportReceipt.parse(receipt)), close }
}
