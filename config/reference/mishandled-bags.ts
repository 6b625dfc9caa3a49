import { z } from 'zod'
import { referenceFile } from './define-reference.ts'
import { Evidence } from './evidence.ts'

export const MishandledBags = z.strictObject({
  period: z.string().describe('YYYY, or YYYY-MM..YYYY-MM.'),
  iata: z.string().nullable().describe('Airline; null for all airlines together.'),
  carrier: z.string(),
  scope: z.string().describe('Which flights are counted; figures of different scopes are not comparable.'),
  rate_per_100_bags: z.number().min(0).nullable(),
  rate_basis: z
    .enum(['bags', 'mixed'])
    .describe('bags: share of enplaned bags (from 2019); mixed: the period includes the change of the definition.'),
  mishandled: z.int().min(0).nullable(),
  enplaned: z.int().min(0).nullable(),
  enplaned_is_at_least: z.boolean(),
  rank_from_best: z.int().min(1).nullable(),
  rank_from_worst: z.int().min(1).nullable(),
  note: z.string().nullable(),
  ...Evidence.shape,
})
export type MishandledBags = z.infer<typeof MishandledBags>

/** US DOT figures of mishandled bags, to 2024. */
export const MISHANDLED_BAGS = referenceFile('mishandled-bags', MishandledBags)

/** The definition by the publisher of the figures. */
export const MISHANDLED_DEFINITION =
  'Checked bags lost, damaged, delayed or pilfered in the airline’s custody, of bags enplaned (wheelchairs and scooters in the hold included), on domestic nonstop scheduled flights reported to the US DOT. Until 2018 the DOT counted reports per 1,000 passengers: those figures cannot be compared with later ones.'
