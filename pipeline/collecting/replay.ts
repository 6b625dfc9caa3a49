import { basename } from 'node:path'
import { HoldshortError } from '../../config/errors.ts'
import { getOrCreate } from '../../config/once.ts'
import { sourceById } from '../../config/sources.ts'
import { DAY_MS, utcDayOf } from '../../config/vocabulary.ts'
import { type Capture, listCaptures, readCapture } from '../../warehouse/storage/raw-captures.ts'
import { quoteText } from '../../warehouse/storage/sql.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import { replaceCaptures } from '../../warehouse/storage/write.ts'
import { tables } from '../../warehouse/tables/index.ts'
import type { NoticeRow } from '../../warehouse/tables/notices.ts'
import type { Reading } from '../../warehouse/tables/readings.ts'
import type { LanesByAirport } from '../checks/index.ts'
import { collectorById } from '../collectors/index.ts'
import type { LandingTable } from '../parsing/collector.ts'
import { parseBody, parseContext } from '../parsing/parse-body.ts'
import {
  type AvailableReading,
  addToSeries,
  airportsOfRequest,
  lanesByAirport,
  otherSourcesAt,
  type RecentBySeries,
  readingsBefore,
  readingsBetween,
} from './recent-readings.ts'
import { checkAndStamp } from './stamp-rows.ts'

/** The captures to parse again; days as YYYY-MM-DD, both ends included. */
export interface ReplaySelection {
  source?: string
  from?: string
  to?: string
  only?: (path: string) => boolean
}

export interface ReplayReport {
  captures: number
  rows: number
  failed: { capture: string; code: string; message: string }[]
}

const BATCH = 200
const LANDING_TABLES = [
  'readings',
  'delays',
  'metars',
  'tafs',
  'weather_alerts',
  'weather_zones',
  'places',
] as const satisfies readonly LandingTable[]
const MAX_RECENT_PER_SERIES = 60

/**
 * Parses stored raw captures again and replaces the rows that an earlier parser made of them, so that a corrected parser corrects
 * history. A capture that still cannot be parsed keeps its old rows and is listed in `failed`.
 */
export async function replay(
  warehouse: Warehouse,
  selection: ReplaySelection,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<ReplayReport> {
  const paths = (await listCaptures(warehouse.data_dir, selection)).filter(selection.only ?? (() => true))
  const report: ReplayReport = { captures: 0, rows: 0, failed: [] }
  const memories = new Map<string, SourceMemory>()
  for (let from = 0; from < paths.length; from += BATCH) {
    const batchPaths = paths.slice(from, from + BATCH)
    const batch: ReplayBatch = { groups: new Map(), notices: [] }
    const answered = await answerTimes(warehouse, batchPaths)
    const published = await readingsAround(warehouse, [...answered.values()].flat())
    for (const path of batchPaths) {
      try {
        const capture = await readCapture(path)
        if (!memories.has(capture.source)) memories.set(capture.source, await memoryBefore(warehouse, capture))
        const times = new Set([capture.fetched_at, ...(answered.get(capture.capture_id) ?? [])])
        replayCapture(capture, [...times], published, memories, batch)
        report.captures += 1
      } catch (cause) {
        if (!(cause instanceof HoldshortError)) throw cause
        report.failed.push({ capture: path, code: cause.code, message: cause.message })
      }
    }
    report.rows += await replaceRows(warehouse, batch)
    onProgress(Math.min(from + BATCH, paths.length), paths.length)
  }
  return report
}

/**
 * Lands what a killed process had stored but not landed: raw captures since yesterday without a row in `runs`. Replaying a capture
 * that did land changes nothing, so doubtful captures are replayed too.
 */
export async function recoverCaptures(warehouse: Warehouse, now: number): Promise<ReplayReport> {
  const from = recoveredFrom(now)
  const recorded = await landedCaptures(warehouse, now)
  return replay(warehouse, { from, only: (path) => !recorded.has(basename(path, '.gz')) })
}

const recoveredFrom = (now: number) => utcDayOf(now - DAY_MS)

/** Ids of the captures since yesterday that have a row in `runs`. */
export async function landedCaptures(warehouse: Warehouse, now: number): Promise<ReadonlySet<string>> {
  const rows = await warehouse.query<{ capture_id: string }>(
    'SELECT DISTINCT capture_id FROM runs WHERE date >= $from',
    { from: recoveredFrom(now) },
  )
  return new Set(rows.map(({ capture_id }) => capture_id))
}

/** The readings that the checks compare with the next capture of a source. */
interface SourceMemory {
  recent: RecentBySeries
  /** Lanes by address and airport of the request. */
  lanes: Map<string, LanesByAirport>
}

/** What the warehouse knows of a source before the first of its captures that are parsed again. */
async function memoryBefore(warehouse: Warehouse, first: Capture): Promise<SourceMemory> {
  const before = await readingsBefore(warehouse, first)
  const recent = [...before].map(([series, readings]) => [series, readings.slice(-MAX_RECENT_PER_SERIES)] as const)
  return { recent: new Map(recent), lanes: new Map() }
}

/** The new rows of up to `BATCH` captures, by table. */
interface ReplayBatch {
  groups: Map<LandingTable, { capture_ids: string[]; rows: object[] }>
  notices: NoticeRow[]
}

/** Parses a capture once for each instant at which it was an answer, and adds the checked rows to the batch. @throws ParseError */
function replayCapture(
  capture: Capture,
  times: readonly string[],
  published: readonly AvailableReading[],
  memories: Map<string, SourceMemory>,
  batch: ReplayBatch,
): void {
  const source = sourceById(capture.source)
  const collector = collectorById(source.collector)
  const group = getOrCreate(batch.groups, collector.lands, () => ({ capture_ids: [], rows: [] }))
  const memory = memories.get(source.id)!
  const request = `${capture.url} ${capture.iata}`
  const airports = airportsOfRequest(source, capture.iata)
  // Everything is parsed before anything is added: a capture that cannot be parsed must leave no rows behind.
  const answers = times.map((fetched_at) => {
    const answer = { ...capture, fetched_at }
    return { answer, parsed: parseBody(collector, capture.body, parseContext(source, answer)) }
  })
  for (const { answer, parsed } of answers) {
    const stamped = checkAndStamp(collector, parsed, source, answer, {
      recent: memory.recent,
      // Counted by readings and not by hours, so that what is a day older is among them.
      day_before: new Map(),
      others: otherSourcesAt(published, source.id, airports, answer.fetched_at),
      lanes_before: memory.lanes.get(request) ?? new Map(),
    })
    if (collector.lands === 'readings') remember(memory, request, airports, stamped.rows as Reading[])
    group.rows.push(...stamped.rows)
    batch.notices.push(...stamped.notices)
  }
  group.capture_ids.push(capture.capture_id)
}

function remember(memory: SourceMemory, request: string, airports: readonly string[], rows: Reading[]): void {
  memory.lanes.set(request, lanesByAirport(rows, airports))
  for (const row of rows) {
    const series = addToSeries(memory.recent, row, row.flags.length > 0)
    if (series.length > MAX_RECENT_PER_SERIES) series.shift()
  }
}

function replaceRows(warehouse: Warehouse, { groups, notices }: ReplayBatch): Promise<number> {
  return warehouse.write(async (context) => {
    let rows = 0
    for (const [table, group] of groups)
      rows += await replaceCaptures(context, tables[table], group.capture_ids, group.rows)
    const capture_ids = [...groups.values()].flatMap((group) => group.capture_ids)
    await replaceCaptures(context, tables.notices, capture_ids, notices)
    return rows
  })
}

/**
 * The fetch times at which each capture was an answer, from the rows it landed: after a 304, new rows are landed from the earlier
 * capture.
 */
async function answerTimes(warehouse: Warehouse, paths: string[]): Promise<Map<string, string[]>> {
  const ids = paths.map((path) => quoteText(basename(path, '.gz'))).join(', ')
  const landed = LANDING_TABLES.map(
    (table) => `SELECT DISTINCT capture_id, fetched_at FROM ${table} WHERE capture_id IN (${ids})`,
  )
  const rows = await warehouse.query<{ capture_id: string; times: string[] }>(
    `SELECT capture_id, list(fetched_at ORDER BY fetched_at) AS times FROM (${landed.join(' UNION ALL ')}) GROUP BY 1`,
  )
  return new Map(rows.map(({ capture_id, times }) => [capture_id, times]))
}

/** The readings of all sources around the fetch times of some captures. */
function readingsAround(warehouse: Warehouse, times: string[]): Promise<AvailableReading[]> {
  const instants = times.map((instant) => Date.parse(instant))
  return instants.length === 0
    ? Promise.resolve([])
    : readingsBetween(warehouse, Math.min(...instants), Math.max(...instants))
}
