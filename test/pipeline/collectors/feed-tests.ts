import { sourceById } from '../../../config/sources.ts'
import { collectorById } from '../../../pipeline/collectors/index.ts'
import type { SourceRequest } from '../../../pipeline/parsing/collector.ts'
import type { ParsedReading } from '../../../warehouse/tables/readings.ts'

/** The requests of a source's collector, with the keys that it learned from the site. */
export function requestsOf(sourceId: string, learnedKeys: Record<string, string> = {}): SourceRequest[] {
  const source = sourceById(sourceId)
  const context = { source, airports: source.airports, now: 0, learned_keys: learnedKeys, icaoOf: () => null }
  return collectorById(source.collector).request(context)
}

/** The queue of a row with its wait and status, in one line. */
export const readingLine = (row: ParsedReading) =>
  [
    row.terminal,
    row.checkpoint,
    row.lane,
    row.wait_minutes,
    row.wait_minutes_low,
    row.wait_minutes_high,
    row.status,
  ] as const
