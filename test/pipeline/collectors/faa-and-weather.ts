import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { z } from 'zod'
import { PROJECT_ROOT } from '../../../config/paths.ts'
import type { Source } from '../../../config/sources.ts'
import type { ParseContext, Parsed } from '../../../pipeline/parsing/collector.ts'
import { delays } from '../../../warehouse/tables/delays.ts'
import { notices } from '../../../warehouse/tables/notices.ts'
import { metars, tafs } from '../../../warehouse/tables/weather.ts'

const STAMPED = { source: true, fetched_at: true, available_at: true, capture_id: true } as const

const ROWS: Record<'delays' | 'metars' | 'tafs', z.ZodType> = {
  delays: delays.row.omit(STAMPED),
  metars: metars.row.omit(STAMPED),
  tafs: tafs.row.omit(STAMPED),
}
const NOTICE = notices.row.omit({ source: true, noticed_at: true, capture_id: true })

/** Fails unless every row and notice fits its table once `collect` has added its columns. */
export function expectLandable(table: 'delays' | 'metars' | 'tafs', parsed: Parsed): void {
  for (const row of parsed.readings) expect(ROWS[table].safeParse(row).error, JSON.stringify(row)).toBeUndefined()
  for (const each of parsed.notices) expect(NOTICE.safeParse(each).error, JSON.stringify(each)).toBeUndefined()
}

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

/** A hand-written payload of test/pipeline/collectors/fixtures. */
export function fixture(...segments: string[]): string {
  return readFileSync(join(dirname(fileURLToPath(import.meta.url)), 'fixtures', ...segments), 'utf8')
}

/** Real payloads are in a folder beside the project, where it exists; they are not part of the project. */
export const SAMPLES = join(PROJECT_ROOT, '..', 'shared', 'samples')
export const hasSamples = existsSync(SAMPLES)
export const sample = (...segments: string[]) => readFileSync(join(SAMPLES, ...segments), 'utf8')
