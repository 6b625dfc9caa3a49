import { z } from 'zod'
import { Iata, Lane, QueueKind, UtcInstant } from '../../config/vocabulary.ts'
import { column } from './define.ts'

/** Columns that several tables share, declared once. */
export const instant = (meaning: string) => column(UtcInstant, meaning)
export const maybeInstant = (meaning: string) => column(UtcInstant.nullable(), meaning)
export const text = (meaning: string) => column(z.string(), meaning)
export const maybeText = (meaning: string) => column(z.string().nullable(), meaning)
export const number = (meaning: string) => column(z.number(), meaning)
export const maybeNumber = (meaning: string) => column(z.number().nullable(), meaning)
export const whole = (meaning: string) => column(z.int(), meaning)
export const count = (meaning: string) => column(z.int().min(0), meaning)

export const kind = column(QueueKind, `Kind of queue: ${QueueKind.options.join(', ')}; kinds are never mixed.`)
export const iata = column(Iata, 'IATA code of the airport.')
export const terminal = text('Terminal as the source names it; empty when it names none.')
export const checkpoint = text('Checkpoint as the source names it; empty when it names none.')
export const lane = column(Lane, 'Lane in our vocabulary; `all` when the source does not split lanes.')
export const source = text('Id of the source in config/sources.json.')
export const capture_id = text(
  'Raw capture (or imported file) that this row was parsed from; `replay` starts here. For a traveller’s report `crowd-` and the report’s id: its text is stored in the state database.',
)
export const observed_at = instant('When the source observed it.')
export const fetched_at = instant('When we fetched it.')
export const available_at = instant(
  'Earliest instant at which we could have known this row; a cutoff is compared with it.',
)
export const issued_at = instant('When the forecast was made; it uses no row that became available later.')
export const valid_at = instant('Start of the hour the forecast is about.')
