import { z } from 'zod'
import { Iata, Lane, QueueKind, UtcInstant } from '../../config/domain.ts'
import { column } from './define.ts'

/** Columns that several tables share, declared once. */
const instant = (meaning: string) => column('TIMESTAMPTZ', UtcInstant, meaning)

export const kind = column(
  'VARCHAR',
  QueueKind,
  `Kind of queue: ${QueueKind.options.join(', ')}; kinds are never mixed.`,
)
export const iata = column('VARCHAR', Iata, 'IATA code of the airport.')
export const terminal = column('VARCHAR', z.string(), 'Terminal as the source names it; empty when it names none.')
export const checkpoint = column('VARCHAR', z.string(), 'Checkpoint as the source names it; empty when it names none.')
export const lane = column('VARCHAR', Lane, 'Lane in our vocabulary; `all` when the source does not split lanes.')
export const source = column('VARCHAR', z.string(), 'Id of the source in config/sources.json.')
export const capture_id = column(
  'VARCHAR',
  z.string(),
  'Raw capture (or imported file) that this row was parsed from; `replay` starts here. For a traveller’s report `crowd-` and the report’s id: its text is stored in the state database.',
)
export const observed_at = instant('When the source observed it.')
export const fetched_at = instant('When we fetched it.')
export const available_at = instant(
  'Earliest instant at which we could have known this row; a cutoff is compared with it.',
)
export const issued_at = instant('When the forecast was made; it uses no row that became available later.')
export const valid_at = instant('Start of the hour the forecast is about.')
export { instant }
export const wait = (meaning: string) => column('DOUBLE', z.number().nullable(), meaning)
