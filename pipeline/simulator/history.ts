import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { DateTime } from 'luxon'
import { airportDirectory } from '../../config/airports/directory.ts'
import { zoneOf } from '../../config/time-zones/local-time.ts'
import { DAY_MS, HOUR_MS, isoUtc } from '../../config/vocabulary.ts'
import { HALLS, type Hall, PASSPORT_QUEUES_WITH_HISTORY, QUEUES_WITH_HISTORY, type Queue } from './catalogue/index.ts'
import type { HallHour } from './model/passport-halls.ts'
import { createQueueModel, type PublishedState } from './model/queues.ts'
import { CBP_LAG_MS, hallHours } from './sites/cbp.ts'
import { canadianWait } from './sites/posted-waits.ts'

export interface HistoryOptions {
  seed: number
  /** Epoch milliseconds; the end is not included. */
  from: number
  to: number
  kind: 'security' | 'immigration'
  /** Minutes between two readings of a security queue (default 20). Immigration is hourly. */
  step_minutes?: number
  gzip?: boolean
  /** Called now and then with the share that is done, 0 to 1. */
  onProgress?: (done: number) => void
}

const SECURITY_HEADER = 'airport,terminal,checkpoint,lane,observed_at,wait_minutes,wait_low,wait_high,status\n'
const IMMIGRATION_HEADER =
  'airport,terminal,checkpoint,lane,observed_at,wait_minutes,max_wait_minutes,passengers,flights,booths,observed_local\n'
const CHUNK_LENGTH = 64_000

/**
 * Writes what the live sites published over a span of time as CSV for `holdshort import`, and ends the stream. Places and lanes have
 * the names that the collectors give them. Returns the number of rows.
 */
export async function exportHistory(options: HistoryOptions, output: Writable): Promise<number> {
  if (options.gzip) {
    const gzip = createGzip({ level: 1 })
    const [rows] = await Promise.all([exportHistory({ ...options, gzip: false }, gzip), pipeline(gzip, output)])
    return rows
  }
  let rows = 0
  const chunks = options.kind === 'security' ? securityChunks(options) : immigrationChunks(options)
  for (const { text, lines, done } of chunks) {
    rows += lines
    if (!output.write(text)) await once(output, 'drain')
    options.onProgress?.(done)
  }
  output.end()
  return rows
}

/** CSV text with its number of data lines, and the share of the export that is done after it. */
interface Chunk {
  text: string
  lines: number
  done: number
}

function* securityChunks({ seed, from, to, step_minutes = 20 }: HistoryOptions): Generator<Chunk> {
  const model = createQueueModel(seed)
  const step = step_minutes * 60_000
  const queues = QUEUES_WITH_HISTORY.map((queue) => ({ queue, place: placeColumns(queue) }))
  let chunk: Chunk = { text: SECURITY_HEADER, lines: 0, done: 0 }
  for (let instant = Math.ceil(from / step) * step; instant < to; instant += step) {
    const time = isoUtc(instant)
    for (const { queue, place } of queues) {
      const wait = waitColumns(queue, model.publishedAt(queue.id, instant))
      if (wait === null) continue
      chunk.text += `${place}${time},${wait}\n`
      chunk.lines += 1
    }
    if (chunk.text.length > CHUNK_LENGTH) {
      yield { ...chunk, done: (instant - from) / (to - from) }
      chunk = { text: '', lines: 0, done: 0 }
    }
  }
  yield { ...chunk, done: 1 }
}

/** `JFK,4,Main ChekPoint,standard,` */
function placeColumns({ iata, terminal, checkpoint, lane }: Queue): string {
  return `${[iata, terminal, checkpoint, lane].map(quoted).join(',')},`
}

const quoted = (value: string) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)

/** Canada publishes bands, Jacksonville "less than a min". A queue without a published reading has no row (null). */
function waitColumns({ iata }: Queue, published: PublishedState): string | null {
  if (published.state === 'closed') return ',,,closed'
  if (published.state !== 'open') return null
  if (iata === 'JAX' && published.minutes === 0) return ',0,1,open'
  if (!iata.startsWith('Y')) return `${published.minutes},,,open`
  const { wait_minutes_low, wait_minutes_high } = canadianWait(published.minutes)
  return `,${wait_minutes_low},${wait_minutes_high ?? ''},open`
}

/** CBP publishes late: hours that were not yet published at the end of the span are excluded. */
function* immigrationChunks({ seed, from, to }: HistoryOptions): Generator<Chunk> {
  yield { text: IMMIGRATION_HEADER, lines: 0, done: 0 }
  for (const [index, hall] of HALLS.entries()) {
    const hours = hallHours(seed, hall, Math.floor(from / DAY_MS) - 1, Math.ceil(to / DAY_MS), to - CBP_LAG_MS)
    const lines = hours.filter((hour) => hour.start >= from).map((hour) => hallLine(hall, hour))
    yield { text: lines.join(''), lines: lines.length, done: (index + 1) / (HALLS.length + 1) }
  }
  const lines = passportLines(seed, from, to)
  yield { text: lines.join(''), lines: lines.length, done: 1 }
}

function hallLine(hall: Hall, hour: HallHour): string {
  const { usa, other } = hour
  const zone = airportDirectory().byIata.get(hall.iata)!.timezone
  const local = DateTime.fromMillis(hour.start, { zone: zoneOf(zone) }).toFormat("yyyy-MM-dd'T'HH:mm")
  const figures = [
    hour.average,
    Math.max(usa.longest, other.longest),
    usa.passengers + other.passengers,
    hour.flights,
    hour.booths,
  ]
  return `${[hall.iata, hall.terminal_name, hall.site_id, 'all', isoUtc(hour.start), ...figures, local].join(',')}\n`
}

/** The values that the live passport feeds published at the beginning of each hour; they are not late and count no passengers. */
function passportLines(seed: number, from: number, to: number): string[] {
  const model = createQueueModel(seed)
  const first = Math.ceil(from / HOUR_MS) * HOUR_MS
  const hours = Array.from({ length: Math.ceil((to - first) / HOUR_MS) }, (_, index) => first + index * HOUR_MS)
  return PASSPORT_QUEUES_WITH_HISTORY.flatMap((queue) => {
    const place = placeColumns(queue)
    return hours.flatMap((hour) => {
      const published = model.publishedAt(queue.id, hour)
      return published.state === 'open' ? [`${place}${isoUtc(hour)},${published.minutes},,,,,\n`] : []
    })
  })
}
