import { z } from 'zod'
import { Iata } from '../vocabulary.ts'
import { referenceFile } from './define-reference.ts'
import { Evidence } from './evidence.ts'

export const SchengenState = z.strictObject({
  country: z.string().length(2),
  name: z.string(),
  eu: z.boolean(),
  member: z.boolean().describe('False for EU states that are not members.'),
  air_border_checks_ended: z.string().nullable(),
  land_border_checks_ended: z.string().nullable(),
  days_count_from: z
    .string()
    .nullable()
    .describe('First day that counts as a day of stay, if later than for the other states; null when none is known.'),
  note: z.string().nullable(),
  ...Evidence.shape,
})
export type SchengenState = z.infer<typeof SchengenState>

export const EesFact = z.strictObject({ date: z.string(), fact: z.string(), ...Evidence.shape })
export const BorderWaitFigure = z.strictObject({
  iata: Iata.nullable(),
  place: z.string(),
  date: z.string().nullable(),
  kind: z.string(),
  min_minutes: z.int().min(0).nullable(),
  max_minutes: z.int().min(0).nullable(),
  fact: z.string(),
  ...Evidence.shape,
})
export const BorderWaitPublisher = z.strictObject({
  airports: z.array(Iata),
  schengen: z.boolean(),
  publishes: z.string(),
  access: z.string().nullable(),
  note: z.string().nullable(),
  ...Evidence.shape,
})

/** The states in the Schengen area, as dated facts. */
export const SCHENGEN_STATES = referenceFile('schengen-states', SchengenState)
/** Events of the Entry/Exit System, by date. */
export const EES_FACTS = referenceFile('ees-facts', EesFact)
/** Border waits mentioned on pages. Historical, never a current wait. */
export const BORDER_WAIT_FIGURES = referenceFile('border-wait-figures', BorderWaitFigure)
/** The publishers of border waits. */
export const BORDER_WAIT_PUBLISHERS = referenceFile('border-wait-publishers', BorderWaitPublisher)
export type EesFact = z.infer<typeof EesFact>
export type BorderWaitFigure = z.infer<typeof BorderWaitFigure>
export type BorderWaitPublisher = z.infer<typeof BorderWaitPublisher>
