import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { LICENCES } from '../../config/licences.ts'
import { sourceOf } from '../../config/publishers.ts'
import { allSources } from '../../config/sources.ts'
import { openDuckdb, readRows } from '../storage/duckdb.ts'
import { sha256Of } from '../storage/file-identity.ts'
import { asDiskFull } from '../storage/files.ts'
import { quoteText } from '../storage/sql.ts'
import type { Warehouse } from '../storage/warehouse.ts'
import { type ExportContent, type ExportedMonth, type ExportFolder, openExportFolder } from './export-folder.ts'
import { type ExportedTable, exportOrder, WITHHELD_TABLES } from './exported-tables.ts'
import { csvSchema, dataPackage } from './frictionless.ts'
import { CSV_SCHEMA_FILE, EXPORT_FORMAT, type ExportedFile, MANIFEST_FILE, type Manifest } from './manifest.ts'
import { monthsOf, spoolMonth } from './months.ts'
import { readme } from './readme.ts'
import { type TermsContext, termsOf } from './terms.ts'
import { CSV_TABLE, exportedColumns, writeAirportCsvs, writeMonth } from './write-files.ts'

export interface ExportOptions {
  warehouse: Warehouse
  folder: string
  tables: readonly ExportedTable[]
  terms: TermsContext
  onProgress?: (done: number, total: number, path: string) => void
}

export interface ExportReport {
  folder: string
  simulated: boolean
  may_be_passed_on: boolean
  tables: number
  files: number
  rows: number
  bytes: number
  /** Files that were written anew, with the documents. */
  written_files: number
  written_rows: number
  deleted_files: number
  left_out: Manifest['left_out']
}

/** Bump it when the same rows are written in another way, so that everything is written anew. */
const WRITER = 1

/**
 * Exports tables of a warehouse as open data: a Parquet file a month, a CSV an airport, and what describes them. Months that
 * did not change are not written again, and the same rows always make the same bytes. The warehouse may be in use.
 */
export async function exportOpenData(options: ExportOptions): Promise<ExportReport> {
  const { folder, tables, terms } = options
  const target = await openExportFolder(folder)
  const scratch = join(target.staging, 'scratch')
  await mkdir(scratch, { recursive: true })
  const duckdb = await openDuckdb(scratch)
  const connection = await duckdb.connect()
  try {
    const { months, changed } = await exportMonths(connection, target, scratch, options)
    const csvs = await exportCsvs(connection, target, months, changed, terms.simulated)
    const previews = await previewsOf(connection, target, months)
    const manifest = manifestOf(tables, months, csvs, terms, previews)
    const content: ExportContent = { months, csvs, documents: {} }
    const documents = {
      [CSV_SCHEMA_FILE]: `${JSON.stringify(csvSchema(manifest))}\n`,
      'README.md': readme(manifest),
      'datapackage.json': `${JSON.stringify(dataPackage(manifest))}\n`,
      [MANIFEST_FILE]: `${JSON.stringify(manifest)}\n`,
    }
    for (const [name, text] of Object.entries(documents)) {
      const digest = sha256Of(text)
      content.documents[name] = digest
      const isKept =
        target.content.documents[name] === digest &&
        (await target.isInPlace({ path: name, bytes: Buffer.byteLength(text) }))
      if (!isKept) await writeFile(join(target.staging, name), text)
    }
    const { written, deleted } = await target.commit(content)
    return {
      folder,
      simulated: terms.simulated,
      may_be_passed_on: manifest.may_be_passed_on,
      tables: manifest.tables.filter(({ files }) => files > 0).length,
      files: manifest.files.length,
      rows: manifest.rows,
      bytes: manifest.bytes,
      written_files: written,
      written_rows: changed.reduce((sum, { file }) => sum + (file?.rows ?? 0), 0),
      deleted_files: deleted,
      left_out: manifest.left_out,
    }
  } catch (error) {
    throw asDiskFull(error, folder)
  } finally {
    connection.closeSync()
    duckdb.closeSync()
    await target.release()
  }
}

/** The rule for the rows and bytes of a month of a table, besides the warehouse's content. */
function ruleOf({ table, credit }: ExportedTable, { simulated, own_use, grants }: TermsContext): string {
  const licences = credit === 'source' ? allSources().map(({ id, licence, terms }) => [id, licence, terms]) : []
  return JSON.stringify([
    WRITER,
    exportedColumns(table),
    exportOrder(table),
    credit,
    simulated,
    own_use,
    [...grants],
    licences,
  ])
}

async function exportMonths(
  connection: DuckDBConnection,
  target: ExportFolder,
  scratch: string,
  { warehouse, tables, terms, onProgress }: ExportOptions,
) {
  const known = target.content.months
  const months: ExportContent['months'] = {}
  const changed: ExportedMonth[] = []
  const listed = await Promise.all(
    tables.map(async (exported) => ({ exported, months: await monthsOf(warehouse, exported.table) })),
  )
  const spool = join(scratch, 'month.parquet')
  const all = listed.flatMap(({ exported, months: tableMonths }) => tableMonths.map((month) => ({ exported, month })))
  for (const [done, { exported, month }] of all.entries()) {
    const name = `${exported.table.name}/${month.month}`
    onProgress?.(done, all.length, name)
    const rule = ruleOf(exported, terms)
    const before = known[name]
    const inputs = sha256Of(`${rule}\n${month.fingerprint}`)
    const isKept = before?.inputs === inputs && (before.file === null || (await target.isInPlace(before.file)))
    if (before && isKept) {
      months[name] = before
      continue
    }
    await spoolMonth(warehouse, month, spool)
    const { file, left_out } = await writeMonth(connection, target.staging, exported, month.month, spool, terms)
    const next = { inputs, file, left_out }
    months[name] = next
    // A row changed and changed back, or a row that may not leave did: the exported file stays as it is.
    const isSame =
      before?.file?.sha256 === next.file?.sha256 && next.file !== null && (await target.isInPlace(next.file))
    if (isSame) await target.discard(next.file!.path)
    else changed.push(next)
  }
  onProgress?.(all.length, all.length, '')
  const gone = Object.keys(known).filter((name) => !(name in months))
  return { months, changed: [...changed, ...gone.map((name) => known[name]!)] }
}

/** The CSV of each airport. They are made anew when a month of their table changed, and replaced where their bytes did. */
async function exportCsvs(
  connection: DuckDBConnection,
  target: ExportFolder,
  months: ExportContent['months'],
  changed: readonly ExportedMonth[],
  simulated: boolean,
): Promise<ExportedFile[]> {
  const { csvs: before } = target.content
  const files = Object.entries(months).flatMap(([name, { file }]) =>
    name.startsWith(`${CSV_TABLE}/`) && file ? [file] : [],
  )
  const isChanged = changed.some(({ file }) => file?.table === CSV_TABLE)
  if (!isChanged && (await Promise.all(before.map(target.isInPlace))).every(Boolean)) return before
  const paths = files.map(({ path }) => target.newestOf(path))
  const written = await writeAirportCsvs(connection, target.staging, paths, simulated)
  const known = new Map(before.map((file) => [file.path, file]))
  for (const file of written)
    if (known.get(file.path)?.sha256 === file.sha256 && (await target.isInPlace(file))) await target.discard(file.path)
  return written
}

const PREVIEW_ROWS = 3

/** The first rows of the newest file of each table. */
async function previewsOf(
  connection: DuckDBConnection,
  target: ExportFolder,
  months: ExportContent['months'],
): Promise<Map<string, Record<string, unknown>[]>> {
  const newest = new Map<string, string>()
  for (const name of Object.keys(months).sort()) {
    const file = months[name]?.file
    if (file) newest.set(file.table, file.path)
  }
  const previews = new Map<string, Record<string, unknown>[]>()
  for (const [table, path] of newest) {
    const from = `read_parquet(${quoteText(target.newestOf(path))}, hive_partitioning = false)`
    previews.set(table, await readRows(connection, `SELECT * FROM ${from} LIMIT ${PREVIEW_ROWS}`))
  }
  return previews
}

const least = (texts: readonly string[]) => texts.reduce((a, b) => (a < b ? a : b), texts[0] ?? '') || null
const greatest = (texts: readonly string[]) => texts.reduce((a, b) => (a > b ? a : b), texts[0] ?? '') || null
const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)

/** The content of an export, as its manifest has it. */
function manifestOf(
  tables: readonly ExportedTable[],
  months: ExportContent['months'],
  csvs: readonly ExportedFile[],
  terms: TermsContext,
  previews: ReadonlyMap<string, Record<string, unknown>[]>,
): Manifest {
  const parquet = Object.keys(months)
    .sort()
    .flatMap((name) => months[name]?.file ?? [])
  const files = [...parquet, ...csvs]
  const ids = [...new Set(parquet.flatMap(({ sources }) => sources))].sort()
  const { simulated, own_licence } = terms
  const described = tables.map(({ table, credit }) => {
    const own = parquet.filter((file) => file.table === table.name)
    return {
      name: table.name,
      about: table.about,
      credit,
      rows: sum(own.map(({ rows }) => rows)),
      bytes: sum(own.map(({ bytes }) => bytes)),
      files: own.length,
      from: least(own.map(({ from }) => from)),
      to: greatest(own.map(({ to }) => to)),
      time_column: table.age,
      key: [...table.key],
      sorted_by: exportOrder(table),
      preview: previews.get(table.name) ?? [],
      columns: exportedColumns(table),
    }
  })
  return {
    format: EXPORT_FORMAT,
    name: simulated ? 'holdshort-simulated-airport-waits' : 'holdshort-airport-waits',
    title: simulated ? 'SIMULATED airport waits of Holdshort' : 'Airport waits, delays and forecasts of Holdshort',
    description: simulated
      ? 'Every row was made by a simulator. It shows the format and says nothing about any real airport.'
      : 'Hourly airport waits with their sources, and forecasts with every vintage, as one installation of Holdshort collected and computed them.',
    simulated,
    may_be_passed_on: simulated || !terms.own_use,
    licence: own_licence,
    credit: 'Holdshort',
    from: least(parquet.map(({ from }) => from)),
    to: greatest(parquet.map(({ to }) => to)),
    rows: sum(parquet.map(({ rows }) => rows)),
    bytes: sum(files.map(({ bytes }) => bytes)),
    sources: ids.map((id) => {
      const { licence, credit, terms: text } = termsOf(id, terms)
      const entry = sourceOf(id)
      const licence_url = licence === null ? null : LICENCES[licence].url
      return { id, name: entry?.name ?? id, credit, licence, licence_url, terms: text, page: entry?.page_url ?? null }
    }),
    tables: described,
    files,
    left_out: leftOutOf(Object.values(months)),
    withheld_tables: [...WITHHELD_TABLES],
  }
}

function leftOutOf(months: readonly ExportedMonth[]): Manifest['left_out'] {
  const sums = new Map<string, Manifest['left_out'][number]>()
  for (const exclusion of months.flatMap(({ left_out }) => left_out)) {
    const key = `${exclusion.table} ${exclusion.source ?? ''}`
    const { table, source, reason } = exclusion
    sums.set(key, { table, source, rows: exclusion.rows + (sums.get(key)?.rows ?? 0), reason })
  }
  return [...sums.keys()].sort().map((key) => sums.get(key)!)
}
