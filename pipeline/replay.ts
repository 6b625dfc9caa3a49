import { HoldshortError } from '../config/errors.ts'
import { sourceById } from '../config/sources.ts'
import type { OpenWarehouse } from '../warehouse/open.ts'
import { listCaptures, readCapture } from '../warehouse/raw.ts'
import { replaceCaptures } from '../warehouse/replace-captures.ts'
import { tables } from '../warehouse/tables/index.ts'
import type { NoticeRow } from '../warehouse/tables/notices.ts'
import type { ParsedReading } from '../warehouse/tables/readings.ts'
import { seriesKey } from './checks/index.ts'
import type { LandingTable } from './collector.ts'
import { collectorById } from './collectors/index.ts'
import type { RecentBySeries } from './recent.ts'
import { parseContext, stamp } from './stamp.ts'

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
const RECENT_PER_SERIES = 60

/** Adds a capture's readings to what the checks of the next one compare with. */
function remember(recent: RecentBySeries, rows: ParsedReading[]): void {
  for (const row of rows) {
    const key = seriesKey(row)
    const known = recent.get(key) ?? []
    known.push({ observed_at: row.observed_at, wait_minutes: row.wait_minutes })
    if (known.length > RECENT_PER_SERIES) known.shift()
    recent.set(key, known)
  }
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
  const recentOf = new Map<string, RecentBySeries>()
  for (let from = 0; from < paths.length; from += BATCH) {
    const batch = new Map<LandingTable, { ids: string[]; rows: object[] }>()
    const notices: NoticeRow[] = []
    for (const path of paths.slice(from, from + BATCH)) {
      try {
        const capture = await readCapture(path)
        const source = sourceById(capture.source)
        const collector = collectorById(source.collector)
        const parsed = collector.parse(new TextDecoder().decode(capture.body), parseContext(source, capture))
        const recent = recentOf.get(source.id) ?? new Map()
        const stamped = stamp(collector, parsed, source, capture, recent)
        if (collector.lands === 'readings') remember(recent, parsed.readings as ParsedReading[])
        recentOf.set(source.id, recent)
        const group = batch.get(collector.lands) ?? { ids: [], rows: [] }
        batch.set(collector.lands, { ids: [...group.ids, capture.capture_id], rows: [...group.rows, ...stamped.rows] })
        notices.push(...stamped.notices)
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
