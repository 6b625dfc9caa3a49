import { z } from 'zod'
import { shortText } from '../../config/short-text.ts'
import { Iata, Lane, QueueKind, UtcInstant, WaitMinutes } from '../../config/vocabulary.ts'
import { defineCall } from './define-call.ts'

/**
 * Travellers' reports on their way to the warehouse: the api hands over the reports it has accepted and those that count no more, the
 * pipeline lands the ones, removes the others, and returns the ids of what is done on the disk. Delivery is at least once: a batch
 * without a receipt is handed over again, and doing it twice changes nothing. A report does not say who filed it.
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

/** A report that has landed and counts no more: its account corrected it, another one counts for it, or it was withdrawn. */
const RemovedReport = WaitReport.pick({ id: true, observed_at: true })

export const ReportBatch = z.strictObject({
  reports: z.array(WaitReport).max(MAX_REPORTS_PER_BATCH),
  removed: z.array(RemovedReport).max(MAX_REPORTS_PER_BATCH).default([]),
})
export type ReportBatch = z.infer<typeof ReportBatch>

export const ReportReceipt = z.strictObject({ landed: z.array(z.string()), removed: z.array(z.string()).default([]) })
export type ReportReceipt = z.infer<typeof ReportReceipt>

export const reportsCall = defineCall({
  name: 'reports',
  request: ReportBatch,
  answer: () => ReportReceipt,
  timeout_ms: 10_000,
  // A full batch takes half of it.
  max_request_bytes: 65_536,
  redis_concurrency: 1,
  unavailable_code: 'LIVE_UNAVAILABLE',
  unavailable_effect: 'reports are kept and handed over later',
})
