import { createHash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { projectFile } from '../../config/paths.ts'
import { dataPaths } from '../../config/settings.ts'
import { AS_OF, CATALOGUES, LOCAL_COLUMNS } from '../tables/catalogues.ts'
import type { Table } from '../tables/define.ts'
import { QUESTIONS } from '../tables/questions.ts'
import { createLocalTimeFunction, createOffsets, OFFSETS } from './local-time-sql.ts'
import { quoteName, quoteText } from './sql.ts'

/** The prepared catalogues of a data folder: `catalogues-<digest of what they are made of>.duckdb`. */
export const CATALOGUE_FILE = /^catalogues-[0-9a-f]{16}\.duckdb$/
const PREPARED = 'catalogues'

/** A name that changes with the release, and with the files that the catalogues are made of. */
function catalogueFile(): string {
  const shapes = CATALOGUES.map(({ name, columns }) => [name, columns])
  const files = [...CATALOGUES.flatMap((catalogue) => catalogue.files), 'config/time-zones/rules.json', 'package.json']
  const states = files.map((file) => statSync(projectFile(file))).map(({ size, mtimeMs }) => [size, mtimeMs])
  const digest = createHash('sha256').update(JSON.stringify([shapes, states]))
  return `catalogues-${digest.digest('hex').slice(0, 16)}.duckdb`
}

/**
 * Attaches the catalogues and the offsets of the time zones as views, and creates the function of local time. Making them takes
 * the engine a third of a second, so a file of the scratch folder keeps them.
 */
export async function attachCatalogues(
  connection: DuckDBConnection,
  dataDir: string,
  ownScratch: string,
): Promise<void> {
  const { scratch } = dataPaths(dataDir)
  const file = catalogueFile()
  if (!existsSync(join(scratch, file))) await prepareCatalogues(connection, scratch, ownScratch, file)
  await connection.run(`ATTACH ${quoteText(join(scratch, file))} AS ${PREPARED} (READ_ONLY)`)
  for (const name of [...CATALOGUES.map((catalogue) => catalogue.name), OFFSETS])
    await connection.run(`CREATE VIEW ${quoteName(name)} AS FROM ${PREPARED}.${quoteName(name)}`)
  await createLocalTimeFunction(connection)
}

async function prepareCatalogues(
  connection: DuckDBConnection,
  scratch: string,
  ownScratch: string,
  file: string,
): Promise<void> {
  const draft = join(ownScratch, file)
  await connection.run(`ATTACH ${quoteText(draft)} AS ${PREPARED} (STORAGE_VERSION 'v1.4.0'); USE ${PREPARED}`)
  await createOffsets(connection)
  for (const { name, columns, rows } of CATALOGUES) {
    const path = join(ownScratch, `${name}.ndjson`)
    const names = Object.keys(columns)
    const line = (row: object) => JSON.stringify(row, names)
    await writeFile(path, rows().map(line).join('\n'))
    const types = Object.entries(columns).map(([column, { type }]) => `${quoteName(column)}: ${quoteText(type)}`)
    await connection.run(
      `CREATE TABLE ${quoteName(name)} AS SELECT * FROM read_json(${quoteText(path)}, format = 'newline_delimited', columns = {${types.join(', ')}})`,
    )
  }
  await connection.run(`USE memory; DETACH ${PREPARED}`)
  const earlier = (await readdir(scratch)).filter((name) => CATALOGUE_FILE.test(name))
  await rename(draft, join(scratch, file))
  for (const name of earlier) if (name !== file) await rm(join(scratch, name), { force: true })
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
