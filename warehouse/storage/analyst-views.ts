import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { AS_OF, CATALOGUES, LOCAL_COLUMNS } from '../tables/catalogues.ts'
import type { Table } from '../tables/define.ts'
import { QUESTIONS } from '../tables/questions.ts'
import { createLocalTime } from './local-time-sql.ts'
import { quoteName, quoteText } from './sql.ts'

/** Creates the catalogues as tables of the engine, and the function of local time. */
export async function createCatalogues(connection: DuckDBConnection, scratchDir: string): Promise<void> {
  await createLocalTime(connection)
  for (const { name, columns, rows } of CATALOGUES) {
    const path = join(scratchDir, `${name}.ndjson`)
    const names = Object.keys(columns)
    const line = (row: object) => JSON.stringify(row, names)
    await writeFile(path, rows().map(line).join('\n'))
    const types = Object.entries(columns).map(([column, { type }]) => `${quoteName(column)}: ${quoteText(type)}`)
    await connection.run(
      `CREATE TABLE ${quoteName(name)} AS SELECT * FROM read_json(${quoteText(path)}, format = 'newline_delimited', columns = {${types.join(', ')}})`,
    )
  }
}

/** SELECT of a table's rows with their local time; null for an airport that the directory does not know. */
export function withLocalTime({ local }: Table, select: string): string {
  if (local === undefined) return select
  const columns = Object.entries(LOCAL_COLUMNS).map(([name, { sql }]) => `${sql} AS ${quoteName(name)}`)
  // A call of the function is left out of a query that does not use it, which a join is not.
  const rows = `SELECT r.*, local_time(r.${quoteName(local)}, a.timezone) AS local_time FROM (${select}) r LEFT JOIN airports a USING (iata)`
  return `SELECT * EXCLUDE (local_time), ${columns.join(', ')} FROM (${rows})`
}

/** Creates the views of `holdshort query` that answer one question each. */
export async function createQuestions(connection: DuckDBConnection): Promise<void> {
  for (const { name, sql } of QUESTIONS) await connection.run(`CREATE VIEW ${name} AS ${sql}`)
}

/** Creates the tables of what was known at an instant. */
export async function createAsOf(connection: DuckDBConnection): Promise<void> {
  for (const { name, sql } of AS_OF) await connection.run(`CREATE OR REPLACE MACRO ${name}(instant) AS TABLE ${sql}`)
}
