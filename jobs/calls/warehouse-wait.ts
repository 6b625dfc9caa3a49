import { z } from 'zod'
import { UtcInstant } from '../../config/vocabulary.ts'
import { defineCall } from './define-call.ts'

/** Whether what is collected waits for another process that holds the warehouse, and for which one. The pipeline answers it at once. */
export const WarehouseWait = z.strictObject({
  held_by: z
    .strictObject({
      /** Its program, or its command of ours. */
      name: z.string(),
      /** Its id on its machine; null if unknown. */
      pid: z.int().nullable(),
      /** Its start; null if unknown. */
      since: UtcInstant.nullable(),
    })
    .nullable(),
})
export type WarehouseWait = z.infer<typeof WarehouseWait>

export const warehouseWaitCall = defineCall({
  name: 'warehouse-wait',
  request: z.strictObject({}),
  answer: () => WarehouseWait,
  timeout_ms: 500,
  max_request_bytes: 256,
  redis_concurrency: 1,
  deduplicationKey: () => 'warehouse-wait',
  unavailable_code: 'LIVE_UNAVAILABLE',
  unavailable_effect: 'whether what is collected waits is unknown',
})
