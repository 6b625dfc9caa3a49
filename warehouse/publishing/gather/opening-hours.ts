import { groupBy } from '../../../config/group-by.ts'
import { CROWD_SOURCE } from '../../../config/publishers.ts'
import { DAY_MS, HOUR_MS, isoUtc, utcDayOf } from '../../../config/vocabulary.ts'
import type { ResultColumns } from '../../storage/duckdb.ts'
import type { Warehouse } from '../../storage/warehouse.ts'
import { openHours } from '../../tables/open-hours.ts'
import type { OpeningHoursContent, QueueHours } from '../read/opening-hours.ts'
import { learnHours, type ObservedOpenHour } from '../waits/learned-hours.ts'
import { type LaneStatement, publishedHours, withPublished } from '../waits/stated-hours.ts'
import { defineGathered, type GatherContext } from './define-gathered.ts'

/** Four weeks: each weekday four times, and a new timetable counts after a few days. */
const DAYS = 28

export const gatherOpeningHours = defineGathered({
  gather: async (context): Promise<OpeningHoursContent> => ({ opening_hours: await queueHours(context) }),
  files: {
    keys: ['opening_hours'],
    encode: ({ opening_hours }) => ({ 'opening-hours.json': Buffer.from(JSON.stringify(opening_hours)) }),
  },
})

/** The hours of all queues as they were known at `now`: learned from the last four weeks, and bound by what sources publish. */
async function queueHours({ warehouse, airports, now }: GatherContext): Promise<QueueHours[]> {
  const timezones = new Map(airports.map(({ iata, timezone }) => [iata, timezone]))
  const learn = async () => learnedHours(await observedHours(warehouse, now), timezones)
  // The present hour changes with every reading; what four weeks show does not, so they are read once an hour.
  const hour = Math.ceil(now / HOUR_MS)
  const learned = await warehouse.remembered('learned hours', [openHours], hour, learn, utcDayOf(now))
  const byQueue = new Map(learned.map((hours) => [keyOf(hours), hours]))
  for (const { timezone, published, ...queue } of await publishedQueues(warehouse, now, timezones)) {
    const own = byQueue.get(keyOf(queue)) ?? null
    byQueue.set(keyOf(queue), { ...queue, ...withPublished(own, published, timezone) })
  }
  return [...byQueue.values()]
}

type Queue = Pick<QueueHours, 'kind' | 'iata' | 'terminal'>
const keyOf = ({ kind, iata, terminal }: Queue) => `${kind}\t${iata}\t${terminal}`

function learnedHours(rows: ResultColumns, timezones: ReadonlyMap<string, string>): QueueHours[] {
  const names = rows['queue'] as string[]
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

/** A timetable is published every day; an older statement may be of another season. */
const PUBLISHED_DAYS = 7

/** The words of standard lanes that may state hours, of sources that published such words, by lane and UTC hour of the day. */
async function publishedQueues(warehouse: Warehouse, now: number, timezones: ReadonlyMap<string, string>) {
  const from = new Date(now - PUBLISHED_DAYS * DAY_MS).toISOString()
  const rows = await warehouse.query<LaneStatement & Queue>(
    `WITH lately AS (
       SELECT * FROM readings WHERE date >= $day AND observed_at > $from::TIMESTAMPTZ AND available_at <= $now::TIMESTAMPTZ
         AND lane IN ('standard', 'all') AND source <> '${CROWD_SOURCE}'
     ), stating AS (
       SELECT DISTINCT source, iata FROM lately WHERE wait_text IS NOT NULL AND regexp_matches(wait_text, $words, 'i')
     )
     SELECT kind, iata, terminal, source, checkpoint, lane,
       CASE WHEN regexp_matches(wait_text, $words, 'i') THEN wait_text END AS words,
       CAST(min(epoch_ms(observed_at) // 60000 % 1440) AS INTEGER) AS first_minute,
       epoch_ms(max(observed_at)) AS observed_at,
       bool_or(status = 'open' OR (status = 'unknown' AND wait_minutes > 0)) AS was_open
     FROM lately SEMI JOIN stating USING (source, iata)
     GROUP BY kind, iata, terminal, source, checkpoint, lane, words, epoch_ms(observed_at) // 3600000 % 24`,
    { day: from.slice(0, 10), from, now: isoUtc(now), words: 'open|until|hours|daily' },
  )
  const terminalRows = rows.flatMap((row) => [...new Set([row.terminal, ''])].map((terminal) => ({ ...row, terminal })))
  const queues = groupBy(terminalRows, keyOf)
  return [...queues.values()].flatMap((statements) => {
    const { kind, iata, terminal } = statements[0]!
    const timezone = timezones.get(iata)
    const published = timezone === undefined ? null : publishedHours(statements, timezone)
    return timezone === undefined || published === null ? [] : [{ kind, iata, terminal, timezone, published }]
  })
}

function observedHours(warehouse: Warehouse, now: number): Promise<ResultColumns> {
  const from = new Date(now - DAYS * DAY_MS).toISOString()
  return warehouse.columns(
    `SELECT kind || chr(9) || iata || chr(9) || terminal AS queue, hour, slots, open_slots,
       first_open_at, last_closed_at
     FROM open_hours WHERE date >= $day AND hour >= $from::TIMESTAMPTZ AND hour <= $now::TIMESTAMPTZ
     ORDER BY queue, hour`,
    { day: from.slice(0, 10), from, now: isoUtc(now) },
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
