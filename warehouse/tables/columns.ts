import { z } from 'zod'
import { Iata, Lane, QueueKind, UtcInstant } from '../../config/domain.ts'
import { column } from './define.ts'

/** Columns that several tables share, spelled and explained once. */
const instant = (meaning: string) => column('TIMESTAMPTZ', UtcInstant, meaning)

export const kind = column('VARCHAR', QueueKind, `Which queue: ${QueueKind.options.join(', ')}; never mixed.`)
export const iata = column('VARCHAR', Iata, 'IATA code of the airport.')
export const terminal = column('VARCHAR', z.string(), 'Terminal as the source names it; empty when it names none.')
export const checkpoint = column('VARCHAR', z.string(), 'Checkpoint as the source names it; empty when it names none.')
export const lane = column('VARCHAR', Lane, 'Lane in our vocabulary; `all` when the source does not split lanes.')
export const source = column('VARCHAR', z.string(), 'Id of the source in config/sources.json.')
export const capture_id = column(
  'VARCHAR',
  z.string(),
  'Raw capture (or imported file) that this row was parsed from; `replay` starts here. `crowd-` and the report’s id for a traveller’s report, which is kept in the state instead.',
)
export const observed_at = instant('When the world was so.')
export const fetched_at = instant('When we asked.')
export const available_at = instant(
  'Earliest instant at which we could have known this row: what a cutoff compares with.',
)
export const issued_at = instant('When the forecast was made; it uses nothing available later.')
export const valid_at = instant('Start of the hour the forecast is about.')
export { instant }
export const wait = (meaning: string) => column('DOUBLE', z.number().nullable(), meaning)
