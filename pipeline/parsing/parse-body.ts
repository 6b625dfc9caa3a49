import { createContext, Script } from 'node:vm'
import { airportDirectory } from '../../config/airports/directory.ts'
import { presentCode } from '../../config/airports/former-codes.ts'
import { resolveCode } from '../../config/airports/resolve-code.ts'
import { ParseError } from '../../config/errors.ts'
import type { Source } from '../../config/sources.ts'
import {
  comparisonsInWords,
  landedText,
  MAX_NAME_CHARACTERS,
  MAX_TEXT_CHARACTERS,
  withLandedTexts,
} from '../../config/untrusted-text.ts'
import { type Notice, notice } from '../../warehouse/tables/notices.ts'
import type { Collector, LandingTable, ParseContext, Parsed } from './collector.ts'
import { decodeBody } from './decode-body.ts'

const context = createContext({ work: null }) as { work: (() => unknown) | null }
const script = new Script('work()')

/**
 * Runs synchronous work and ends it when it takes longer than `limitMs`: also within a regular expression, which a timer
 * cannot interrupt. The work must be pure, because it may stop anywhere.
 * @throws the error of `tooLong`, and those of the work
 */
export function withinTime<T>(limitMs: number, work: () => T, tooLong: () => Error): T {
  const outer = context.work
  context.work = work
  try {
    return script.runInContext(context, { timeout: limitMs }) as T
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw tooLong()
    throw error
  } finally {
    context.work = outer
  }
}

/** The facts about a capture that a parser may use besides its body. */
export function parseContext(
  source: Source,
  capture: { iata: string | null; url: string; content_type: string | null; fetched_at: string },
): ParseContext {
  const directory = airportDirectory()
  return {
    source,
    // An older capture was requested under the code that its airport had then.
    iata: capture.iata && presentCode(capture.iata),
    url: capture.url,
    content_type: capture.content_type,
    fetched_at: capture.fetched_at,
    timezoneOf: (iata) => {
      const airport = directory.byIata.get(presentCode(iata))
      if (!airport) throw new Error(`${iata} is not in the airport directory`)
      return airport.timezone
    },
    iataOf: (id) => {
      const present = directory.byFaaId.get(id) ?? directory.byIcao.get(id)
      return (present ?? resolveCode(id, directory)?.airport)?.iata ?? null
    },
  }
}

/** Longer texts of a row than names; a whole report of the weather is one. */
const LONG_COLUMNS = new Set(['raw', 'reason', 'scope', 'text', 'wait_text', 'opening_hours', 'headline', 'area'])
const MAX_CLEANED_NOTICES = 20

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

/** The parsed rows with every text bounded and plain, and a notice for each text that was not; notices are cleaned too. */
function withCleanRows<T extends LandingTable>(parsed: Parsed<T>, { iata }: ParseContext): Parsed<T> {
  const notices: Notice[] = []
  const readings = parsed.readings.map((row, index) => {
    const columns = Object.entries(row).map(([column, value]): [string, unknown] => {
      if (typeof value !== 'string') return [column, value]
      if (column === 'iata') return [column, presentCode(value)]
      const cleaned = landedText(value, LONG_COLUMNS.has(column) ? MAX_TEXT_CHARACTERS : MAX_NAME_CHARACTERS)
      const hasLost = cleaned !== value && cleaned !== oneLine(comparisonsInWords(value))
      if (hasLost && notices.length < MAX_CLEANED_NOTICES)
        notices.push(notice('text_cleaned', 'warning', `[${index}].${column}`, CLEANED, cleaned, iata))
      return [column, cleaned]
    })
    return columns.some(([column, value]) => value !== row[column as keyof typeof row])
      ? (Object.fromEntries(columns) as typeof row)
      : row
  })
  return { ...parsed, readings, notices: [...withLandedTexts(parsed.notices, MAX_NAME_CHARACTERS * 4), ...notices] }
}

const CLEANED =
  'The text had control or invisible characters, markup of links or elements, or was too long; it is stored without them, and cut.'

/** Rows of one answer that land: the largest has some ten thousand. */
const MAX_ROWS = 50_000

/** Notices of one capture that land. A feed that changed would otherwise add thousands with every answer. */
const MAX_NOTICES = 500

/** The first notices, and one that says how many there were. */
function withBoundedNotices<T extends LandingTable>(parsed: Parsed<T>, { iata }: ParseContext): Parsed<T> {
  const count = parsed.notices.length
  if (count <= MAX_NOTICES) return parsed
  const message = `The payload gave more notices than are kept; the first ${MAX_NOTICES} are.`
  const notices = [...parsed.notices.slice(0, MAX_NOTICES), notice('notices_cut', 'warning', '$', message, count, iata)]
  return { ...parsed, notices }
}

/**
 * The slowest real payload takes a tenth of a second. A hostile one of 5 MB could take minutes, in which no other source is
 * requested and other processes take this one for frozen.
 */
const MAX_PARSE_MS = 3_000

/** Whether a body is empty, or nothing but white space and NUL bytes. */
const isBlank = (body: Uint8Array) => body.every((byte) => byte === 0 || byte === 32 || (byte >= 9 && byte <= 13))

/**
 * Decodes a body and parses it by its collector.
 * @throws ParseError, also for a body that is nested too deeply for the call stack or takes too long
 */
export function parseBody<T extends LandingTable>(
  collector: Collector<T>,
  body: Uint8Array,
  context: ParseContext,
): Parsed<T> {
  try {
    return withinTime(
      MAX_PARSE_MS,
      () => {
        const parsed = collector.parse(decodeBody(body, context.content_type), context)
        if (parsed.readings.length > MAX_ROWS)
          throw new ParseError('$', `gives ${parsed.readings.length} rows; over ${MAX_ROWS} do not land`)
        return withCleanRows(withBoundedNotices(parsed, context), context)
      },
      () => new ParseError('$', `takes over ${MAX_PARSE_MS / 1_000} s to parse; its ${body.length} bytes are kept`),
    )
  } catch (cause) {
    if (cause instanceof ParseError && isBlank(body)) throw new ParseError('$', 'the answer has no content', { cause })
    if (!(cause instanceof RangeError && cause.message.includes('call stack'))) throw cause
    throw new ParseError('$', 'is nested too deeply to be parsed', { cause })
  }
}
