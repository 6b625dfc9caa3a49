import { asList, type FieldReader } from '../../parsing/fields.ts'
import { delayRow, type ReadRow, reasonOf } from './delay-row.ts'
import { eventCollector } from './event-list.ts'
import { altitudeBand } from './values.ts'

/** A condition on the origin or the destination of a flight: one facility as text, or a list of them. */
function facilities(fields: FieldReader, name: string, words: string): string | null {
  const named = asList(fields.row[name]).filter((name) => typeof name === 'string' && name !== '')
  return named.length > 0 ? `${words} ${named.join(' ')}` : null
}

const flowProgram: ReadRow = (fields, document) => {
  const program = fields.has('airspaceFlowProgram') ? fields.within('airspaceFlowProgram') : null
  if (!program) return []
  const name = program.text('afpName')
  if (name === null) {
    program.warning('row_without_element', 'afpName is missing; the row is left out.')
    return []
  }
  const scope = [
    altitudeBand(program.number('lowerAltitude'), program.number('upperAltitude')),
    facilities(fields, 'departsAny', 'departing'),
    facilities(fields, 'arrivesAny', 'arriving'),
    facilities(fields, 'departsNone', 'not departing'),
    facilities(fields, 'arrivesNone', 'not arriving'),
    fields.text('comments'),
  ]
  return [
    {
      ...delayRow(name, 'airspace_flow', document),
      ...reasonOf(program, 'impactingCondition'),
      average_minutes: program.minutes('avgDelay'),
      start: program.instant('startTime'),
      end: program.instant('endTime'),
      scope: scope.filter(Boolean).join('; ') || null,
    },
  ]
}

/** Airspace flow programs as JSON; only the name of a program is required. */
export const faaEnrouteEvents = eventCollector('faa-enroute-events', (row) => 'airspaceFlowProgram' in row, flowProgram)
