import { z } from 'zod'
import { Iata, Lane, QueueKind, UtcInstant, WaitMinutes } from '../config/domain.ts'

/**
 * The contract of travellers' reports on their way to the warehouse: the api hands over what it has accepted, the pipeline
 * lands it and says which. At least once: what was not acknowledged is handed over again, and landing it twice is landing
 * it once. A report carries nothing of whose it is.
 */

/** The whole time that handing over may take. */
export const HAND_OVER_WITHIN_MS = 10_000
/** Most reports handed over at once. */
export const REPORTS_AT_ONCE = 100

export const WaitReport = z.strictObject({
  id: z.string().min(1).max(80),
  iata: Iata,
  queue: QueueKind,
  /** Empty where the traveller named none. */
  terminal: z.string().max(40),
  lane: Lane,
  wait_minutes: WaitMinutes,
  observed_at: UtcInstant,
  filed_at: UtcInstant,
})
export type WaitReport = z.infer<typeof WaitReport>

export const ReportBatch = z.strictObject({ reports: z.array(WaitReport).min(1).max(REPORTS_AT_ONCE) })
export type ReportBatch = z.infer<typeof ReportBatch>

export const ReportReceipt = z.strictObject({ landed: z.array(z.string()) })
export type ReportReceipt = z.infer<typeof ReportReceipt>

/** Lands reports, the pipeline's side: returns once they are on the disk. The same again changes nothing. */
export type ReportLander = (batch: ReportBatch) => Promise<ReportReceipt>

/** Where reports are handed over; the api's side. */
export interface ReportDesk {
  /** @throws HoldshortError LIVE_UNAVAILABLE when no pipeline takes them; they are kept and handed over again */
  handOver: (batch: ReportBatch) => Promise<ReportReceipt>
  close: () => Promise<void>
}
