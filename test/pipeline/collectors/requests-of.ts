import { sourceById } from '../../../config/sources.ts'
import { collectorById } from '../../../pipeline/collectors/index.ts'
import type { SourceRequest } from '../../../pipeline/parsing/collector.ts'

/** The requests of a source's collector, with the keys that it learned from the site. */
export function requestsOf(sourceId: string, learnedKeys: Record<string, string> = {}): SourceRequest[] {
  const source = sourceById(sourceId)
  const context = { source, airports: source.airports, now: 0, learned_keys: learnedKeys, icaoOf: () => null }
  return collectorById(source.collector).request(context)
}
