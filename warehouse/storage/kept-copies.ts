import { existsSync, readdirSync, statSync } from 'node:fs'
import { rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { z } from 'zod'
import { countText } from '../../config/count-text.ts'
import { HoldshortError } from '../../config/errors.ts'
import { dataPaths } from '../../config/settings.ts'
import { isoUtc } from '../../config/vocabulary.ts'
import { DATE_COLUMN } from '../tables/define.ts'
import { allTables } from '../tables/index.ts'
import { CHANGES } from './changes.ts'
import { readRows } from './duckdb.ts'
import { presentTables, readFileMark } from './file-mark.ts'
import { writeWhole } from './files.ts'
import { readOrdinaryTextSync } from './ordinary-file.ts'
import { quoteName, quoteText } from './sql.ts'

/** The rows of a copy that a later one lacks without a reason. */
const Loss = z.object({
  /** Why the two cannot be compared by rows; null if they were. */
  reason: z.string().nullable(),
  tables: z.array(
    z.object({
      name: z.string(),
      /** Rows of days that neither retention deleted nor anything wrote again since. */
      rows: z.int(),
      /** The first day with such rows, YYYY-MM-DD; null if no day is known. */
      from: z.string().nullable(),
    }),
  ),
})
export type Loss = z.infer<typeof Loss>

/** A copy of the warehouse that was kept because the next one lacks rows of it. */
export interface KeptCopy extends Loss {
  path: string
}

/** The time in the name of a file that is set aside. */
export const stampOf = (ms: number): string => `${isoUtc(ms).slice(0, 19).replace(/[-:]/g, '')}Z`

/** A path for what is set aside; nothing has it yet. */
export function freePath(folder: string, name: string, stamp: string, end: string): string {
  for (let number = 1; ; number += 1) {
    const path = join(folder, `${name}-${stamp}${number === 1 ? '' : `-${number}`}${end}`)
    if (!existsSync(path)) return path
  }
}

/** Gives a copy another name, with what the new one lacks of it beside it. */
export async function keepCopy(copy: string, loss: Loss): Promise<KeptCopy> {
  const { mtimeMs } = await stat(copy)
  const path = freePath(dirname(copy), 'copy', stampOf(mtimeMs), '.duckdb')
  await writeWhole(noteOf(path), JSON.stringify(loss))
  await rename(copy, path)
  return { path, ...loss }
}

const noteOf = (path: string) => path.replace(/\.duckdb$/, '.json')
const KEPT_COPY = /^copy-\d{8}T\d{6}Z(-\d+)?\.duckdb$/

/** The copies of a data folder that were kept because the next one could not explain what it lacks, oldest first. */
export function keptCopies(dataDir: string): KeptCopy[] {
  const { warehouse } = dataPaths(dataDir)
  if (!existsSync(warehouse)) return []
  const names = readdirSync(warehouse).filter((name) => KEPT_COPY.test(name))
  return names.sort().map((name) => {
    const path = join(warehouse, name)
    return { path, ...readNote(noteOf(path)) }
  })
}

function readNote(path: string): Loss {
  try {
    return Loss.parse(JSON.parse(readOrdinaryTextSync(path)))
  } catch {
    return { reason: 'the note about it is gone', tables: [] }
  }
}

/** The rows of a kept copy that the warehouse lacks, in words. */
export function lossText({ reason, tables }: Loss): string {
  if (reason !== null) return reason
  return tables
    .map(({ name, rows, from }) => `${countText(rows, 'row')} of ${name} since ${from ?? 'no day'}`)
    .join(', ')
}

/** Faults by folder of a warehouse, with its modification time: every file that appears or goes changes it. */
const faultsByFolder = new Map<string, { mtime_ms: number; fault: HoldshortError | null }>()

/** What is wrong while `repair-unfinished.json` is there. */
export const UNFINISHED_REPAIR =
  'a repair was cut off before all captures were parsed again, so that rows are missing; stop the service and run `holdshort repair`, which goes on'

/**
 * Whether a repair was cut off, copies are kept because the warehouse lacks rows of them, or their folder cannot be read, as a fault of
 * the service. It is cheap to ask again, and never throws: pages and `/health` answer from the snapshot in memory while the disk is out
 * of reach.
 */
export function warehouseFault(dataDir: string): HoldshortError | null {
  const { warehouse, unfinished_repair } = dataPaths(dataDir)
  try {
    if (existsSync(unfinished_repair)) return new HoldshortError('WAREHOUSE_CORRUPT', UNFINISHED_REPAIR)
    const mtime_ms = statSync(warehouse, { throwIfNoEntry: false })?.mtimeMs ?? 0
    const known = faultsByFolder.get(warehouse)
    if (known?.mtime_ms === mtime_ms) return known.fault
    const fault = lossFault(dataDir)
    faultsByFolder.set(warehouse, { mtime_ms, fault })
    return fault
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const text = `the folder of the warehouse cannot be read (${code}); look at its permissions and its disk`
    return new HoldshortError('DATA_FOLDER_UNUSABLE', text, { cause })
  }
}

function lossFault(dataDir: string): HoldshortError | null {
  const [copy] = keptCopies(dataDir)
  if (copy === undefined) return null
  const text = `the warehouse lacks what an earlier copy has (${lossText(copy)}); \`holdshort doctor\` says more`
  return new HoldshortError('WAREHOUSE_COPY_DIFFERS', text)
}

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
