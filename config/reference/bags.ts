import { z } from 'zod'
import { Currency, foundTexts, referenceFile } from './define-reference.ts'
import { Evidence } from './evidence.ts'

const amount = z.number().min(0).nullable()

/** A price: one figure, a range, or different figures for prepaid and at the airport. Null means not found, never zero. */
const price = {
  currency: Currency.nullable(),
  price: amount,
  price_min: amount,
  price_max: amount,
  prepaid: amount,
  at_airport: amount,
}

const Bag = z.strictObject({
  included: z.boolean(),
  pieces: z.int().min(1).nullable(),
  weight_kg: z.number().positive().nullable(),
  ...price,
  note: z.string().nullable(),
})

export const CheckedBags = z.strictObject({
  iata: z.string().regex(/^[A-Z0-9]{2}$/),
  airline: z.string().min(1),
  status: z.string().describe('flying, or when it ceased operations.'),
  confidence: z.enum(['high', 'medium', 'low']),
  fares: z.array(
    z.strictObject({
      scope: z.string(),
      fare: z.string(),
      first_bag: Bag,
      second_bag: Bag.nullable(),
      effective_from: z.string().nullable(),
      note: z.string().nullable(),
      ...Evidence.shape,
    }),
  ),
  weight_kg: z.number().positive().nullable().describe('Heaviest bag at the regular price.'),
  linear_cm: z.number().positive().nullable().describe('Length, width and height added up.'),
  limits_evidence: Evidence.nullable(),
  overweight: z.array(
    z.strictObject({
      over_kg: z.number().nullable(),
      to_kg: z.number().nullable(),
      over_cm: z.number().nullable(),
      to_cm: z.number().nullable(),
      unit: z.string().nullable(),
      currency: Currency,
      price: amount,
      price_min: amount,
      price_max: amount,
      note: z.string().nullable(),
      ...Evidence.shape,
    }),
  ),
  cabin_id: z.string().describe('Id of this airline in the cabin bag file.'),
  cabin_addition: z
    .strictObject({
      carry_on_cm: z.array(z.number()).nullable(),
      carry_on_kg: z.number().nullable(),
      personal_item_cm: z.array(z.number()).nullable(),
      personal_item: z.string().nullable(),
      ...Evidence.shape,
    })
    .nullable(),
  notes: foundTexts,
})
export type CheckedBags = z.infer<typeof CheckedBags>

const centimetres = z
  .union([z.array(z.number().positive()).length(3), z.number().positive()])
  .nullable()
  .describe('Length, width and height, or their sum as one number; null when not stated.')

const Piece = z.strictObject({ size_cm: centimetres, weight_kg: z.number().positive().nullable() })

export const CabinBags = z.strictObject({
  id: z.string().min(1),
  iata: z.string().nullable(),
  airline: z.string().min(1),
  region: z.string(),
  policy_url: z.url(),
  carry_on: Piece.nullable(),
  carry_on_costs_extra: z.boolean().nullable().describe('On the cheapest fare; null when not stated.'),
  personal_item: Piece.nullable(),
  total_weight_kg: z.number().positive().nullable(),
  ...Evidence.shape,
})
export type CabinBags = z.infer<typeof CabinBags>

/** First and second checked bag on the cheapest fares of 36 airlines. */
export const CHECKED_BAGS = referenceFile('checked-bags', CheckedBags)
/** Cabin bags of 172 airlines, each with the page of its policy. */
export const CABIN_BAGS = referenceFile('cabin-bags', CabinBags)
