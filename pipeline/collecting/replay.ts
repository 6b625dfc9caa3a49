import { basename } from 'node:path'
import { HoldshortError } from '../../config/errors.ts'
import { sourceById } from '../../config/sources.ts'
import { listCaptures, readCapture } from '../../warehouse/storage/raw-captures.ts'
import { replaceCaptures } from '../../warehouse/storage/replace-captures.ts'
import { quoteText } from '../../warehouse/storage/sql.ts'
import type { OpenWarehouse } from '../../warehouse/storage/warehouse.ts'
import { tables } from '../../warehouse/tables/index.ts'
import type { NoticeRow } from '../../warehouse/tables/notices.ts'
import type { Reading } from '../../warehouse/tables/readings.ts'
import type { LanesByAirport } from '../checks/index.ts'
import { collectorById } from '../collectors/index.ts'
import type { LandingTable } from '../parsing/collector.ts'
import { parseBody } from '../parsing/parse-body.ts'
import {
  airportsOf,
  lanesOf,
  type OfferedReading,
  othersAt,
  type RecentBySeries,
  readingsBetween,
  remember,
} from './recent-readings.ts'
import { parseContext, stamp } from './stamp-rows.ts'

/** Which captures to parse again; days as YYYY-MM-DD, both ends included. */
export interface ReplayWanted {
  source?: string
  from?: string
  to?: string
  /** Keeps only the captures of these paths. */
  only?: (path: string) => boolean
}

export interface ReplayReport {
  captures: number
  rows: number
  failed: { capture: string; code: string; message: string }[]
}

const BATCH = 200
const LANDING_TABLES = ['readings', 'delays', 'metars', 'tafs', 'places'] as const satisfies readonly LandingTable[]
const RECENT_PER_SERIES = 60

/** What the checks of a source's next capture compare with. */
interface Memory {
  recent: RecentBySeries
  /** By what was asked. */
  lanes: Map<string, LanesByAirport>
}

/** Adds a capture to what the checks of the next one compare with. */
function rememberCapture(memory: Memory, asked: string, airports: readonly string[], rows: Reading[]): void {
  memory.lanes.set(asked, lanesOf(rows, airports))
  for (const row of rows) {
    const series = remember(memory.recent, row, row.flags.length > 0)
    if (series.length > RECENT_PER_SERIES) series.shift()
  }
}

/** What all sources said around some captures. */
function saidAround(warehouse: OpenWarehouse, times: string[]): Promise<OfferedReading[]> {
  const instants = times.map((instant) => Date.parse(instant))
  return instants.length === 0
    ? Promise.resolve([])
    : readingsBetween(warehouse, Math.min(...instants), Math.max(...instants))
}

/**
 * When each capture was an answer, by the rows it landed: an unchanged site (304) lands new rows from the capture it
 * was read from before.
 */
async function answerTimes(warehouse: OpenWarehouse, paths: string[]): Promise<Map<string, string[]>> {
  const ids = paths.map((path) => quoteText(basename(path, '.gz'))).join(', ')
  const landed = LANDING_TABLES.map(
    (table) => `SELECT DISTINCT capture_id, fetched_at FROM ${table} WHERE capture_id IN (${ids})`,
  )
  const rows = await warehouse.query<{ capture_id: string; times: string[] }>(
    `SELECT capture_id, list(fetched_at ORDER BY fetched_at) AS times FROM (${landed.join(' UNION ALL ')}) GROUP BY 1`,
  )
  return new Map(rows.map(({ capture_id, times }) => [capture_id, times]))
}

/**
 * Parses kept raw captures again and puts the result in place of what an earlier parser made of them: a mended parser
 * mends history. A capture that still cannot be parsed keeps its old rows and is reported.
 */
export async function replay(
  warehouse: OpenWarehouse,
  wanted: ReplayWanted,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<ReplayReport> {
  const paths = (await listCaptures(warehouse.data_dir, wanted)).filter(wanted.only ?? (() => true))
  const report: ReplayReport = { captures: 0, rows: 0, failed: [] }
  const memoryOf = new Map<string, Memory>()
  for (let from = 0; from < paths.length; from += BATCH) {
    const batch = new Map<LandingTable, { ids: string[]; rows: object[] }>()
    const notices: NoticeRow[] = []
    const answered = await answerTimes(warehouse, paths.slice(from, from + BATCH))
    const said = await saidAround(warehouse, [...answered.values()].flat())
    for (const path of paths.slice(from, from + BATCH)) {
      try {
        const capture = await readCapture(path)
        const source = sourceById(capture.source)
        const collector = collectorById(source.collector)
        const group = batch.get(collector.lands) ?? { ids: [], rows: [] }
        batch.set(collector.lands, group)
        const memory = memoryOf.get(source.id) ?? { recent: new Map(), lanes: new Map() }
        memoryOf.set(source.id, memory)
        const asked = `${capture.url} ${capture.iata}`
        const airports = airportsOf(source, capture.iata)
        const times = new Set([capture.fetched_at, ...(answered.get(capture.capture_id) ?? [])])
        const read = [...times].map((fetched_at) => {
          const answer = { ...capture, fetched_at }
          return { answer, parsed: parseBody(collector, capture.body, parseContext(source, answer)) }
        })
        for (const { answer, parsed } of read) {
          const lanes_before = memory.lanes.get(asked) ?? new Map()
          const others = othersAt(said, source.id, airports, answer.fetched_at)
          const stamped = stamp(collector, parsed, source, answer, { recent: memory.recent, others, lanes_before })
          if (collector.lands === 'readings') rememberCapture(memory, asked, airports, stamped.rows as Reading[])
          group.rows.push(...stamped.rows)
          notices.push(...stamped.notices)
        }
        group.ids.push(capture.capture_id)
        report.captures += 1
      } catch (cause) {
        if (!(cause instanceof HoldshortError)) throw cause
        report.failed.push({ capture: path, code: cause.code, message: cause.message })
      }
    }
    report.rows += await warehouse.maintain(async (context) => {
      let rows = 0
      for (const [table, group] of batch) rows += await replaceCaptures(context, tables[table], group.ids, group.rows)
      const ids = [...batch.values()].flatMap((group) => group.ids)
      await replaceCaptures(context, tables.notices, ids, notices)
      return rows
    })
    onProgress(Math.min(from + BATCH, paths.length), paths.length)
  }
  return report
}
