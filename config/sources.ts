import { z } from 'zod'
import { HoldshortError } from './errors.ts'
import { LICENCE_IDS } from './licences.ts'
import { editedTable } from './project-text.ts'
import { Iata, LocalDate, Publisher } from './vocabulary.ts'

const WebAddress = z.url({ protocol: /^https?$/, error: 'must be a web address, https://…' })

/** One entry of config/sources.json: everything about a source that is not code. */
export const Source = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]+$/, 'must have only a to z, 0 to 9 and hyphens'),
  /** The collector that reads it (see pipeline/collectors); `none` when there is none, and the source is off. */
  collector: z.string(),
  name: z.string().min(1),
  /** The subject of its readings. */
  kind: z.enum([
    'security',
    'immigration',
    'checkin',
    'customs',
    'delays',
    'metar',
    'taf',
    'alerts',
    'zones',
    'places',
  ]),
  /** Other queues that its answers have too. */
  further_kinds: z.array(z.enum(['security', 'immigration', 'checkin'])).default([]),
  airports: z.array(Iata),
  url: WebAddress,
  /** The page that a person would open; collectors learn keys for the site's API from it. */
  page_url: WebAddress.nullable(),
  cadence_seconds: z.int().min(30),
  /** Seconds that must pass between two requests to its host. */
  pace_seconds: z.number().min(0),
  /** The kind of publisher, which says how close it is to the queue. */
  publisher: Publisher.exclude(['import', 'travellers']),
  /** `history`: published days later; never shown as current. */
  timeliness: z.enum(['live', 'history']),
  active: z.boolean(),
  why_off: z.string().nullable(),
  terms: z.string().min(1),
  /** The licence under which its figures may be passed on; without one its terms are unknown, or forbid it. */
  licence: z.enum(LICENCE_IDS).optional(),
  attribution: z.string().min(1),
  /** The day of the newest evidence that the address still answers in this format. */
  last_verified: LocalDate,
  confidence: z.enum(['high', 'medium', 'low']),
  /** Parameters of this source for a collector that serves several sources. */
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
})
export type Source = z.infer<typeof Source>

export const Catalogue = z.array(Source).superRefine((sources, faults) => {
  const ids = new Set<string>()
  for (const [index, { id }] of sources.entries()) {
    if (ids.has(id)) faults.addIssue({ code: 'custom', path: [index, 'id'], message: 'another source has this id' })
    ids.add(id)
  }
})

let cached: readonly Source[] | null = null

/** All sources of the catalogue, validated; read once. */
export function allSources(): readonly Source[] {
  cached ??= editedTable('config/sources.json', Catalogue)
  return cached
}

let byId: ReadonlyMap<string, Source> | null = null

/** The source with this id. @throws HoldshortError SOURCE_UNKNOWN with the known ids */
export function sourceById(id: string): Source {
  byId ??= new Map(allSources().map((source) => [source.id, source]))
  const found = byId.get(id)
  if (found) return found
  const known = allSources().map((source) => source.id)
  throw new HoldshortError('SOURCE_UNKNOWN', `source: "${id}" is not one of ${known.join(', ')}`)
}
