import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT_ROOT } from '../../../config/paths.ts'
import type { Source } from '../../../config/sources.ts'
import type { ParseContext } from '../../../pipeline/parsing/collector.ts'

/** A parse context of a fixed fetch time. FAA ids are IATA codes (except XXX and Canadian ones); ICAO codes lose their first letter. */
export function contextAt(fetched_at: string): ParseContext {
  return {
    source: { id: 'test' } as Source,
    iata: null,
    url: 'https://example.test/',
    content_type: null,
    fetched_at,
    timezoneOf: () => 'UTC',
    iataOf: (id) => (/^(?!XXX|Y..$)[A-Z]{3,4}$/.test(id) ? id.slice(-3) : null),
  }
}

/** Real payloads are in a folder beside the project, where it exists; they are not part of the project. */
export const SAMPLES = join(PROJECT_ROOT, '..', 'shared', 'samples')
export const hasSamples = existsSync(SAMPLES)
export const sample = (...segments: string[]) => readFileSync(join(SAMPLES, ...segments), 'utf8')
