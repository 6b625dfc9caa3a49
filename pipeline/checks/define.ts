import type { QueueKind } from '../../config/domain.ts'
import type { Source } from '../../config/sources.ts'
import type { LatestReading } from '../../warehouse/serving/waits/queue-wait.ts'
import type { Notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'

/** An earlier reading of one series. */
export interface RecentReading {
  observed_at: string
  wait_minutes: number | null
  /** Whether a check has marked it. */
  flagged: boolean
}

export interface CheckContext {
  source: Source
  /** ISO UTC. */
  fetched_at: string
  /** What the warehouse holds of the last hours, by `seriesKey`, in any order. */
  recent: ReadonlyMap<string, readonly RecentReading[]>
  /** The newest unflagged reading of each lane that other sources gave of these airports in the last hour. */
  others: readonly LatestReading[]
  /** Lanes (`seriesKey`) of the source's previous capture, by airport asked for; an airport without one is absent. */
  lanes_before: LanesByAirport
}

export type LanesByAirport = ReadonlyMap<string, ReadonlySet<string>>

export interface CheckResult {
  notices: Notice[]
  /** Codes per index of `rows`; a flagged row is landed, but left out of labels and rollups. */
  flags: Map<number, string[]>
}

/** One rule about readings: pure, and named by the code it raises. */
export interface Check {
  code: string
  run: (rows: readonly ParsedReading[], context: CheckContext) => CheckResult
}

/** Rows of the same queue and lane form a series. */
export function seriesKey(row: Pick<ParsedReading, 'kind' | 'iata' | 'terminal' | 'checkpoint' | 'lane'>): string {
  return JSON.stringify([row.kind, row.iata, row.terminal, row.checkpoint, row.lane])
}

export interface QueueRows {
  iata: string
  kind: QueueKind
  /** The rows with their places in the capture. */
  lanes: { row: ParsedReading; index: number }[]
}

/** The rows of a capture by airport and kind of queue. */
export function byQueue(rows: readonly ParsedReading[]): QueueRows[] {
  const queues = new Map<string, QueueRows>()
  for (const [index, row] of rows.entries()) {
    const { iata, kind } = row
    const queue = queues.get(`${iata}/${kind}`) ?? { iata, kind, lanes: [] }
    queue.lanes.push({ row, index })
    queues.set(`${iata}/${kind}`, queue)
  }
  return [...queues.values()]
}

/** What the series of a row said before it, oldest first; readings without minutes are left out. */
export function timedBefore(row: ParsedReading, { recent }: CheckContext): TimedReading[] {
  return (recent.get(seriesKey(row)) ?? [])
    .filter((one): one is TimedReading => one.observed_at < row.observed_at && one.wait_minutes !== null)
    .toSorted((a, b) => (a.observed_at < b.observed_at ? -1 : 1))
}

export interface TimedReading extends RecentReading {
  wait_minutes: number
}

/** NaN of none. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2
}

/** What is wrong with a row, in a sentence, and the value that shows it. */
export interface Fault {
  message: string
  value: string | number
}

/** A check that marks single rows: each fault that `find` gives becomes a flag and a warning of the check's code. */
export function flagCheck(
  code: string,
  find: (rows: readonly ParsedReading[], context: CheckContext) => Iterable<Fault & { index: number }>,
): Check {
  return {
    code,
    run: (rows, context) => {
      const result: CheckResult = { notices: [], flags: new Map() }
      for (const { index, message, value } of find(rows, context)) {
        const row = rows[index]
        if (!row) continue
        result.flags.set(index, [code])
        const path = seriesKey(row)
        result.notices.push({ code, severity: 'warning', path, value: String(value), message, iata: row.iata })
      }
      return result
    },
  }
}

/** A check that looks at one row at a time: `fault` says what is wrong with it, or null. */
export function rowCheck(code: string, fault: (row: ParsedReading, context: CheckContext) => Fault | null): Check {
  return flagCheck(code, (rows, context) =>
    rows.flatMap((row, index) => {
      const found = fault(row, context)
      return found === null ? [] : { index, ...found }
    }),
  )
}

/**
 * A check that compares the lanes of a capture with those of the capture before, airport by airport: one info notice an
 * airport with the lanes that `changed` finds. Lanes are labelled by checkpoint; a first capture is compared with nothing.
 */
export function laneChange(
  code: string,
  message: string,
  changed: (before: string[], now: string[]) => string[],
): Check {
  return {
    code,
    run: (rows, { lanes_before }) => ({
      flags: new Map(),
      notices: [...lanes_before].flatMap(([iata, before]) => {
        const now = rows.filter((row) => row.iata === iata).map(seriesKey)
        const lanes = changed([...before], [...new Set(now)])
        if (lanes.length === 0) return []
        const value = lanes.join(' ').slice(0, 200)
        return [{ code, severity: 'info', path: 'lanes', value, message, iata }]
      }),
    }),
  }
}
