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

const STAMPED = { source: true, fetched_at: true, available_at: true, capture_id: true } as const
/** Rows as a parser returns them: those of the tables without what `collect` stamps. */
const ROWS: Record<LandingTable, z.ZodType> = {
  readings: readings.row.omit({ ...STAMPED, flags: true }),
  delays: delays.row.omit(STAMPED),
  metars: metars.row.omit(STAMPED),
  tafs: tafs.row.omit(STAMPED),
  places: places.row.omit(STAMPED),
}
const NOTICE = notices.row.omit({ source: true, noticed_at: true, capture_id: true })

const MINUTE = 60_000
/** How far ahead of the fetch a row may lie: clocks differ, and stations write the coming half hour on a report. */
const AHEAD: Record<LandingTable, number> = {
  readings: 2 * MINUTE,
  delays: 2 * MINUTE,
  metars: 60 * MINUTE,
  tafs: 60 * MINUTE,
  places: 0,
}

/** The minutes that a body gives evidence of: its numbers, as minutes, as seconds, as both, or as the digits of a display. */
export function evidenceIn(text: string): Set<number> {
  const found = new Set<number>()
  for (const words of [text, text.replace(/<[^>]*>/g, '')]) {
    const spoken = /minutes?\W+(?:and )?\d+ ?seconds?/i.test(words)
    const tokens = words.match(/\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi) ?? []
    for (const [at, token] of tokens.entries()) {
      const number = Number(token)
      found.add(number).add(number / 60)
      const next = tokens[at + 1]
      if (spoken && next !== undefined) found.add(number + Number(next) / 60)
      if (words.includes('.val(')) for (const other of tokens) found.add(Number(token + other))
    }
    if (/less than|under|up to|&lt;|<\s*\d|<=/i.test(words)) found.add(0)
    if (/(less than|under|up to|&lt;|<)\s*(an?|one)\b/i.test(words)) found.add(1)
    if (/no wait/i.test(words)) found.add(0)
  }
  return found
}

export const minutesOf = (row: ParsedReading) =>
  [row.wait_minutes, row.wait_minutes_low, row.wait_minutes_high].filter((wait) => wait !== null)

/** What is against the laws in a reading, or null. */
function unlawfulReading(row: ParsedReading, evidence: () => Set<number>): string | null {
  const minutes = minutesOf(row)
  if (minutes.some((wait) => !(wait >= 0 && wait <= 600))) return 'a wait outside 0 to 600 minutes'
  if (row.status === 'closed' && minutes.length > 0) return 'a closed queue with a wait'
  const { wait_minutes_low: low, wait_minutes_high: high } = row
  if (low !== null && high !== null && low > high) return 'a band whose lower end is above its upper'
  const invented = minutes.find((wait) => !evidence().has(wait))
  return invented === undefined ? null : `${invented} minutes without evidence`
}

/** Of the row of any table: what is against the laws, or null. */
function unlawful(lands: LandingTable, row: Parsed['readings'][number], evidence: () => Set<number>, now: number) {
  const misfit = ROWS[lands].safeParse(row).error
  if (misfit !== undefined) return `a row that does not fit its table: ${misfit.message}`
  if ('osm_id' in row) return null
  const at = 'observed_at' in row ? row.observed_at : row.issued_at
  if (Date.parse(at) > now + AHEAD[lands]) return `a row of the future (${at})`
  if (lands === 'readings') return unlawfulReading(row as ParsedReading, evidence)
  if (lands !== 'delays') return null
  const { average_minutes, min_minutes, max_minutes } = row as Parsed<'delays'>['readings'][number]
  const beyond = [average_minutes, min_minutes, max_minutes].some(
    (wait) => wait !== null && !(wait >= 0 && wait <= 1_440),
  )
  return beyond ? 'a delay outside 0 to 1,440 minutes' : null
}

const KEYS: Record<LandingTable, readonly string[]> = {
  readings: readings.key,
  delays: delays.key,
  metars: metars.key,
  tafs: tafs.key,
  places: places.key,
}

/** The first law that reading a body breaks, with the row; null when it holds them all or is refused by a ParseError. */
export function brokenLaw(body: Uint8Array, context: ParseContext): string | null {
  const collector = collectorById(context.source.collector)
  let parsed: Parsed
  try {
    parsed = parseBody(collector, body, context)
  } catch (error) {
    return error instanceof ParseError ? null : `a crash: ${(error as Error).stack}`
  }
  let found: Set<number> | undefined
  const evidence = () => {
    found ??= evidenceIn(decodeBody(body, context.content_type))
    return found
  }
  const keys = new Set<string>()
  for (const row of parsed.readings) {
    const law = unlawful(collector.lands, row, evidence, Date.parse(context.fetched_at))
    if (law !== null) return `${law}: ${JSON.stringify(row)}`
    keys.add(
      JSON.stringify(
        KEYS[collector.lands].map((name) => (row as Partial<ParsedMetar & ParsedReading>)[name as keyof ParsedMetar]),
      ),
    )
  }
  // Reports that a list repeats are one row once they land; readings and programs are told apart here.
  if (keys.size < parsed.readings.length && !/^(metars|tafs)$/.test(collector.lands)) return 'two rows of one key'
  const misfit = parsed.notices.find((each) => !NOTICE.safeParse(each).success)
  return misfit === undefined ? null : `a notice that does not fit: ${JSON.stringify(misfit)}`
}
