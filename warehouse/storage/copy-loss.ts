import type { DuckDBConnection } from '@duckdb/node-api'
import { DATE_COLUMN } from '../tables/define.ts'
import { allTables } from '../tables/index.ts'
import { CHANGES } from './changes.ts'
import { readRows } from './duckdb.ts'
import { presentTables, readFileMark } from './file-mark.ts'
import type { Loss } from './kept-copies.ts'
import { quoteName, quoteText } from './sql.ts'

/**
 * SQL of the rows of a table that an earlier copy has and a later one lacks. A day is explained by the changes: it was written again
 * since, or days up to there were deleted since.
 */
function lossSelect(name: string, earlier: string, later: string): string {
  const days = (catalog: string) =>
    `SELECT ${DATE_COLUMN}, count(*) AS n FROM ${catalog}.main.${quoteName(name)} GROUP BY 1`
  const written = (catalog: string) =>
    `SELECT date, max(number) AS number FROM ${catalog}.main.${CHANGES} WHERE table_name = ${quoteText(name)} AND date IS NOT NULL GROUP BY 1`
  const deletions = (catalog: string) =>
    `SELECT number, made_from::DATE AS last FROM ${catalog}.main.${CHANGES} WHERE table_name = ${quoteText(name)} AND date IS NULL`
  return `
    SELECT ${quoteText(name)} AS name, coalesce(sum(e.n - coalesce(l.n, 0)), 0)::BIGINT AS rows, min(e.${DATE_COLUMN})::VARCHAR AS "from"
    FROM (${days(earlier)}) e
    LEFT JOIN (${days(later)}) l ON l.${DATE_COLUMN} IS NOT DISTINCT FROM e.${DATE_COLUMN}
    LEFT JOIN (${written(earlier)}) we ON we.date = e.${DATE_COLUMN}
    LEFT JOIN (${written(later)}) wl ON wl.date = e.${DATE_COLUMN}
    WHERE coalesce(l.n, 0) < e.n
      AND coalesce(wl.number, 0) <= coalesce(we.number, 0)
      AND NOT EXISTS (
        FROM (${deletions(later)}) d
        WHERE d.last >= e.${DATE_COLUMN} AND d.number > (SELECT coalesce(max(number), 0) FROM (${deletions(earlier)})))`
}

/** The rows of an earlier copy that a later one lacks; null without any, or if all are explained. Both are attached. */
export async function unexplainedLoss(
  connection: DuckDBConnection,
  earlier: string,
  later: string,
): Promise<Loss | null> {
  const [before, after] = [await readFileMark(connection, earlier), await readFileMark(connection, later)]
  if (before !== null && before.id !== after?.id)
    return { reason: 'it is of another installation than the new one', tables: [] }
  const present = await presentTables(connection, earlier)
  if (!present.includes(CHANGES))
    return present.length === 0 ? null : { reason: 'it has no table of changes', tables: [] }
  const compared = allTables
    .filter(({ name }) => present.includes(name))
    .map(({ name }) => lossSelect(name, earlier, later))
  if (compared.length === 0) return null
  const rows = await readRows<Loss['tables'][number]>(connection, compared.join(' UNION ALL '))
  const tables = rows.filter((table) => table.rows > 0)
  return tables.length === 0 ? null : { reason: null, tables }
}
