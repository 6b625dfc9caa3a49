import { existsSync, statSync } from 'node:fs'
import { link, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, resolve } from 'node:path'
import type { Command } from 'commander'
import { z } from 'zod'
import { countText } from '../../config/count-text.ts'
import { HoldshortError, UsageError } from '../../config/errors.ts'
import { dataPaths } from '../../config/settings.ts'
import { DAY_MS, isoUtc, utcDayOf } from '../../config/vocabulary.ts'
import { replay } from '../../pipeline/collecting/replay.ts'
import { CHANGES } from '../../warehouse/storage/changes.ts'
import { draftPath } from '../../warehouse/storage/draft-names.ts'
import { readFolderMark } from '../../warehouse/storage/file-mark.ts'
import { syncPath, writeWhole } from '../../warehouse/storage/files.ts'
import { holdDataFolder } from '../../warehouse/storage/folder-use.ts'
import { readInFull, rowsIn, type TableSum } from '../../warehouse/storage/housekeeping.ts'
import { freePath, keptCopies, stampOf } from '../../warehouse/storage/kept-copies.ts'
import { readOrdinaryTextSync } from '../../warehouse/storage/ordinary-file.ts'
import { rollUp } from '../../warehouse/storage/rollup.ts'
import {
  type Counted,
  countDamaged,
  type FileContents,
  type FileSource,
  readFileContents,
  writeFileFrom,
} from '../../warehouse/storage/salvage.ts'
import { rollUpSources } from '../../warehouse/storage/source-hours.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { settingsOfExisting } from '../runtime/environment.ts'
import { addDataCommand, type DataFlags } from '../runtime/help.ts'
import { print, printError, progress } from '../runtime/output.ts'

interface RepairFlags extends DataFlags {
  from?: string
  dryRun?: boolean
}

/**
 * `holdshort repair`: goes on from what has the most rows of a damaged or foreign warehouse (its file without the log, the last
 * copy, or one that was kept), and parses the captures since then again.
 */
export function register(program: Command): void {
  addDataCommand(program, 'repair')
    .option('--from <file>', 'go on from this file of the engine, even if the warehouse is sound')
    .option('--dry-run', 'say what would be done and lost, and change nothing')
    .action(repair)
}

async function repair(flags: RepairFlags): Promise<void> {
  const { data_dir, store } = settingsOfExisting(flags)
  if (store !== 'folder')
    throw new UsageError(
      `data-dir: the tables are in PostgreSQL and in ${store}, not in this folder; \`holdshort doctor\` says what is wrong with them, and docs/operate/several-machines.md how to put them back`,
    )
  await using _use = await holdDataFolder(data_dir)
  const found = await readSound(data_dir)
  const begun = readBegun(data_dir)
  if (Array.isArray(found) && flags.from === undefined) {
    if (begun === null)
      return print(
        { damaged: false, rows: rowsIn(found) },
        flags.json,
        () => `sound: ${countText(rowsIn(found), 'row')}; nothing to repair`,
      )
    if (isInPlace(data_dir, begun)) {
      printError('A repair was cut off before all captures were parsed again; it goes on.')
      if (flags.dryRun) return print({ damaged: true, ...begun }, flags.json, () => 'nothing was changed')
      return printDone({ damaged: true, ...begun }, await finish(data_dir, begun), flags)
    }
  }
  const ways = flags.from === undefined ? await findWays(data_dir, found) : [await wayOf(flags.from)]
  const plan = planOf(ways, Array.isArray(found) ? found : await countedIn(data_dir, found))
  const fault = Array.isArray(found) ? null : `${found.code}: ${found.message}`
  printError([...(fault === null ? [] : [fault]), ...planLines(plan)].join('\n'))
  const about = { damaged: fault !== null, ...reportOf(plan) }
  if (flags.dryRun) return print(about, flags.json, () => 'nothing was changed')
  const next = await begin(data_dir, plan, begun)
  printDone({ damaged: fault !== null, ...next }, await finish(data_dir, next), flags)
}

function printDone(begun: Begun & { damaged: boolean }, done: Done, { json }: RepairFlags): void {
  const { taken, copied_rows, copy_of, kept } = begun
  print({ ...begun, ...done }, json, () => [
    `${copy_of === null ? 'Of files that can be read there was none' : `${countText(copied_rows, 'row')} of ${taken}`}; ${countText(done.rows, 'row')} of ${countText(done.captures, 'capture')} since then. What lay there is kept as ${kept}.`,
    lostText('Lost', done.lost),
    'Rows that were imported since then must be imported again.',
  ])
}

const WAIT_MS = 10_000

/** Faults of the file that lies there, which another file mends. */
const MENDED = ['WAREHOUSE_CORRUPT', 'WAREHOUSE_FOREIGN', 'WAREHOUSE_LOG_MISMATCH']

/** The tables of a sound warehouse, or what is wrong with it. */
async function readSound(dataDir: string): Promise<TableSum[] | HoldshortError> {
  try {
    return await readInFull(dataDir, WAIT_MS)
  } catch (error) {
    if (error instanceof HoldshortError && MENDED.includes(error.code)) return error
    throw error
  }
}

/** The rows that the file which lies there says that it has, unless it is of somebody else. */
async function countedIn(dataDir: string, { code }: HoldshortError): Promise<Counted[]> {
  const { warehouse_file } = dataPaths(dataDir)
  const isOurs = code !== 'WAREHOUSE_FOREIGN' && (await stat(warehouse_file).catch(() => null))?.isFile() === true
  return isOurs ? countDamaged(warehouse_file, tmpdir()) : []
}

/** A file that the warehouse can go on from. */
interface Way {
  /** The name in words. */
  name: string
  /** The file, and whether its log is read too; null begins with the captures alone. */
  source: FileSource | null
  /** When it was written last, epoch milliseconds; null if it has nothing. */
  written_ms: number | null
  contents: FileContents
}

const NOTHING: Way = {
  name: 'the captures alone',
  source: null,
  written_ms: null,
  contents: { mark: null, tables: [], lacking: [], newest_ms: null },
}

/** Starting points of a repair: the file without its log, the last copy, copies kept because a later one lacks rows, or none. */
async function findWays(dataDir: string, fault: HoldshortError | TableSum[]): Promise<Way[]> {
  const { warehouse_file, warehouse_copy } = dataPaths(dataDir)
  const isForeign = fault instanceof HoldshortError && fault.code === 'WAREHOUSE_FOREIGN'
  const expected = readFolderMark(dataDir)
  const ways: Way[] = []
  const alone = (name: string, path: string) => ({ name, path, withLog: false })
  const ofFile = [
    { name: 'the file with its log', path: warehouse_file, withLog: true },
    alone('the file without its log', warehouse_file),
  ].filter(({ withLog }) => !isForeign && (!withLog || existsSync(`${warehouse_file}.wal`)))
  const kept = keptCopies(dataDir).map(({ path }) => alone('the kept copy', path))
  const candidates = [...ofFile, alone('the copy', warehouse_copy), ...kept]
  for (const { name, path, withLog } of candidates) {
    const found = await stat(path).catch(() => null)
    if (!found?.isFile()) continue
    const contents = await readFileContents(path, withLog, tmpdir()).catch((error) => {
      if (error instanceof HoldshortError && MENDED.includes(error.code)) return null
      throw error
    })
    if (contents === null || (contents.mark !== null && expected !== null && contents.mark.id !== expected)) continue
    const written_ms = found.mtimeMs
    ways.push({ name: `${name} of ${isoUtc(written_ms)}`, source: { path, withLog }, written_ms, contents })
  }
  return [...ways, NOTHING]
}

/** The way of a file that the operator names, with its log. @throws UsageError for one without our tables */
async function wayOf(named: string): Promise<Way> {
  const path = resolve(named)
  const found = await stat(path).catch(() => null)
  if (!found?.isFile()) throw new UsageError(`--from: ${path} is not a file`)
  const contents = await readFileContents(path, true, tmpdir())
  if (contents.tables.length === 0) throw new UsageError(`--from: ${path} has none of the tables of a warehouse`)
  return { name: path, source: { path, withLog: true }, written_ms: found.mtimeMs, contents }
}

interface Plan {
  ways: Way[]
  taken: Way
  /** Rows of each table in whatever has the most of it. */
  most: Record<string, number>
}

const ownTables = <T extends Counted>(tables: readonly T[]): T[] => tables.filter(({ name }) => name !== CHANGES)

/**
 * Takes the way with the most rows, among those with the most tables and then columns: what a lost one had would not come back from the
 * captures.
 */
function planOf(ways: Way[], present: readonly Counted[]): Plan {
  const maxTables = Math.max(...ways.map(({ contents }) => contents.tables.length))
  const withTables = ways.filter(({ contents }) => contents.tables.length === maxTables)
  const minLacking = Math.min(...withTables.map(({ contents }) => contents.lacking.length))
  const whole = withTables.filter(({ contents }) => contents.lacking.length === minLacking)
  const rowsOf = ({ contents }: Way) => rowsIn(ownTables(contents.tables))
  const taken = whole.reduce((best, way) => (rowsOf(way) > rowsOf(best) ? way : best))
  const most: Record<string, number> = {}
  for (const { name, rows } of ownTables<Counted>([...present, ...ways.flatMap(({ contents }) => contents.tables)]))
    most[name] = Math.max(rows, most[name] ?? 0)
  return { ways, taken, most }
}

/** Rows of each table that something had and these tables lack. */
function lostRows(most: Record<string, number>, tables: readonly TableSum[]): Record<string, number> {
  const rows = new Map(tables.map((table) => [table.name, table.rows]))
  const lost = Object.entries(most).map(([name, count]): [string, number] => [name, count - (rows.get(name) ?? 0)])
  return Object.fromEntries(lost.filter(([, count]) => count > 0))
}

function lostText(when: string, lost: Record<string, number>): string {
  const parts = Object.entries(lost).map(([name, rows]) => `${countText(rows, 'row')} of ${name}`)
  return parts.length === 0 ? `${when}: nothing that any of the files has.` : `${when}: ${parts.join(', ')}.`
}

function planLines(plan: Plan): string[] {
  const { ways, taken } = plan
  const lost = lostRows(plan.most, taken.contents.tables)
  return [
    ...ways.map(({ name, contents }) => {
      const lacks = contents.lacking.length === 0 ? '' : `, without ${contents.lacking.join(', ')}`
      return `${countText(rowsIn(ownTables(contents.tables)), 'row')}: ${name}${lacks}`
    }),
    `Taken: ${taken.name}.`,
    lostText('Would be lost, but for what the captures bring back', lost),
    ...(taken.contents.lacking.length > 0 ? [`None of the files has ${taken.contents.lacking.join(', ')}.`] : []),
    ...(Object.keys(lost).length > 0 ? [FROM_BACKUP] : []),
  ]
}

const FROM_BACKUP =
  'A backup may have more of it: `holdshort repair --from <backup>/holdshort-backup/warehouse/warehouse.duckdb`, also after this repair.'

const reportOf = (plan: Plan) => ({
  ways: plan.ways.map(({ name, contents }) => ({ name, rows: rowsIn(ownTables(contents.tables)) })),
  taken: plan.taken.name,
  copy_of: plan.taken.written_ms === null ? null : isoUtc(plan.taken.written_ms),
  copied_rows: rowsIn(plan.taken.contents.tables),
  lost_without_captures: lostRows(plan.most, plan.taken.contents.tables),
})

/** Captures that came shortly before the file was written may have landed after it. */
const OVERLAP_MS = DAY_MS

/** The day from which captures are parsed again, YYYY-MM-DD; null for all of them, if it is unknown. */
function replayedFrom({ written_ms, contents }: Way): string | null {
  if (written_ms === null || contents.newest_ms === null) return null
  // A file that was copied may say a later time than its rows.
  return utcDayOf(Math.min(written_ms, contents.newest_ms) - OVERLAP_MS)
}

/** The state of a repair that has begun, in a file of the data folder. */
const Begun = z.object({
  ways: z.array(z.object({ name: z.string(), rows: z.int() })),
  taken: z.string(),
  copy_of: z.string().nullable(),
  copied_rows: z.int(),
  lost_without_captures: z.record(z.string(), z.int()),
  kept: z.string(),
  /** The first day of the captures that are parsed again; null for all. */
  replayed_from: z.string().nullable(),
  most: z.record(z.string(), z.int()),
})
type Begun = z.infer<typeof Begun>

/** The state of an interrupted repair; null without one. If its note cannot be read, all captures are parsed. */
function readBegun(dataDir: string): Begun | null {
  const { unfinished_repair: path } = dataPaths(dataDir)
  if (!existsSync(path)) return null
  try {
    return Begun.parse(JSON.parse(readOrdinaryTextSync(path)))
  } catch (cause) {
    throw new HoldshortError(
      'WAREHOUSE_CORRUPT',
      `${path}, the note of a repair that was cut off, cannot be read; run \`holdshort run replay\`, and delete it`,
      { cause },
    )
  }
}

/** Whether the file that a repair took is in its place: before, the damaged one has that and its new name. */
function isInPlace(dataDir: string, { kept }: Begun): boolean {
  const { warehouse_file } = dataPaths(dataDir)
  return statSync(kept, { throwIfNoEntry: false })?.ino !== statSync(warehouse_file).ino
}

/** Puts the file that a plan takes into its place, and notes what is still to be done. */
async function begin(dataDir: string, plan: Plan, before: Begun | null): Promise<Begun> {
  const { warehouse_file, unfinished_repair } = dataPaths(dataDir)
  const draft = draftPath(warehouse_file)
  const kept = freePath(dirname(warehouse_file), 'damaged', stampOf(Date.now()), '.duckdb')
  const from = replayedFrom(plan.taken)
  const begun: Begun = {
    ...reportOf(plan),
    kept,
    replayed_from: before === null || from === null ? from : earlierOf(from, before.replayed_from),
    most: plan.most,
  }
  try {
    await writeFileFrom(
      plan.taken.source,
      draft,
      readFolderMark(dataDir) ?? plan.taken.contents.mark?.id ?? null,
      dataDir,
    )
    await writeWhole(unfinished_repair, JSON.stringify(begun))
    await setAside(warehouse_file, kept)
    await rename(draft, warehouse_file)
    await syncPath(dirname(warehouse_file))
  } finally {
    for (const end of ['', '.wal']) await rm(`${draft}${end}`, { force: true })
  }
  return begun
}

/** The earlier one of two days; null is before all. */
const earlierOf = (first: string, other: string | null) => (other !== null && first < other ? first : other)

interface Done {
  captures: number
  rows: number
  failed: number
  lost: Record<string, number>
}

/** Parses the captures since the file that was taken. It may be cut off at any instant and begun anew. */
async function finish(dataDir: string, { replayed_from, most }: Begun): Promise<Done> {
  await using warehouse = await openWarehouse(dataDir)
  const bar = progress('Parsing captures')
  const { captures, rows, failed } = await replay(
    warehouse,
    replayed_from === null ? {} : { from: replayed_from },
    bar.update,
  )
  await rollUpSources(warehouse, Date.now())
  await rollUp(warehouse)
  bar.end()
  await warehouse.close()
  const lost = lostRows(most, await readInFull(dataDir, WAIT_MS))
  await rm(dataPaths(dataDir).unfinished_repair, { force: true })
  return { captures, rows, failed: failed.length, lost }
}

/**
 * Gives the file and its log other names. The file keeps its own until another takes its place, where the file system allows two names:
 * a repair that is killed leaves a file that can be repaired again.
 */
async function setAside(file: string, kept: string): Promise<void> {
  if (existsSync(file)) await link(file, kept).catch(() => rename(file, kept))
  if (existsSync(`${file}.wal`)) await rename(`${file}.wal`, `${kept}.wal`)
}
