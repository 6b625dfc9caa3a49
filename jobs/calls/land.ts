import { z } from 'zod'
import { defineCall } from './define-call.ts'

/**
 * Rows on their way from the pipeline that collected them to the one that leads, which alone writes the warehouse. Delivery is
 * at least once: without a receipt the batch is sent again, and landing a row twice leaves one.
 */
export const LandBatch = z.strictObject({
  table: z.string(),
  rows: z.array(z.record(z.string(), z.unknown())),
  notices: z.array(z.record(z.string(), z.unknown())),
  run: z.record(z.string(), z.unknown()),
})
export type LandBatch = z.infer<typeof LandBatch>

const LandReceipt = z.strictObject({ new_rows: z.int().min(0) })
export type LandReceipt = z.infer<typeof LandReceipt>

export const landCall = defineCall<LandBatch, LandReceipt>({
  name: 'land',
  request: LandBatch,
  answer: () => LandReceipt,
  timeout_ms: 20_000,
  max_request_bytes: 50_000_000,
  redis_concurrency: 16,
  unavailable_code: 'LIVE_UNAVAILABLE',
  unavailable_effect: 'the rows are sent again',
})
