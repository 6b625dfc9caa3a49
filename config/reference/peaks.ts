import { z } from 'zod'
import { referenceFile } from './define-reference.ts'
import { Evidence } from './evidence.ts'

export const Peak = z.strictObject({
  name: z.string(),
  /** YYYY, YYYY-MM or YYYY-MM-DD. */
  start: z.string().nullable(),
  end: z.string().nullable(),
  kind: z.string(),
  derived: z
    .string()
    .nullable()
    .describe('How the date was derived when no page states it; null when a page states it.'),
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.array(z.string())])),
  note: z.string().nullable(),
  ...Evidence.shape,
})
export type Peak = z.infer<typeof Peak>

/** Peaks of demand in the US: federal dates, forecasts, counted days. */
export const PEAKS = referenceFile('peaks', Peak)
