import { randomBytes } from 'node:crypto'
import { CROWD_SOURCE } from '../../config/publishers.ts'
import type { Table } from '../tables/define.ts'
import { openHours } from '../tables/open-hours.ts'
import { readings } from '../tables/readings.ts'
import { rollupHistory, rollups } from '../tables/rollups.ts'
import { sourceWaits } from '../tables/source-waits.ts'
import { dayChanges, type TableDay } from './changes.ts'
import { openHoursSelect, rollupSelect, sourceWaitsSelect } from './rollup-sql.ts'
import { instantSql, quoteName } from './sql.ts'
import type { Warehouse } from './warehouse.ts'
import { isOfDays, landSelect, type Replacement, replaceDays, type WriteContext } from './write.ts'

/** A row that changes within this time was not settled yet: the last readings of an hour arrive after it has ended. */
const SETTLED_SECONDS = 900

const HOUR_KEY = ['kind', 'level', 'iata', 'terminal', 'checkpoint', 'lane', 'hour'].map(quoteName).join(', ')
const HOUR_FIGURES = ['mean', 'p50', 'p90', 'max', 'samples', 'flagged', 'source']
/** SQL condition: an old and a new row say the same. Means are sums in any order, so their last digits say nothing. */
const SAYS_SAME = HOUR_FIGURES.map((name) => {
  const column = (row: string) => (name === 'mean' ? `round(${row}.mean, 6)` : `${row}.${quoteName(name)}`)
  return `${column('o')} IS NOT DISTINCT FROM ${column('n')}`
}).join(' AND ')

/**
 * Replaces the hours of some days, and keeps the rows that are corrected: a row that had been as it was for a quarter of an
 * hour goes to `rollup_history` with the instant until which it was known. A row is known from its `available_at`, and a
 * corrected one from its correction.
 */
async function replaceHours(
  context: WriteContext,
  days: readonly Replacement[],
  made: string,
  now: number,
): Promise<void> {
  const { connection } = context
  const rows = `hours_${randomBytes(6).toString('hex')}`
  const instant = instantSql(now)
  const stored = `(SELECT * FROM rollups WHERE ${isOfDays(rollups, days)})`
  const history = `(SELECT * FROM rollup_history WHERE ${isOfDays(rollupHistory, days)})`
  const isSame = `o.hour IS NOT NULL AND (${SAYS_SAME})`
  try {
    await connection.run(`
      CREATE TEMP TABLE ${rows} AS
      WITH o AS (SELECT *, coalesce(known_from, available_at) AS since FROM ${stored}),
      h AS (SELECT ${HOUR_KEY}, max(known_to) AS known_to FROM ${history} GROUP BY ALL)
      SELECT n.* REPLACE (CASE WHEN ${isSame} THEN o.mean ELSE n.mean END AS mean),
        o.hour IS NOT NULL AND NOT (${SAYS_SAME}) AND o.since <= ${instant} - to_seconds(${SETTLED_SECONDS}) AS corrects,
        CASE WHEN corrects THEN greatest(n.available_at, ${instant})
          WHEN ${isSame} THEN o.since
          ELSE greatest(n.available_at, h.known_to) END AS known_from
      FROM (${made}) n LEFT JOIN o USING (${HOUR_KEY}) LEFT JOIN h USING (${HOUR_KEY})`)
    const closed = `
      SELECT o.* EXCLUDE (known_from, date), coalesce(o.known_from, o.available_at) AS known_from, coalesce(n.known_from, ${instant}) AS known_to
      FROM ${stored} o LEFT JOIN ${rows} n USING (${HOUR_KEY})
      WHERE n.corrects OR (n.hour IS NULL AND coalesce(o.known_from, o.available_at) <= ${instant} - to_seconds(${SETTLED_SECONDS}))`
    await landSelect(context, rollupHistory, closed)
    await replaceDays(context, rollups, days, `SELECT * EXCLUDE (corrects) FROM ${rows}`)
  } finally {
    await connection.run(`DROP TABLE IF EXISTS ${rows}`).catch(() => undefined)
  }
}

/** Days are rolled up together while they have at most this many readings: each transaction costs as much as thousands of them. */
const READINGS_AT_ONCE = 400_000

export interface RollUpOptions {
  /** Every day, also those that are current. */
  all?: boolean
  /** Only this many of the newest days; the others stay due. */
  newestDays?: number
  /** When a correction becomes known, epoch ms; default: now. */
  now?: number
  onProgress?: (done: number, total: number) => void
}

/** The tables that are made of a day's readings. */
const DERIVED: readonly Table[] = [rollups, openHours, sourceWaits]

/** The end of `made_from` of a derived day whose readings were deleted since. */
const AND_DELETED = '+'

/** Notes that the readings up to a day (YYYY-MM-DD) were deleted, so that what was derived from them stays when further ones land. */
export async function keepDerived(context: WriteContext, lastDate: string): Promise<void> {
  for (const table of DERIVED)
    for (const { kind, date, made_from } of await dayChanges(context.connection, table))
      if (date <= lastDate && made_from !== null && !made_from.endsWith(AND_DELETED))
        context.changes.note(table, { kind, date }, false, `${made_from}${AND_DELETED}`)
}

/** The column that counts what a derived row was made from: of two rows for one key, the one with more is kept. */
const WEIGHTS: Partial<Record<string, string>> = { [rollups.name]: 'samples', [openHours.name]: 'slots' }

/** Adds the stored rows of the days whose readings were deleted, where they rest on more than what is made of the readings landed since. */
function withKept(table: Table, days: readonly Replacement[], made: string): string {
  const partial = days.filter(({ made_from }) => made_from?.endsWith(AND_DELETED))
  if (partial.length === 0) return made
  const columns = `kept.* EXCLUDE (${table === rollups ? 'known_from, date' : 'date'})`
  const weight = WEIGHTS[table.name]
  return `
    SELECT * EXCLUDE (is_made) FROM (
      SELECT *, true AS is_made FROM (${made}) UNION ALL BY NAME
      SELECT ${columns}, false AS is_made FROM ${table.name} kept WHERE ${isOfDays(table, partial)}
    ) QUALIFY row_number() OVER (
      PARTITION BY ${table.key.map(quoteName).join(', ')} ORDER BY ${weight === undefined ? '' : `${weight} DESC, `}is_made DESC) = 1`
}

/** The days whose hours were made from other readings than there are now, or all days with `all`. */
async function dueDays(warehouse: Warehouse, options: RollUpOptions): Promise<Replacement[]> {
  const days = await warehouse.dayChanges(readings)
  const dates = [...new Set(days.map(({ date }) => date))].sort()
  const first = options.newestDays === undefined ? '' : (dates.at(-options.newestDays) ?? '')
  const keyOf = ({ kind, date }: TableDay) => `${kind} ${date}`
  const derived = await Promise.all(
    DERIVED.map(
      async (table) => new Map((await warehouse.dayChanges(table)).map((day) => [keyOf(day), day.made_from])),
    ),
  )
  // Hours of an earlier release may be those of travellers.
  const reported = await warehouse.query<TableDay>(
    DERIVED.map(({ name }) => `SELECT kind, date::VARCHAR AS date FROM ${name} WHERE source = '${CROWD_SOURCE}'`).join(
      ' UNION ',
    ),
  )
  const travellerKeys = new Set(reported.map(keyOf))
  return days.flatMap((day) => {
    const isPartial = derived.some((madeFrom) => madeFrom.get(keyOf(day))?.endsWith(AND_DELETED))
    const made_from = `${day.number}${isPartial ? AND_DELETED : ''}`
    const isMade = derived.every((madeFrom) => madeFrom.get(keyOf(day)) === made_from)
    const isCurrent = isMade && !travellerKeys.has(keyOf(day))
    if (day.date < first || (isCurrent && !options.all)) return []
    return [{ kind: day.kind, date: day.date, made_from }]
  })
}

/** Days in order, as many at once as their readings allow. */
async function batchesOf(warehouse: Warehouse, days: readonly Replacement[]): Promise<Replacement[][]> {
  if (days.length <= 1) return days.map((day) => [day])
  const counted = await warehouse.query<TableDay & { rows: number }>(
    `SELECT kind, date::VARCHAR AS date, count(*)::INTEGER AS rows FROM readings WHERE ${isOfDays(readings, days)} GROUP BY ALL`,
  )
  const rowsOf = new Map(counted.map(({ kind, date, rows }) => [`${kind} ${date}`, rows]))
  const batches: Replacement[][] = []
  let left = 0
  for (const day of days) {
    const rows = rowsOf.get(`${day.kind} ${day.date}`) ?? 0
    if (batches.length === 0 || rows > left) {
      batches.push([])
      left = READINGS_AT_ONCE
    }
    batches.at(-1)!.push(day)
    left -= rows
  }
  return batches
}

/**
 * Rolls up every day whose readings changed since its hours were made, or all days with `all`; returns the number of days. A day's
 * rollup depends only on its readings, and on its earlier rollup if some of these were deleted, so rolling it up again changes
 * nothing. No time is compared, because clocks may be set back.
 */
export async function rollUp(warehouse: Warehouse, options: RollUpOptions = {}): Promise<number> {
  const due = await dueDays(warehouse, options)
  let done = 0
  for (const days of await batchesOf(warehouse, due)) {
    const rows = `SELECT * FROM readings WHERE ${isOfDays(readings, days)}`
    await warehouse.write(async (context) => {
      await replaceHours(context, days, withKept(rollups, days, rollupSelect(rows)), options.now ?? Date.now())
      await replaceDays(context, openHours, days, withKept(openHours, days, openHoursSelect(rows)))
      await replaceDays(context, sourceWaits, days, withKept(sourceWaits, days, sourceWaitsSelect(rows)))
    })
    done += days.length
    options.onProgress?.(done, due.length)
  }
  return due.length
}
