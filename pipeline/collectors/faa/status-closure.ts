import { instantOfMs } from '../../parsing/fields.ts'
import { endNearest, instantNearest } from './calendar.ts'
import { notamPeriod, readClosure } from './closure.ts'
import { airportOf, delayRow, type ReadRow } from './delay-row.ts'

/**
 * Airport_Closure_List/Airport: ARPT, Reason, Start, Reopen. The words have no year (and were local time called UTC
 * in 2024), so the NOTAM's tail wins where there is one.
 */
export const airportClosure: ReadRow = (fields, document) => {
  const airport = airportOf(fields, 'ARPT', document)
  if (!airport) return []
  const reason = fields.text('Reason')
  const closure = reason === null ? null : readClosure(reason)
  const closed = closure?.closed_to_airlines ?? null
  if (closed === null) {
    fields.note('closure_unclear', 'info', 'the text does not tell whether airlines are shut out', reason)
  }
  const instantBy = (read: (text: string, nearMs: number) => number | null) => (text: string) => {
    const ms = read(text, document.observedMs)
    return ms === null ? null : instantOfMs(ms)
  }
  const period = closure && notamPeriod(closure.notam)
  return [
    {
      ...delayRow(airport.faaId, 'closure', document),
      iata: airport.iata,
      reason,
      reason_category: 'closure',
      start: period?.start ?? fields.read('Start', instantBy(instantNearest)),
      end: period ? period.end : fields.read('Reopen', instantBy(endNearest)),
      closed_to_airlines: closed,
      closed_hours_utc: closure?.closed_hours_utc ?? null,
    },
  ]
}
