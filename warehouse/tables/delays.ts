import { z } from 'zod'
import { DelayProgramType, Iata, UtcInstant } from '../../config/domain.ts'
import * as c from './columns.ts'
import { column, defineTable, type Row } from './define.ts'

const text = (meaning: string) => column('VARCHAR', z.string().nullable(), meaning)
const minutes = (meaning: string) => column('DOUBLE', z.number().nullable(), meaning)
const nullableInstant = (meaning: string) => column('TIMESTAMPTZ', UtcInstant.nullable(), meaning)

/** FAA traffic management programs and airport closures, as each capture listed them. */
export const delays = defineTable({
  name: 'delays',
  about:
    'FAA programs and closures as each capture listed them; a program that is missing from the newest capture is over.',
  owner: 'pipeline',
  retention: 'readings',
  columns: {
    source: c.source,
    iata: column(
      'VARCHAR',
      Iata.nullable(),
      'IATA code; null for airspace flow programs and for FAA ids that no airport has.',
    ),
    faa_id: column('VARCHAR', z.string(), "The FAA's own id: ARPT, or CTL_Element (FCAxxx) of a flow program."),
    type: column('VARCHAR', z.enum([...DelayProgramType.options, 'closure']), 'Kind of program, or `closure`.'),
    reason: text('Reason exactly as published.'),
    reason_category: text(
      'weather, volume, runway, equipment, staffing, security, closure or other, from both FAA vocabularies.',
    ),
    average_minutes: minutes('Average delay in minutes.'),
    min_minutes: minutes('Lower end of the delay band in minutes.'),
    max_minutes: minutes('Upper end of the delay band in minutes; null when unknown (the FAA then prints 0).'),
    trend: column('VARCHAR', z.enum(['increasing', 'decreasing', 'steady']).nullable(), 'Trend as published.'),
    start: nullableInstant('When the program or closure begins.'),
    end: nullableInstant('When it is expected to end; null when the source does not say or says PERM.'),
    closed_to_airlines: column(
      'BOOLEAN',
      z.boolean().nullable(),
      'Closures only: whether scheduled airlines are shut out; most closures are partial and are not.',
    ),
    closed_hours_utc: text(
      'Closures only: daily hours (UTC, HHMM-HHMM, weekdays before them) outside which the airport is open.',
    ),
    scope: text('Which flights or facilities are included, where published.'),
    observed_at: c.observed_at,
    fetched_at: c.fetched_at,
    available_at: c.available_at,
    capture_id: c.capture_id,
  },
  key: ['source', 'faa_id', 'type', 'reason', 'start', 'observed_at'],
  sort: ['faa_id', 'type', 'observed_at'],
  age: 'observed_at',
  local: 'observed_at',
})

export type Delay = Row<typeof delays>
export type ParsedDelay = Omit<Delay, 'source' | 'fetched_at' | 'available_at' | 'capture_id'>
