import type { Source } from '../../config/sources.ts'
import type { Notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'

/** An earlier reading of one series. */
export interface RecentReading {
  observed_at: string
  wait_minutes: number | null
}

export interface CheckContext {
  source: Source
  /** ISO UTC. */
  fetched_at: string
  /** What the warehouse holds of the last hours, by `seriesKey`, in any order. */
  recent: ReadonlyMap<string, readonly RecentReading[]>
}

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

/**
 * A check that looks at one row at a time: `fault` says in a sentence what is wrong, or null. Each fault becomes a flag and
 * a notice of the same code.
 */
export function rowCheck(
  code: string,
  fault: (row: ParsedReading, context: CheckContext) => { message: string; value: string | number } | null,
): Check {
  return {
    code,
    run: (rows, context) => {
      const result: CheckResult = { notices: [], flags: new Map() }
      for (const [index, row] of rows.entries()) {
        const found = fault(row, context)
        if (found === null) continue
        result.flags.set(index, [code])
        const { message, value } = found
        result.notices.push({
          code,
          severity: 'warning',
          path: seriesKey(row),
          value: String(value),
          message,
          iata: row.iata,
        })
      }
      return result
    },
  }
}
