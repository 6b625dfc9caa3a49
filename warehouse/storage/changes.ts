import type { DuckDBConnection } from '@duckdb/node-api'
import type { Table } from '../tables/define.ts'
import { readRows } from './duckdb.ts'
import { quoteText } from './sql.ts'

/**
 * The changes by day. Each transaction that changes rows has the next sequence number, and adds a row for each table, kind and
 * day that it changed. The newest row of a day counts. Nothing else says whether something is current: neither a clock nor a
 * digest.
 */
export const CHANGES = 'changes'

export const CHANGES_COLUMNS: Record<string, string> = {
  sequence: 'BIGINT',
  table_name: 'VARCHAR',
  /** Empty for a table whose days are not made by kind. */
  kind: 'VARCHAR',
  /** NULL where days of the table were deleted. */
  date: 'DATE',
  /** Sequence of the transaction that last changed rows of the day. */
  number: 'BIGINT',
  /** The origin of the day's rows, in the words of the code that derives it; where days were deleted the last of them. */
  made_from: 'VARCHAR',
}

/** A day of a table, and of one kind of queue where its changes are counted by kind. */
export interface TableDay {
  kind: string
  /** YYYY-MM-DD */
  date: string
}

/** The newest that is known of a day of a table. */
export interface DayChange extends TableDay {
  number: number
  made_from: string | null
}

/** Collects what one transaction changes, and records it at its end. */
export class ChangeLog {
  readonly #connection: DuckDBConnection
  readonly #days = new Map<
    string,
    { table: string; day: TableDay | null; isChanged: boolean; madeFrom: string | null }
  >()

  constructor(connection: DuckDBConnection) {
    this.#connection = connection
  }

  /** Notes that rows of a day changed, or only what they are derived from. */
  note(table: Table, day: TableDay, isChanged: boolean, madeFrom: string | null = null): void {
    const key = `${table.name} ${day.kind} ${day.date}`
    const before = this.#days.get(key)
    this.#days.set(key, {
      table: table.name,
      day,
      isChanged: isChanged || (before?.isChanged ?? false),
      madeFrom: madeFrom ?? before?.madeFrom ?? null,
    })
  }

  /** Notes that the days of a table up to one (YYYY-MM-DD) were deleted, and forgets what was known of them. */
  async drop(table: Table, lastDate: string): Promise<void> {
    const ofTable = `table_name = ${quoteText(table.name)}`
    await this.#connection.run(`DELETE FROM ${CHANGES} WHERE ${ofTable} AND date <= DATE ${quoteText(lastDate)}`)
    // Only the newest deletion stays: it has the last day of all of them.
    const [before] = await readRows<{ last: string | null }>(
      this.#connection,
      `SELECT max(made_from) AS last FROM ${CHANGES} WHERE ${ofTable} AND date IS NULL`,
    )
    const last = [lastDate, before?.last ?? lastDate].toSorted().at(-1)!
    this.#days.set(`${table.name} -`, { table: table.name, day: null, isChanged: true, madeFrom: last })
  }

  async record(): Promise<void> {
    if (this.#days.size === 0) return
    const rows = [...this.#days.values()].map(({ table, day, isChanged, madeFrom }) => {
      const date = day === null ? 'NULL' : `DATE ${quoteText(day.date)}`
      return `(${quoteText(table)}, ${quoteText(day?.kind ?? '')}, ${date}, ${isChanged}, ${madeFrom === null ? 'NULL' : quoteText(madeFrom)})`
    })
    await this.#connection.run(`
      INSERT INTO ${CHANGES}
      WITH next AS (SELECT coalesce(max(sequence), 0) + 1 AS sequence FROM ${CHANGES}),
      before AS (SELECT table_name, kind, date, arg_max(number, sequence) AS number FROM ${CHANGES} GROUP BY ALL)
      SELECT next.sequence, v.table_name, v.kind, v.date,
        CASE WHEN v.is_changed THEN next.sequence ELSE coalesce(before.number, next.sequence) END, v.made_from
      FROM (VALUES ${rows.join(', ')}) v(table_name, kind, date, is_changed, made_from) CROSS JOIN next
      LEFT JOIN before ON before.table_name = v.table_name AND before.kind = v.kind AND before.date IS NOT DISTINCT FROM v.date`)
  }
}

const namesOf = (tables: readonly Table[]) => tables.map(({ name }) => quoteText(name)).join(', ')

/** The newest that is known of each day of a table, the oldest day first. */
export function dayChanges(connection: DuckDBConnection, table: Table): Promise<DayChange[]> {
  return readRows<DayChange>(
    connection,
    `SELECT kind, date::VARCHAR AS date, arg_max(number, sequence) AS number, arg_max_null(made_from, sequence) AS made_from
     FROM ${CHANGES} WHERE table_name = ${quoteText(table.name)} AND date IS NOT NULL GROUP BY kind, date ORDER BY date, kind`,
  )
}

/** A text that changes whenever rows of one of some tables do; of the days before `before` (YYYY-MM-DD) where that is given. */
export async function changeVersion(
  connection: DuckDBConnection,
  tables: readonly Table[],
  before: string | null = null,
): Promise<string> {
  const [row] = await readRows<{ version: string }>(
    connection,
    `SELECT coalesce(max(number), 0)::VARCHAR AS version FROM ${CHANGES}
     WHERE table_name IN (${namesOf(tables)}) AND ($before::DATE IS NULL OR date IS NULL OR date < $before::DATE)`,
    { before },
  )
  return row!.version
}

/** Deletes the rows of `changes` that a newer one of the same day has replaced. */
export async function trimChanges(connection: DuckDBConnection): Promise<void> {
  await connection.run(`
    DELETE FROM ${CHANGES} c USING (SELECT table_name, kind, date, max(sequence) AS newest FROM ${CHANGES} GROUP BY ALL) n
    WHERE c.table_name = n.table_name AND c.kind = n.kind AND c.date IS NOT DISTINCT FROM n.date AND c.sequence < n.newest`)
}
