import { readFileSync } from 'node:fs'
import { projectFile } from '../../../config/paths.ts'
import { sourceById } from '../../../config/sources.ts'
import { collectorById } from '../../../pipeline/collectors/index.ts'
import type { ParseContext } from '../../../pipeline/parsing/collector.ts'
import type { ParsedReading } from '../../../warehouse/tables/readings.ts'

const ZONES: Record<string, string> = {
  ATL: 'America/New_York',
  BOS: 'America/New_York',
  BWI: 'America/New_York',
  CLE: 'America/New_York',
  CLT: 'America/New_York',
  CVG: 'America/New_York',
  DCA: 'America/New_York',
  DEN: 'America/Denver',
  DFW: 'America/Chicago',
  DTW: 'America/New_York',
  EWR: 'America/New_York',
  HNL: 'Pacific/Honolulu',
  IAD: 'America/New_York',
  IAH: 'America/Chicago',
  JAX: 'America/New_York',
  JFK: 'America/New_York',
  LAS: 'America/Los_Angeles',
  LAX: 'America/Los_Angeles',
  LGA: 'America/New_York',
  MCO: 'America/New_York',
  MIA: 'America/New_York',
  MSP: 'America/Chicago',
  MUC: 'Europe/Berlin',
  ORD: 'America/Chicago',
  PDX: 'America/Los_Angeles',
  PHL: 'America/New_York',
  PHX: 'America/Phoenix',
  PIT: 'America/New_York',
  PVD: 'America/New_York',
  SEA: 'America/Los_Angeles',
  SFO: 'America/Los_Angeles',
  SLC: 'America/Denver',
  YVR: 'America/Vancouver',
  YYC: 'America/Edmonton',
  YYZ: 'America/Toronto',
}

const WORLD_ZONES: Record<string, string> = {
  AMS: 'Europe/Amsterdam',
  ARN: 'Europe/Stockholm',
  BER: 'Europe/Berlin',
  CPH: 'Europe/Copenhagen',
  DEL: 'Asia/Kolkata',
  DOH: 'Asia/Qatar',
  DUB: 'Europe/Dublin',
  DUS: 'Europe/Berlin',
  EDI: 'Europe/London',
  FRA: 'Europe/Berlin',
  GOT: 'Europe/Stockholm',
  HAM: 'Europe/Berlin',
  HEL: 'Europe/Helsinki',
  ICN: 'Asia/Seoul',
  IST: 'Europe/Istanbul',
  LHR: 'Europe/London',
  OSL: 'Europe/Oslo',
  PMI: 'Europe/Madrid',
  SYD: 'Australia/Sydney',
  ZRH: 'Europe/Zurich',
}

/** Fetched at 05:03 in New York, 02:03 in San Francisco. */
export const FETCHED = '2026-11-21T10:03:00Z'

/** A parse context over the real catalogue, of the first answer; time zones as the directory has them. */
export function contextFor(sourceId: string, iata: string | null, fetched_at = FETCHED): ParseContext {
  const source = sourceById(sourceId)
  const asked = { source, airports: source.airports, now: Date.parse(fetched_at), learned_keys: {}, icaoOf: () => null }
  return {
    source,
    iata,
    url: collectorById(source.collector).request(asked)[0]?.url ?? source.url,
    content_type: null,
    fetched_at,
    timezoneOf: (code) => {
      const zone = ZONES[code] ?? WORLD_ZONES[code]
      if (zone === undefined) throw new Error(`the directory does not know ${code}`)
      return zone
    },
    iataOf: () => null,
  }
}

/** Parses a body by the collector of a source of the catalogue. */
export function parseAs(sourceId: string, body: string, iata: string | null, fetched_at = FETCHED) {
  const context = contextFor(sourceId, iata, fetched_at)
  const { readings, notices } = collectorById(context.source.collector).parse(body, context)
  return { readings: readings as ParsedReading[], notices }
}

export function fixture(name: string): string {
  return readFileSync(projectFile('test', 'pipeline', 'collectors', 'fixtures', name), 'utf8')
}

/** A file of the research folder beside the project, null where that folder is absent. */
export function sharedFile(...path: string[]): string | null {
  try {
    return readFileSync(projectFile('..', 'shared', ...path), 'utf8')
  } catch {
    return null
  }
}
