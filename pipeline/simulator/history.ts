import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { DateTime } from 'luxon'
import { airportDirectory } from '../../config/airports/directory.ts'
import { DAY_MS, HOUR_MS, isoUtc } from '../../config/domain.ts'
import { bandOf } from './bands.ts'
import { PASSPORT_QUEUES_WITH_HISTORY, QUEUES_WITH_HISTORY } from './catalogue/index.ts'
import { HALLS } from './catalogue/passport-halls.ts'
import type { Queue } from './catalogue/queue.ts'
import { createWorld, type Posting } from './model/queues.ts'
import { CBP_LAG_MS, hallHours } from './sites/cbp.ts'

export interface HistoryOptions {
  seed: number
  /** Epoch milliseconds; the end is not included. */
  from: number
  to: number
  kind: 'security' | 'immigration'
  /** Minutes between two readings of a security queue (default 20). Immigration is hourly. */
  step_minutes?: number
  /** Compress what is written. */
  gzip?: boolean
  /** Called now and then with the share that is done, 0 to 1. */
  onProgress?: (done: number) => void
}

const SECURITY_HEADER = 'airport,terminal,checkpoint,lane,observed_at,wait_minutes,wait_low,wait_high,status\n'
const IMMIGRATION_HEADER =
  'airport,terminal,checkpoint,lane,observed_at,wait_minutes,max_wait_minutes,passengers,flights,booths,observed_local\n'
const CHUNK = 64_000

/**
 * Writes what the live sites would have said over a span as CSV for `holdshort import`, and ends the stream. The
 * names of places and lanes are those that a reader of the live pages gives. Returns the number of rows.
 */
export async function exportHistory(options: HistoryOptions, write: Writable): Promise<number> {
  if (options.gzip) {
    const gzip = createGzip({ level: 1 })
    const [rows] = await Promise.all([exportHistory({ ...options, gzip: false }, gzip), pipeline(gzip, write)])
    return rows
  }
  let rows = 0
  for (const { text, lines, done } of options.kind === 'security' ? security(options) : immigration(options)) {
    rows += lines
    if (!write.write(text)) await once(write, 'drain')
    options.onProgress?.(done)
  }
  write.end()
  return rows
}

interface Chunk {
  text: string
  lines: number
  done: number
}

function* security({ seed, from, to, step_minutes = 20 }: HistoryOptions): Generator<Chunk> {
  const world = createWorld(seed)
  const step = step_minutes * 60_000
  const queues = QUEUES_WITH_HISTORY.map((queue) => ({ queue, start: placeOf(queue) }))
  let chunk: Chunk = { text: SECURITY_HEADER, lines: 0, done: 0 }
  for (let at = Math.ceil(from / step) * step; at < to; at += step) {
    const time = isoUtc(at)
    for (const { queue, start } of queues) {
      const said = wordsOf(queue, world.postedAt(queue.id, at))
      if (said === null) continue
      chunk.text += `${start}${time},${said}\n`
      chunk.lines += 1
    }
    if (chunk.text.length > CHUNK) {
      yield { ...chunk, done: (at - from) / (to - from) }
      chunk = { text: '', lines: 0, done: 0 }
    }
  }
  yield { ...chunk, done: 1 }
}

/** `JFK,4,Main ChekPoint,standard,` */
function placeOf({ iata, terminal, checkpoint, lane }: Queue): string {
  return `${[iata, terminal, checkpoint, lane].map(quoted).join(',')},`
}

const quoted = (value: string) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)

/** Canada publishes bands, Jacksonville "less than a min". A queue of which its site said nothing has no row. */
function wordsOf({ iata }: Queue, posting: Posting): string | null {
  if (posting.says === 'closed') return ',,,closed'
  if (posting.says !== 'minutes') return null
  if (iata === 'JAX' && posting.minutes === 0) return ',0,1,open'
  if (!iata.startsWith('Y')) return `${posting.minutes},,,open`
  const { low, high } = bandOf(posting.minutes)
  return `,${low},${high ?? ''},open`
}

/** CBP's figures lag: hours that were not out yet at the end of the span are left out. */
function* immigration({ seed, from, to }: HistoryOptions): Generator<Chunk> {
  yield { text: IMMIGRATION_HEADER, lines: 0, done: 0 }
  for (const [place, hall] of HALLS.entries()) {
    const zone = airportDirectory().byIata.get(hall.iata)!.timezone
    const hours = hallHours(seed, hall, Math.floor(from / DAY_MS) - 1, Math.ceil(to / DAY_MS), to - CBP_LAG_MS)
    const lines = hours
      .filter((hour) => hour.start >= from)
      .map((hour) => {
        const { usa, other } = hour
        const local = DateTime.fromMillis(hour.start, { zone }).toFormat("yyyy-MM-dd'T'HH:mm")
        const figures = [
          hour.average,
          Math.max(usa.longest, other.longest),
          usa.passengers + other.passengers,
          hour.flights,
          hour.booths,
        ]
        return `${[hall.iata, hall.terminal_name, hall.site_id, 'all', isoUtc(hour.start), ...figures, local].join(',')}\n`
      })
    yield { text: lines.join(''), lines: lines.length, done: (place + 1) / (HALLS.length + 1) }
  }
  const lines = passportHours(seed, from, to)
  yield { text: lines.join(''), lines: lines.length, done: 1 }
}

/** What the live passport feeds posted as each hour began; they do not lag, and count no passengers. */
function passportHours(seed: number, from: number, to: number): string[] {
  const world = createWorld(seed)
  const first = Math.ceil(from / HOUR_MS) * HOUR_MS
  const hours = Array.from({ length: Math.ceil((to - first) / HOUR_MS) }, (_, at) => first + at * HOUR_MS)
  return PASSPORT_QUEUES_WITH_HISTORY.flatMap((queue) => {
    const start = placeOf(queue)
    return hours.flatMap((at) => {
      const posting = world.postedAt(queue.id, at)
      return posting.says === 'minutes' ? [`${start}${isoUtc(at)},${posting.minutes},,,,,\n`] : []
    })
  })
}
