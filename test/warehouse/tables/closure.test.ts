import * as closures from '../../../warehouse/tables/closure.ts'
import { testValues } from '../../values.ts'

type Changes = Partial<Parameters<typeof closures.closureInForce>[0]>

const closureWith = (changes: Changes) => ({
  closed_to_airlines: true,
  closed_hours_utc: null,
  start: '2026-08-11T04:30:00Z',
  end: '2026-08-22T09:45:00Z',
  ...changes,
})
const { localClosedHours, localClosedHoursUntil } = closures

testValues('warehouse/tables/closure.json', {
  closureInForce: (changes: Changes, instant: string) =>
    closures.closureInForce(closureWith(changes), Date.parse(instant)),
  parseClosedHours: closures.parseClosedHours,
  localClosedHours: (hours: string, zone: string, instant: string) =>
    localClosedHours(hours, zone, Date.parse(instant)),
  localClosedHoursUntil: (from: string, until: string) =>
    localClosedHoursUntil('0430-0945', 'America/Denver', Date.parse(from), Date.parse(until)),
  closedUntil: (_: string, changes: Changes, instant: string) => {
    const until = closures.closedUntil(closureWith(changes), Date.parse(instant))
    return until && new Date(until).toISOString().replace('.000Z', 'Z')
  },
})
