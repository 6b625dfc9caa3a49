import { z } from 'zod'
import { Iata, Lane, QueueKind, UtcInstant, WaitMinutes } from '../../config/domain.ts'
import { shortText } from '../../config/outside-text.ts'
import { defineCall } from './define-call.ts'

/**
 * Travellers' reports on their way to the warehouse: the api hands over the reports it has accepted, the pipeline lands them
 * and returns the ids of those that are on the disk. Delivery is at least once: a batch without a receipt is handed over
 * again, and landing a report twice leaves one row. A report does not say who filed it.
 */

export const MAX_REPORTS_PER_BATCH = 100

export const WaitReport = z.strictObject({
  id: z.string().min(1).max(80),
  iata: Iata,
  queue: QueueKind,
  /** Empty when the traveller named no terminal. */
  terminal: shortText(40),
  lane: Lane,
  wait_minutes: WaitMinutes,
  observed_at: UtcInstant,
  filed_at: UtcInstant,
})
export type WaitReport = z.infer<typeof WaitReport>

export const ReportBatch = z.strictObject({ reports: z.array(WaitReport).min(1).max(MAX_REPORTS_PER_BATCH) })
export type ReportBatch = z.infer<typeof ReportBatch>

export const ReportReceipt = z.strictObject({ landed: z.array(z.string()) })
export type ReportReceipt = z.infer<typeof ReportReceipt>

export const reportsCall = defineCall({
  name: 'reports',
  request: ReportBatch,
  answer: () => ReportReceipt,
  timeout_ms: 10_000,
  // A full batch takes a third of it.
  max_request_bytes: 65_536,
  redis_concurrency: 1,
  unavailable_code: 'LIVE_UNAVAILABLE',
  unavailable_effect: 'reports are kept and handed over later',
})
