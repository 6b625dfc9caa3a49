import type { z } from 'zod'
import { presentCode } from '../../config/airports/former-codes.ts'
import { ParseError } from '../../config/errors.ts'
import { groupBy } from '../../config/group-by.ts'
import type { Source } from '../../config/sources.ts'
import { CLOCK_AHEAD_MS } from '../../config/vocabulary.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { clockFault } from './clock-fault.ts'
import { type Clock, instantOfMs } from './clocks.ts'
import type { Collector, ParseContext, Parsed } from './collector.ts'
import { numberOf } from './flags-and-ages.ts'
import { readJson, readRows, rowsAt } from './json.ts'
import { NoticeReporter } from './notices.ts'
import { onlyAirport } from './requests.ts'

/** A time and an age in whole minutes, of one payload, differ by less than this. */
const AGE_ROUNDING_MS = 90_000

type Observation = Pick<ParsedReading, 'observed_at' | 'observed_at_basis'>

/** The payload of a source of waits while it is read: its text, its airport, its fetch time and its notices. */
export class WaitPayload {
  readonly body: string
  readonly source: Source
  readonly url: string
  readonly fetched_at: string
  /** Reports notices about the payload as a whole; `report.at(…)` leads to its parts. */
  readonly report: NoticeReporter
  private readonly context: ParseContext

  constructor(body: string, context: ParseContext, report?: NoticeReporter) {
    this.body = body
    this.context = context
    this.source = context.source
    this.url = context.url
    this.fetched_at = context.fetched_at
    this.report = report ?? new NoticeReporter('$', context.iata ?? onlyAirport(context.source), [])
  }

  /** The airport that the payload is about: the one of the request, otherwise the only one of the source. @throws ParseError */
  get iata(): string {
    if (this.report.iata !== null) return this.report.iata
    throw new ParseError('iata', 'the answer does not name its airport, so the request must')
  }

  /** The airport of the request; null when the request was not for one airport. */
  get requested_iata(): string | null {
    return this.context.iata
  }

  /** The IANA time zone of the airport. */
  get zone(): string {
    return this.context.timezoneOf(this.iata)
  }

  /** The IANA time zone of any airport; null for one that the directory does not know. */
  zoneOfAirport(iata: string): string | null {
    try {
      return this.context.timezoneOf(iata)
    } catch {
      return null
    }
  }

  /** Whether a code in the payload is that of another airport than the one it is about. */
  isOfAnother(code: string): boolean {
    const iata = presentCode(code)
    return iata !== this.iata && this.zoneOfAirport(iata) !== null
  }

  /** The same payload, read for one of several airports that it is about. */
  forAirport(iata: string): WaitPayload {
    return new WaitPayload(this.body, this.context, this.report.about(iata))
  }

  /**
   * A reading of a security queue with only its airport and fetch time. Collectors copy it and fill in what the source
   * publishes, so nothing is invented for a field that they leave out.
   */
  get unknownReading(): ParsedReading {
    return {
      kind: 'security',
      iata: this.iata,
      terminal: '',
      checkpoint: '',
      lane: 'all',
      observed_at: this.fetched_at,
      observed_at_basis: 'fetch',
      wait_minutes: null,
      wait_minutes_low: null,
      wait_minutes_high: null,
      wait_text: null,
      status: 'unknown',
    }
  }

  /** The observation time by the source's own clock. See `observedAt`. */
  observedAt(published: unknown, clock: Clock, report: NoticeReporter): Observation {
    return observedAt(clock(published, this.zone, this.fetched_at), published, this.fetched_at, report)
  }

  /**
   * The same observation, or an older one where the source says beside its figure how many minutes ago it was measured. An age that
   * cannot be read gets a notice. Ages are whole minutes, so the source's own time is kept where the two are that close.
   */
  notNewerThan(minutes_ago: unknown, observation: Observation, report: NoticeReporter): Observation {
    if (minutes_ago === undefined || minutes_ago === null || minutes_ago === '') return observation
    const minutes = numberOf(minutes_ago)
    if (minutes === null || minutes < 0) {
      report.warning('age_unreadable', 'The age of the figure cannot be read; the time beside it is used.', minutes_ago)
      return observation
    }
    const measured = Date.parse(this.fetched_at) - minutes * 60_000
    if (Date.parse(observation.observed_at) - measured <= AGE_ROUNDING_MS) return observation
    const observed_at = instantOfMs(measured)
    return observed_at === null ? observation : { observed_at, observed_at_basis: 'source' }
  }

  /** Reads a JSON payload that is a list of rows, or an object that holds the list at a path of keys. @throws ParseError */
  readJsonRows<Shape extends z.ZodType, Result>(
    keys: string[],
    shape: Shape,
    read: (row: z.output<Shape>, report: NoticeReporter) => Result | Result[] | null,
  ): Result[] {
    const report = keys.reduce((reporter, key) => reporter.at(key), this.report)
    return readRows(readJson(this.body, rowsAt(...keys)), report, shape, read)
  }
}

/**
 * The observation time of a row: the source's own time, or the fetch time where it has none. A time that is there but
 * cannot be read gets a notice, because the reading then looks fresher than it may be.
 */
export function observedAt(
  instant: string | null,
  published: unknown,
  fetched_at: string,
  report: NoticeReporter,
): Observation {
  if (instant !== null) return { observed_at: instant, observed_at_basis: 'source' }
  if (published !== null && published !== undefined && published !== '')
    report.warning('time_unreadable', 'The time cannot be read; the fetch time is used.', published)
  return { observed_at: fetched_at, observed_at_basis: 'fetch' }
}

type WaitCollectorParts = Omit<Collector<'readings'>, 'lands' | 'transport' | 'parse'> & {
  /** `http` unless the page needs a browser. */
  transport?: Collector['transport']
  read: (payload: WaitPayload) => ParsedReading[]
}

/** A collector of waits in queues: `read` turns a payload into readings, and the rules of every source are applied to them. */
export function waitCollector({ read, transport = 'http', ...parts }: WaitCollectorParts): Collector<'readings'> {
  return {
    ...parts,
    lands: 'readings',
    transport,
    parse: (body, context) => {
      const payload = new WaitPayload(body, context)
      return withReadingRules(read(payload), payload)
    },
  }
}

const queueKey = (row: ParsedReading) => JSON.stringify([row.kind, row.iata, row.terminal, row.checkpoint, row.lane])

/**
 * Applies the rules of the readings table. A closed queue has no wait: sources go on publishing the last one. The lower end of a
 * range is not above its upper end. A reading after the fetch is dropped: it is a forecast or a wrong clock. The first of
 * several rows for one queue and moment is used, with a notice if they disagree.
 */
function withReadingRules(rows: ParsedReading[], payload: WaitPayload): Parsed<'readings'> {
  const { fetched_at, report } = payload
  reportClockFaults(rows, payload)
  const readings = new Map<string, ParsedReading>()
  for (const row of withoutFutureRows(rows, fetched_at, report)) {
    const reading = row.status === 'closed' ? withoutWait(row) : withOrderedRange(row, report)
    const key = JSON.stringify([row.kind, row.iata, row.terminal, row.checkpoint, row.lane, row.observed_at])
    const first = readings.get(key)
    if (first === undefined) readings.set(key, reading)
    else if (JSON.stringify(first) !== JSON.stringify(reading))
      rowReporter(key, row, report).warning(
        'duplicate_row',
        'Two rows of one queue disagree; the first is used.',
        reading.wait_minutes,
      )
  }
  requireCredibleCount([...readings.values()])
  return { readings: [...readings.values()], notices: report.notices }
}

/** The largest airports of the sources have some thirty queues. */
const MAX_QUEUES = 300

/** Queues without end would fill the warehouse and every answer about the airport. @throws ParseError */
function requireCredibleCount(readings: ParsedReading[]): void {
  for (const [iata, rows] of groupBy(readings, (row) => row.iata)) {
    const { size } = new Set(rows.map(queueKey))
    if (size > MAX_QUEUES)
      throw new ParseError('$', `names ${size} queues of ${iata}; no airport has over ${MAX_QUEUES}`)
  }
}

/** Notices about finished rows name the queue instead of a path in the payload. */
function rowReporter(path: string, row: ParsedReading, report: NoticeReporter): NoticeReporter {
  return new NoticeReporter(path, row.iata, report.notices)
}

const isOfFuture = (observed_at: string, fetched_at: string) =>
  Date.parse(observed_at) > Date.parse(fetched_at) + CLOCK_AHEAD_MS

/** Reports, for each time zone, that all times of an answer are whole hours ahead: the rows are left out one by one as well. */
export function reportClockFaults(rows: ParsedReading[], payload: WaitPayload): void {
  if (!rows.some(({ observed_at }) => isOfFuture(observed_at, payload.fetched_at))) return
  for (const [zone, zoneRows] of groupBy(rows, ({ iata }) => payload.zoneOfAirport(iata) ?? iata)) {
    const fault = clockFault(zoneRows, payload.fetched_at)
    if (fault === null) continue
    const { step_hours, ahead_minutes } = fault
    const airports = new Set(zoneRows.map(({ iata }) => iata))
    const [iata = null] = airports.size === 1 ? airports : []
    payload.report
      .about(iata)
      .warning(
        'source_clock_ahead',
        `The clock of the source is ${step_hours} h ahead in ${zone}: every time is after the fetch, the newest by ${ahead_minutes} min. Its time zone rules or ours are wrong; its rows are left out.`,
        `${step_hours} h ahead in ${zone}`,
      )
  }
}

function withoutFutureRows(rows: ParsedReading[], fetched_at: string, report: NoticeReporter): ParsedReading[] {
  return rows.filter((row) => {
    if (!isOfFuture(row.observed_at, fetched_at)) return true
    const message = 'The observation time is after the fetch; the row is left out.'
    rowReporter(queueKey(row), row, report).warning('observed_in_future', message, row.observed_at)
    return false
  })
}

function withoutWait(row: ParsedReading): ParsedReading {
  return { ...row, wait_minutes: null, wait_minutes_low: null, wait_minutes_high: null }
}

function withOrderedRange(row: ParsedReading, report: NoticeReporter): ParsedReading {
  const { wait_minutes_low: low, wait_minutes_high: high } = row
  if (low === null || high === null || low <= high) return row
  const message = 'The lower end of the range is above its upper end; neither is used.'
  rowReporter(row.checkpoint, row, report).warning('band_reversed', message, `${low}-${high}`)
  return { ...row, wait_minutes_low: null, wait_minutes_high: null }
}

/** A feed that still serves a row after a day has forgotten to remove it (MIA: sixteen months; seen 2026-04). */
const MAX_ROW_AGE_MS = 24 * 3_600_000

/** The newest row of each queue that is neither of the future nor over a day old; each row left out gets a notice. */
export function newestRows(rows: ParsedReading[], fetched_at: string, report: NoticeReporter): ParsedReading[] {
  const newest = new Map<string, ParsedReading>()
  for (const row of withoutFutureRows(rows, fetched_at, report)) {
    const queue = JSON.stringify([row.kind, row.terminal, row.checkpoint, row.lane])
    const queueReport = rowReporter(queue, row, report)
    if (Date.parse(fetched_at) - Date.parse(row.observed_at) > MAX_ROW_AGE_MS) {
      queueReport.info('row_too_old', 'The row is over a day old; it is left out.', row.observed_at)
      continue
    }
    const other = newest.get(queue)
    if (other === undefined) {
      newest.set(queue, row)
      continue
    }
    const rowIsNewer = row.observed_at > other.observed_at
    newest.set(queue, rowIsNewer ? row : other)
    const older = rowIsNewer ? other : row
    queueReport.info('row_superseded', 'The queue has a newer row; the older is left out.', older.observed_at)
  }
  return [...newest.values()]
}
