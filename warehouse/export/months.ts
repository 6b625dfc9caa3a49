import { groupBy } from '../../config/group-by.ts'
import { sha256Of } from '../storage/file-identity.ts'
import type { Warehouse } from '../storage/warehouse.ts'
import { DATE_COLUMN, type Table } from '../tables/define.ts'

/** A month of a table. */
export interface TableMonth {
  table: Table
  /** e.g. 2026-11, UTC. */
  month: string
  /** Changes whenever a row of the month does. */
  fingerprint: string
}

/** The months of a table that have rows, oldest first. */
export async function monthsOf(warehouse: Warehouse, table: Table): Promise<TableMonth[]> {
  const months = groupBy(await warehouse.dayChanges(table), ({ date }) => date.slice(0, 7))
  return [...months].map(([month, changes]) => {
    const days = changes.map(({ kind, date, number }) => `${kind} ${date} ${number}`)
    return { table, month, fingerprint: sha256Of(days.join('\n')) }
  })
}

/** Writes the rows of a month, with the columns of its table, to a file: nobody waits for what is then made of them. */
export async function spoolMonth(warehouse: Warehouse, { table, month }: TableMonth, path: string): Promise<void> {
  const first = `DATE '${month}-01'`
  await warehouse.spool(
    `SELECT * EXCLUDE (${DATE_COLUMN}) FROM ${table.name} WHERE ${DATE_COLUMN} >= ${first} AND ${DATE_COLUMN} < ${first} + INTERVAL 1 MONTH`,
    path,
  )
}
