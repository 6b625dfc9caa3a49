import { z } from 'zod'
import { Iata } from '../domain.ts'
import { found, referenceFile } from './define.ts'
import { Evidence } from './evidence.ts'

export const ReferenceLounge = z.strictObject({
  iata: Iata,
  lounge: z.string().min(1),
  operator: z.string().nullable(),
  terminal: z.string().nullable(),
  near_gate: z.string().nullable(),
  airside: z.boolean().nullable().describe('Behind security; null: not known.'),
  access: z.strictObject({
    ticket: found.describe('Travel classes that let in; empty: not stated.'),
    status: found.describe('Alliance or airline levels.'),
    cards: found.describe('Credit cards.'),
    programmes: found.describe('Memberships.'),
    day_pass: z.string().nullable().describe('Price of a day, or how it is sold; null: not stated.'),
  }),
  amenities: found,
  hours: z.string().nullable(),
  note: z.string().nullable(),
  more_sources: found,
  ...Evidence.shape,
})
export type ReferenceLounge = z.infer<typeof ReferenceLounge>

/** Lounges of 60 airports, never all that an airport has. */
export const LOUNGES = referenceFile('lounges', ReferenceLounge)
