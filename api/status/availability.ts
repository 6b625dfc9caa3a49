import type { Kysely } from 'kysely'
import { z } from 'zod'
import { Instant } from '../../config/answer-schemas.ts'
import { DAY_MS, isoUtc, MINUTE_MS } from '../../config/vocabulary.ts'
import type { PeriodicTask } from '../dependencies.ts'
import type { StateTables } from '../state/tables.ts'

/** The period over which the availability is measured. */
const WINDOW_DAYS = 30
const RETENTION_DAYS = 40

export const Availability = z.strictObject({
  promised_percent: z
    .number()
    .nullable()
    .describe('The availability that the operator promises to Enterprise; null: none is promised.'),
  measured_percent: z
    .number()
    .min(0)
    .max(100)
    .nullable()
    .describe(
      `Share of the last ${WINDOW_DAYS} days in which a process served a snapshot, rounded down; null before the first whole minute.`,
    ),
  measured_since: Instant.nullable().describe('Since when, if not for the whole period.'),
})
export type Availability = z.output<typeof Availability>

export const NOT_MEASURED: Availability = { promised_percent: null, measured_percent: null, measured_since: null }

const minuteOf = (now: number) => Math.floor(now / MINUTE_MS)

/** Records the current minute while this process serves a snapshot. It runs several times a minute, so that none is missed. */
export const recordAvailabilityTask: PeriodicTask = {
  name: 'record availability',
  every_ms: 20_000,
  async run({ state: { db }, holder }, now) {
    if (holder.current() === null) return
    const minute = minuteOf(now)
    await db
      .insertInto('served_minutes')
      .values({ minute })
      .onConflict((conflict) => conflict.column('minute').doNothing())
      .execute()
  },
}

/** Deletes the minutes that no answer shows any more. */
export const deleteOldAvailabilityTask: PeriodicTask = {
  name: 'delete old availability',
  every_ms: 3_600_000,
  by_age: true,
  async run({ state: { db } }, now) {
    await db
      .deleteFrom('served_minutes')
      .where('minute', '<', minuteOf(now - RETENTION_DAYS * DAY_MS))
      .execute()
    // Rows in the future would make the next start distrust the clock.
    await db
      .deleteFrom('served_minutes')
      .where('minute', '>', minuteOf(now) + 1)
      .execute()
  },
}

/** The promised availability and that measured until `now` (epoch ms); the current minute is not over and does not count. */
export async function measuredAvailability(
  db: Kysely<StateTables>,
  promised: number | undefined,
  now: number,
): Promise<Availability> {
  const end = minuteOf(now)
  const { served, first } = await db
    .selectFrom('served_minutes')
    .select(({ fn }) => [fn.countAll().as('served'), fn.min('minute').as('first')])
    .where('minute', '>=', end - (WINDOW_DAYS * DAY_MS) / MINUTE_MS)
    .where('minute', '<', end)
    .executeTakeFirstOrThrow()
  const promised_percent = promised ?? null
  if (Number(served) === 0) return { ...NOT_MEASURED, promised_percent }
  const percent = (100 * Number(served)) / (end - Number(first))
  return {
    promised_percent,
    // Rounded down, so that 100 means every minute.
    measured_percent: Math.floor(percent * 100) / 100,
    measured_since: isoUtc(Number(first) * MINUTE_MS),
  }
}
