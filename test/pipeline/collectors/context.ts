import { readFileSync } from 'node:fs'
import { projectFile } from '../../../config/paths.ts'
import { sourceById } from '../../../config/sources.ts'
import type { ParseContext } from '../../../pipeline/collector.ts'
import { collectorById } from '../../../pipeline/collectors/index.ts'
import type { ParsedReading } from '../../../warehouse/tables/readings.ts'

const ZONES: Record<string, string> = {
  ATL: 'America/New_York',
  CLT: 'America/New_York',
  CVG: 'America/New_York',
  DFW: 'America/Chicago',
  EWR: 'America/New_York',
  HNL: 'Pacific/Honolulu',
  IAH: 'America/Chicago',
  JAX: 'America/New_York',
  JFK: 'America/New_York',
  LAX: 'America/Los_Angeles',
  LGA: 'America/New_York',
  MCO: 'America/New_York',
  PVD: 'America/New_York',
  SEA: 'America/Los_Angeles',
  SFO: 'America/Los_Angeles',
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

/** A parse context over the real catalogue; time zones as the directory has them. */
export function contextFor(sourceId: string, iata: string | null, fetched_at = FETCHED): ParseContext {
  const source = sourceById(sourceId)
  return {
    source,
    iata,
    url: source.url,
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
