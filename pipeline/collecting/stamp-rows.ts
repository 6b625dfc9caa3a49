import { airportDirectory } from '../../config/airports/directory.ts'
import { isoUtc } from '../../config/domain.ts'
import type { Source } from '../../config/sources.ts'
import type { CaptureHead } from '../../warehouse/storage/raw-captures.ts'
import type { NoticeRow } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { runChecks } from '../checks/index.ts'
import type { Collector, ParseContext, Parsed } from '../parsing/collector.ts'
import type { KnownBefore } from './recent-readings.ts'

/** What a parser may know of a capture. */
export function parseContext(
  source: Source,
  capture: Pick<CaptureHead, 'iata' | 'url' | 'content_type' | 'fetched_at'>,
): ParseContext {
  const directory = airportDirectory()
  return {
    source,
    iata: capture.iata,
    url: capture.url,
    content_type: capture.content_type,
    fetched_at: capture.fetched_at,
    timezoneOf: (iata) => {
      const airport = directory.byIata.get(iata)
      if (!airport) throw new Error(`${iata} is not in the airport directory`)
      return airport.timezone
    },
    iataOf: (id) => (directory.byFaaId.get(id) ?? directory.byIcao.get(id) ?? directory.byIata.get(id))?.iata ?? null,
  }
}

export interface Stamped {
  rows: object[]
  notices: NoticeRow[]
  /** What the payload says of its own time, else its newest row; null when it says nothing and holds nothing. */
  observed_at: string | null
}

/** Turns what a parser returned into rows of the warehouse: checks them, and stamps source, fetch time and capture. */
export function stamp(
  collector: Collector,
  parsed: Parsed,
  source: Source,
  capture: Pick<CaptureHead, 'capture_id' | 'fetched_at'>,
  known: KnownBefore,
): Stamped {
  const { capture_id, fetched_at } = capture
  const stamps = { source: source.id, fetched_at, available_at: fetched_at, capture_id }
  const checked =
    collector.lands === 'readings'
      ? runChecks(parsed.readings as ParsedReading[], { ...known, source, fetched_at })
      : { notices: [], flags: new Map<number, string[]>() }
  const rows = parsed.readings.map((row, index) =>
    collector.lands === 'readings'
      ? { ...row, ...stamps, flags: checked.flags.get(index) ?? [] }
      : { ...row, ...stamps },
  )
  const notices = [...parsed.notices, ...checked.notices].map((notice) => ({
    ...notice,
    source: source.id,
    noticed_at: fetched_at,
    capture_id,
  }))
  return { rows, notices, observed_at: parsed.observed_at ?? newest(parsed) }
}

function newest(parsed: Parsed): string | null {
  const times = parsed.readings.flatMap((row) => {
    if ('observed_at' in row) return [Date.parse(row.observed_at)]
    return 'issued_at' in row ? [Date.parse(row.issued_at)] : []
  })
  return times.length === 0 ? null : isoUtc(Math.max(...times))
}
