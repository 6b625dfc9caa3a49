import { HoldshortError } from '../config/errors.ts'
import { unavailable } from './live.ts'
import { exchange } from './live-local.ts'
import { HAND_OVER_WITHIN_MS, type ReportDesk, ReportReceipt } from './reports.ts'

/** Hands reports over to the pipeline process of the same data folder, at the socket of live requests. */
export function openLocalReportDesk(path: string, within_ms = HAND_OVER_WITHIN_MS): ReportDesk {
  const closing = new AbortController()
  return {
    handOver: async (batch) => {
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(within_ms)])
      try {
        return ReportReceipt.parse(await exchange(path, '/reports', batch, signal))
      } catch (cause) {
        if (cause instanceof HoldshortError) throw cause
        throw unavailable('took no reports', cause)
      }
    },
    close: async () => closing.abort(),
  }
}
