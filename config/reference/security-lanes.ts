import { z } from 'zod'
import { Iata, Lane } from '../vocabulary.ts'
import { referenceFile } from './define-reference.ts'
import { Evidence } from './evidence.ts'

/** The fractions at which the ratios of a row are given. */
export const RATIO_FRACTIONS = [0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99] as const

export const SecurityLane = z.strictObject({
  iata: Iata.nullable().describe('Null for all airports together.'),
  lane: Lane,
  ratios: z
    .array(z.number().min(0))
    .length(RATIO_FRACTIONS.length)
    .describe(
      'Quantiles of (the wait posted for one lane of one checkpoint + 1 minute) over (the mean wait of the standard lanes of the airport in that hour + 1 minute), at RATIO_FRACTIONS.',
    ),
  readings: z.int().min(1),
  hours: z.int().min(1),
  airport_count: z.int().min(1),
  ...Evidence.shape,
})
export type SecurityLane = z.infer<typeof SecurityLane>

/** How far the wait at one checkpoint and lane lies from the airport's average over its standard lanes. */
export const SECURITY_LANES = referenceFile('security-lanes', SecurityLane)
