import type { Kysely } from 'kysely'
import { MAX_CLOCK_SKEW_MS } from '../../config/steady-clock.ts'
import type { StateTables } from './tables.ts'

/** Instants of the state after this one are of a clock that was ahead; the clocks of several machines differ by less. */
export const futureFrom = (now: number): string => new Date(now + MAX_CLOCK_SKEW_MS).toISOString()

/** The instants of a row that was made while the clock was ahead. */
interface Instants {
  table: 'alerts' | 'deliveries' | 'connections' | 'wait_reports'
  id: string
  /** When the row was made. */
  made: string
  /** Instants that follow from it, such as the end of its validity: each keeps its distance. */
  along: readonly string[]
}

/**
 * Moves rows created while the clock was ahead to now, so that they last no longer than others. A periodic task runs it only
 * while the clock is trusted.
 */
export async function moveFromFuture(
  db: Kysely<StateTables>,
  { table, id, made, along }: Instants,
  now: number,
): Promise<void> {
  // The columns are named by the caller, so the statement has no types of its own.
  const any = db as unknown as Kysely<Record<string, Record<string, string | null>>>
  const rows = await any.selectFrom(table).selectAll().where(made, '>', futureFrom(now)).execute()
  for (const row of rows) {
    const ahead = Date.parse(row[made] ?? '') - now
    const moved = along.flatMap((column) => {
      const instant = row[column]
      return instant ? [[column, new Date(Date.parse(instant) - ahead).toISOString()]] : []
    })
    await any
      .updateTable(table)
      .set({ ...Object.fromEntries(moved), [made]: new Date(now).toISOString() })
      .where(id, '=', row[id] ?? '')
      .execute()
  }
}
