import type { z } from 'zod'
import { ParseError } from '../../../config/errors.ts'
import { collectorById } from '../../../pipeline/collectors/index.ts'
import type { LandingTable, ParseContext, Parsed } from '../../../pipeline/parsing/collector.ts'
import { decodeBody } from '../../../pipeline/parsing/decode-body.ts'
import { parseBody } from '../../../pipeline/parsing/parse-body.ts'
import { delays } from '../../../warehouse/tables/delays.ts'
import { notices } from '../../../warehouse/tables/notices.ts'
import { places } from '../../../warehouse/tables/places.ts'
import { type ParsedReading, readings } from '../../../warehouse/tables/readings.ts'
import { metars, type ParsedMetar, tafs } from '../../../warehouse/tables/weather.ts'
import { weatherAlerts, weatherZones } from '../../../warehouse/tables/weather-alerts.ts'

const STAMPED = { source: true, fetched_at: true, available_at: true, capture_id: true } as const
/** Rows as a parser returns them: rows of the tables without the columns that `collect` adds. */
const ROWS: Record<LandingTable, z.ZodType> = {
  readings: readings.row.omit({ ...STAMPED, flags: true }),
  delays: delays.row.omit(STAMPED),
  metars: metars.row.omit(STAMPED),
  tafs: tafs.row.omit(STAMPED),
  places: places.row.omit(STAMPED),
  weather_alerts: weatherAlerts.row.omit(STAMPED),
  weather_zones: weatherZones.row.omit(STAMPED),
}
const NOTICE = notices.row.omit({ source: true, noticed_at: true, capture_id: true })

const MINUTE = 60_000
/** How far after the fetch a row may be dated: clocks differ, and stations date a report at the coming half hour. */
const MAX_AHEAD_MS: Record<LandingTable, number> = {
  readings: 2 * MINUTE,
  delays: 2 * MINUTE,
  metars: 60 * MINUTE,
  tafs: 60 * MINUTE,
  places: 0,
  weather_alerts: 0,
  weather_zones: 0,
}

/** The minutes that a body may publish: its numbers as minutes, as seconds, as hours, as two of them together, or as the digits of a display. */
export function publishedMinutes(text: string): Set<number> {
  const found = new Set<number>()
  for (const words of [text, text.replace(/<[^>]*>/g, '')]) {
    const spoken = /minutes?\W+(?:and )?\d+ ?seconds?/i.test(words)
    const tokens = words.match(/\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi) ?? []
    for (const [index, token] of tokens.entries()) {
      const number = Number(token)
      found.add(number).add(number / 60)
      const next = tokens[index + 1]
      if (/\dh|\bh(ou)?r?s?\b/i.test(words)) found.add(number * 60).add(number * 60 + Number(next ?? 0))
      if (spoken && next !== undefined) found.add(number + Number(next) / 60)
      if (words.includes('.val(')) for (const other of tokens) found.add(Number(token + other))
    }
    if (/less than|under|up to|&lt;|<\s*\d|<=/i.test(words)) found.add(0)
    if (/(less than|under|up to|&lt;|<)\s*(an?|one)\b/i.test(words)) found.add(1)
    if (/no wait/i.test(words)) found.add(0)
    if (/(an?|one) *h/i.test(words)) found.add(60)
  }
  return found
}

export const minutesOf = (row: ParsedReading) =>
  [row.wait_minutes, row.wait_minutes_low, row.wait_minutes_high].filter((wait) => wait !== null)

/** The invariant that a reading violates, in words; null when it violates none. */
function violationInReading(row: ParsedReading, published: () => Set<number>): string | null {
  const minutes = minutesOf(row)
  if (minutes.some((wait) => !(wait >= 0 && wait <= 600))) return 'a wait outside 0 to 600 minutes'
  if (row.status === 'closed' && minutes.length > 0) return 'a closed queue with a wait'
  const { wait_minutes_low: low, wait_minutes_high: high } = row
  if (low !== null && high !== null && low > high) return 'a range whose lower end is above its upper end'
  const invented = minutes.find((wait) => !published().has(wait))
  return invented === undefined ? null : `${invented} minutes that the body does not publish`
}

/** The same for a row of any table. */
function violationIn(lands: LandingTable, row: Parsed['readings'][number], published: () => Set<number>, now: number) {
  const mismatch = ROWS[lands].safeParse(row).error
  if (mismatch !== undefined) return `a row that does not fit its table: ${mismatch.message}`
  if ('osm_id' in row || 'county_zone' in row) return null
  const instant = 'observed_at' in row ? row.observed_at : row.issued_at
  if (Date.parse(instant) > now + MAX_AHEAD_MS[lands]) return `a row of the future (${instant})`
  if (lands === 'readings') return violationInReading(row as ParsedReading, published)
  if (lands !== 'delays') return null
  const { average_minutes, min_minutes, max_minutes } = row as Parsed<'delays'>['readings'][number]
  const isOutOfRange = [average_minutes, min_minutes, max_minutes].some(
    (wait) => wait !== null && !(wait >= 0 && wait <= 1_440),
  )
  return isOutOfRange ? 'a delay outside 0 to 1,440 minutes' : null
}

const KEYS: Record<LandingTable, readonly string[]> = {
  readings: readings.key,
  delays: delays.key,
  metars: metars.key,
  tafs: tafs.key,
  places: places.key,
  weather_alerts: weatherAlerts.key,
  weather_zones: weatherZones.key,
}

/** The first invariant that parsing a body violates, with the row; null when none, or when a ParseError rejects the body. */
export function violatedInvariant(body: Uint8Array, context: ParseContext): string | null {
  const collector = collectorById(context.source.collector)
  let parsed: Parsed
  try {
    parsed = parseBody(collector, body, context)
  } catch (error) {
    return error instanceof ParseError ? null : `a crash: ${(error as Error).stack}`
  }
  let found: Set<number> | undefined
  const published = () => {
    found ??= publishedMinutes(decodeBody(body, context.content_type))
    return found
  }
  const keys = new Set<string>()
  for (const row of parsed.readings) {
    const violation = violationIn(collector.lands, row, published, Date.parse(context.fetched_at))
    if (violation !== null) return `${violation}: ${JSON.stringify(row)}`
    keys.add(
      JSON.stringify(
        KEYS[collector.lands].map((name) => (row as Partial<ParsedMetar & ParsedReading>)[name as keyof ParsedMetar]),
      ),
    )
  }
  // Repeated reports of a list become one row when they land; readings and delays must be unique here.
  if (keys.size < parsed.readings.length && !/^(metars|tafs)$/.test(collector.lands)) return 'two rows of one key'
  const invalid = parsed.notices.find((notice) => !NOTICE.safeParse(notice).success)
  return invalid === undefined ? null : `an invalid notice: ${JSON.stringify(invalid)}`
}
