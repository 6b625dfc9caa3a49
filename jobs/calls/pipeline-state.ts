import { z } from 'zod'
import { ERROR_CODES, type ErrorCode } from '../../config/errors.ts'
import { UtcInstant } from '../../config/vocabulary.ts'
import { defineCall } from './define-call.ts'

/** What keeps the pipeline from storing and publishing. It answers at once. */
export const PipelineState = z.strictObject({
  /** The other process that holds the warehouse, for which what is collected waits; null when nothing waits. */
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
  /** Why its last publication failed; null when it succeeded, or none has ended yet. */
  failed_with: z.enum(Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]]).nullable(),
})
export type PipelineState = z.infer<typeof PipelineState>

export const pipelineStateCall = defineCall({
  name: 'pipeline-state',
  request: z.strictObject({}),
  answer: () => PipelineState,
  timeout_ms: 500,
  max_request_bytes: 256,
  redis_concurrency: 1,
  deduplicationKey: () => 'pipeline-state',
  unavailable_code: 'LIVE_UNAVAILABLE',
  unavailable_effect: 'what keeps it from publishing is unknown',
})
