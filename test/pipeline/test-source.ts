import { Source } from '../../config/sources.ts'

/** A valid and active source for a test; every field can be overridden. */
export function testSource(fields: Partial<Source> = {}): Source {
  return Source.parse({
    id: 'made-source',
    collector: 'sea-cwt',
    name: 'Made for a test',
    kind: 'security',
    airports: ['SEA'],
    url: 'https://example.org/waits',
    page_url: null,
    cadence_seconds: 120,
    pace_seconds: 0,
    publisher: 'airport',
    timeliness: 'live',
    active: true,
    why_off: null,
    terms: 'none',
    attribution: 'none',
    last_verified: '2026-11-01',
    confidence: 'high',
    options: {},
    ...fields,
  })
}
