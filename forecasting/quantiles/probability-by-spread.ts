import { z } from 'zod'

/** Probability of being within 5 minutes of a forecast's median by its spread p90 − p10. Spreads ascend, probabilities never rise. */
export const ProbabilityBySpread = z
  .array(z.strictObject({ spread: z.number().min(0), probability: z.number().min(0).max(1) }))
  .min(1)
export type ProbabilityBySpread = z.infer<typeof ProbabilityBySpread>

/** Probability for a spread: linear between the spreads of the table, constant beyond its ends. */
export function probabilityAt(table: ProbabilityBySpread, spread: number): number {
  const above = table.findIndex((step) => step.spread >= spread)
  if (above === -1) return table.at(-1)!.probability
  if (above === 0) return table[0]!.probability
  const low = table[above - 1]!
  const high = table[above]!
  const fraction = (spread - low.spread) / (high.spread - low.spread)
  return low.probability + fraction * (high.probability - low.probability)
}
