import { z } from 'zod'
import { Iata } from '../vocabulary.ts'
import { foundTexts, referenceFile } from './define-reference.ts'
import { Evidence } from './evidence.ts'

export const ReferenceLounge = z.strictObject({
  iata: Iata,
  lounge: z.string().min(1),
  operator: z.string().nullable(),
  terminal: z.string().nullable(),
  near_gate: z.string().nullable(),
  airside: z.boolean().nullable().describe('Behind security; null when not known.'),
  access: z.strictObject({
    ticket: foundTexts.describe('Travel classes with access; empty when not stated.'),
    status: foundTexts.describe('Alliance or airline status levels.'),
    cards: foundTexts.describe('Credit cards.'),
    programmes: foundTexts.describe('Memberships.'),
    day_pass: z.string().nullable().describe('Price of a day pass, or how it is sold; null when not stated.'),
  }),
  amenities: foundTexts,
  hours: z.string().nullable(),
  note: z.string().nullable(),
  more_sources: foundTexts,
  ...Evidence.shape,
})
export type ReferenceLounge = z.infer<typeof ReferenceLounge>

/** Lounges of 60 airports; the list of an airport is never complete. */
export const LOUNGES = referenceFile('lounges', ReferenceLounge)
