import { DAY_MS, HOUR_MS } from '../../../config/domain.ts'
import type { ResultColumns } from '../../storage/duckdb.ts'
import type { Warehouse } from '../../storage/warehouse.ts'
import type { OpeningHoursContent, QueueHours } from '../read/opening-hours.ts'
import { learnHours, type ObservedOpenHour } from '../waits/learned-hours.ts'
import type { GatherContext } from './define.ts'
import { defineGathered } from './define.ts'

/** Four weeks: each weekday four times, and a new timetable counts after a few days. */
const DAYS = 28

export const gatherOpeningHours = defineGathered({
  gather: async (context): Promise<OpeningHoursContent> => ({ opening_hours: await queueHours(context) }),
  files: {
    keys: ['opening_hours'],
    encode: ({ opening_hours }) => ({ 'opening-hours.json': Buffer.from(JSON.stringify(opening_hours)) }),
  },
})

async function queueHours({ warehouse, airports, now }: GatherContext): Promise<QueueHours[]> {
  const rows = await observedHours(warehouse, now)
  const names = rows['queue'] as string[]
  const timezones = new Map(airports.map(({ iata, timezone }) => [iata, timezone]))
  const learned: QueueHours[] = []
  for (let start = 0; start < names.length; ) {
    let end = start
    while (names[end] === names[start]) end += 1
    const [kind = '', iata = '', terminal = ''] = (names[start] ?? '').split('\t')
    const timezone = timezones.get(iata)
    const hours = timezone === undefined ? null : learnHours(hoursOfRows(rows, start, end), timezone)
    if (hours) learned.push({ kind, iata, terminal, ...hours })
    start = end
  }
  return learned
}

function observedHours(warehouse: Warehouse, now: number): Promise<ResultColumns> {
  const from = new Date(now - DAYS * DAY_MS).toISOString()
  return warehouse.columns(
    `SELECT kind || chr(9) || iata || chr(9) || terminal AS queue, hour, slots, open_slots,
       first_open_at, last_closed_at
     FROM open_hours WHERE date >= $day AND hour >= $from::TIMESTAMPTZ ORDER BY queue, hour`,
    { day: from.slice(0, 10), from },
  )
}

function hoursOfRows(rows: ResultColumns, start: number, end: number): ObservedOpenHour[] {
  const number = (name: string, row: number) => Number(rows[name]?.[row])
  return Array.from({ length: end - start }, (_, offset) => {
    const row = start + offset
    const hour = number('hour', row)
    const closedAt = number('last_closed_at', row)
    const firstOpenAt = number('first_open_at', row)
    // It opened at some time between the two observations.
    const followsClosedHour =
      offset > 0 && number('hour', row - 1) === hour - HOUR_MS && number('open_slots', row - 1) === 0
    const lastClosedAt = followsClosedHour && Number.isNaN(closedAt) ? number('last_closed_at', row - 1) : closedAt
    const openedAt = Number.isNaN(lastClosedAt) ? firstOpenAt : Math.max(hour, (lastClosedAt + firstOpenAt) / 2)
    return {
      hour,
      slots: number('slots', row),
      open_slots: number('open_slots', row),
      first_open_at: Number.isNaN(openedAt) ? null : openedAt,
      follows_closure: followsClosedHour || !Number.isNaN(closedAt),
    }
  })
}
