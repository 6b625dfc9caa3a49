import { getOrCreate } from '../../config/once.ts'
import type { Source } from '../../config/sources.ts'
import type { QueueKind, QueueStatus } from '../../config/vocabulary.ts'
import { type LatestReading, minutesOf } from '../../warehouse/publishing/waits/queue-wait.ts'
import type { Notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'

/** An earlier reading of one series. */
export interface RecentReading {
  observed_at: string
  /** This and the status are for `time-of-change`; no check reads them. */
  observed_at_basis?: ParsedReading['observed_at_basis']
  status?: QueueStatus
  wait_minutes: number | null
  /** The ends of a range, where only a range was published. */
  wait_minutes_low?: number | null
  wait_minutes_high?: number | null
  flagged: boolean
}

export interface CheckContext {
  source: Source
  /** ISO UTC. */
  fetched_at: string
  /** Readings of this source in the last hours, by `seriesKey`, in any order. */
  recent: ReadonlyMap<string, readonly RecentReading[]>
  /** Its readings of the last day where no recent one precedes a row (see `standsSinceYesterday`), by `seriesKey`. */
  day_before: ReadonlyMap<string, readonly RecentReading[]>
  /** The newest unflagged reading of each lane of other sources for these airports in the last hour. */
  others: readonly LatestReading[]
  /** Lanes (`seriesKey`) of the source's previous capture by requested airport; an airport without a previous capture is absent. */
  lanes_before: LanesByAirport
}

export type LanesByAirport = ReadonlyMap<string, ReadonlySet<string>>

/** The finding of a check: a notice, and the index of the row that it flags, if any. A flagged row is landed, but excluded from labels and rollups. */
export interface Finding extends Notice {
  index?: number
}

/** One rule about readings: a pure function, named by the code of its findings. */
export interface Check {
  code: string
  run: (rows: readonly ParsedReading[], context: CheckContext) => Finding[]
}

/** Identifies a series: all readings of one queue and lane. */
export function seriesKey(row: Pick<ParsedReading, 'kind' | 'iata' | 'terminal' | 'checkpoint' | 'lane'>): string {
  return JSON.stringify([row.kind, row.iata, row.terminal, row.checkpoint, row.lane])
}

export interface QueueRows {
  iata: string
  kind: QueueKind
  /** The rows with their indexes in the capture. */
  lanes: { row: ParsedReading; index: number }[]
}

/** Groups the rows of a capture by airport and kind of queue. */
export function byQueue(rows: readonly ParsedReading[]): QueueRows[] {
  const queues = new Map<string, QueueRows>()
  for (const [index, row] of rows.entries()) {
    const { iata, kind } = row
    getOrCreate(queues, `${iata}/${kind}`, () => ({ iata, kind, lanes: [] })).lanes.push({ row, index })
  }
  return [...queues.values()]
}

/** The earlier readings of a row's series that have minutes, as the answer counts them, oldest first. */
export function timedBefore(row: ParsedReading, { recent }: CheckContext): TimedReading[] {
  return (recent.get(seriesKey(row)) ?? [])
    .flatMap((earlier): TimedReading[] => {
      const wait_minutes = minutesOf(earlier)
      if (wait_minutes === null || earlier.observed_at >= row.observed_at) return []
      return [{ observed_at: earlier.observed_at, wait_minutes, flagged: earlier.flagged }]
    })
    .toSorted((a, b) => (a.observed_at < b.observed_at ? -1 : 1))
}

export interface TimedReading {
  observed_at: string
  wait_minutes: number
  flagged: boolean
}

/** The fault of a row: one sentence, and the value that shows it. */
export interface Fault {
  message: string
  value: string | number
}

/** A check that flags single rows: each fault that `find` yields becomes a flag and a warning with the check's code. */
export function flagCheck(
  code: string,
  find: (rows: readonly ParsedReading[], context: CheckContext) => Iterable<Fault & { index: number }>,
): Check {
  return {
    code,
    run: (rows, context) =>
      [...find(rows, context)].map(({ index, message, value }) => {
        const row = rows[index]!
        const path = seriesKey(row)
        return { index, code, severity: 'warning', path, value: String(value), message, iata: row.iata }
      }),
  }
}

/** A check that examines one row at a time: `fault` returns what is wrong with it, or null. */
export function rowCheck(code: string, fault: (row: ParsedReading, context: CheckContext) => Fault | null): Check {
  return flagCheck(code, (rows, context) =>
    rows.flatMap((row, index) => {
      const found = fault(row, context)
      return found === null ? [] : { index, ...found }
    }),
  )
}

/**
 * A check that compares the lanes of a capture with those of the previous capture: one info notice per airport with the lanes that
 * `changed` returns. A first capture is not compared.
 */
export function laneChange(
  code: string,
  message: string,
  changed: (before: string[], now: string[]) => string[],
): Check {
  return {
    code,
    run: (rows, { lanes_before }) =>
      [...lanes_before].flatMap(([iata, before]) => {
        const now = rows.filter((row) => row.iata === iata).map(seriesKey)
        const lanes = changed([...before], [...new Set(now)])
        if (lanes.length === 0) return []
        const value = lanes.join(' ').slice(0, 200)
        return [{ code, severity: 'info', path: 'lanes', value, message, iata }]
      }),
  }
}
