import { z } from 'zod'
import { DelayProgramType, Iata } from '../../config/vocabulary.ts'
import * as c from './columns.ts'
import { column, defineTable, type Row } from './define.ts'

/** FAA traffic management programs and airport closures, as each capture listed them. */
export const delays = defineTable({
  name: 'delays',
  about:
    'FAA programs and closures as each capture listed them; a program that is missing from the newest capture is over.',
  owner: 'pipeline',
  retention: 'readings',
  columns: {
    source: c.source,
    iata: column(Iata.nullable(), 'IATA code; null for airspace flow programs and for FAA ids that no airport has.'),
    faa_id: c.text("The FAA's own id: ARPT, or CTL_Element (FCAxxx) of a flow program."),
    type: column(z.enum([...DelayProgramType.options, 'closure']), 'Kind of program, or `closure`.'),
    reason: c.maybeText('Reason exactly as published.'),
    reason_category: c.maybeText(
      'weather, volume, runway, equipment, staffing, security, closure or other, from both FAA vocabularies.',
    ),
    average_minutes: c.maybeNumber('Average delay in minutes.'),
    min_minutes: c.maybeNumber('Lower end of the delay band in minutes.'),
    max_minutes: c.maybeNumber('Upper end of the delay band in minutes; null when unknown (the FAA then prints 0).'),
    trend: column(z.enum(['increasing', 'decreasing', 'steady']).nullable(), 'Trend as published.'),
    start: c.maybeInstant('When the program or closure begins.'),
    end: c.maybeInstant('When it is expected to end; null when the source does not say or says PERM.'),
    closed_to_airlines: column(
      z.boolean().nullable(),
      'Closures only: whether scheduled airlines are shut out; most closures are partial and are not.',
    ),
    closed_hours_utc: c.maybeText(
      'Closures only: daily hours (UTC, HHMM-HHMM, weekdays before them) outside which the airport is open.',
    ),
    scope: c.maybeText('Which flights or facilities are included, where published.'),
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
