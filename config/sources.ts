import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { Iata, LocalDate, Publisher } from './domain.ts'
import { HoldshortError } from './errors.ts'
import { projectFile } from './paths.ts'

/** One entry of config/sources.json: everything about a source that is not code. */
export const Source = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]+$/),
  /** Which collector reads it (a file of pipeline/collectors); `none` where nothing can, and it is off. */
  collector: z.string(),
  name: z.string(),
  /** What it tells of. */
  kind: z.enum(['security', 'immigration', 'checkin', 'customs', 'delays', 'metar', 'taf', 'places']),
  airports: z.array(Iata),
  url: z.url(),
  /** Page a person would look at; where keys that a site shows its own browser are learnt. */
  page_url: z.url().nullable(),
  /** Seconds between two runs. */
  cadence_seconds: z.int().min(30),
  /** Seconds that must pass between two requests to its host. */
  pace_seconds: z.number().min(0),
  /** How near to the queue the publisher stands: own feed, vendor, authority, airline, aggregator. */
  publisher: Publisher.exclude(['import', 'travellers']),
  /** `history`: published with a lag of days; never shown as current. */
  timeliness: z.enum(['live', 'history']),
  active: z.boolean(),
  /** Why it is off; null when it is on. */
  why_off: z.string().nullable(),
  terms: z.string(),
  attribution: z.string(),
  /** Day of the newest evidence that the address answers in this form. */
  last_verified: LocalDate,
  confidence: z.enum(['high', 'medium', 'low']),
  /** What a collector of a family needs to know about this member of it. */
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
})
export type Source = z.infer<typeof Source>

let cached: readonly Source[] | null = null

/** All sources of the catalogue, validated; read once. */
export function allSources(): readonly Source[] {
  cached ??= z.array(Source).parse(JSON.parse(readFileSync(projectFile('config', 'sources.json'), 'utf8')))
  return cached
}

/** The source of this id, or a coded error that names the known ones. */
export function sourceById(id: string): Source {
  const found = allSources().find((source) => source.id === id)
  if (found) return found
  const known = allSources().map((source) => source.id)
  throw new HoldshortError('SOURCE_UNKNOWN', `source: "${id}" is not one of ${known.join(', ')}`)
}
