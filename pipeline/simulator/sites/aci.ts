import { DateTime } from 'luxon'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { zoneOf } from '../../../config/time-zones/local-time.ts'
import { hashOf } from '../model/noise.ts'
import { secondsAround, sometimes } from './published-waits.ts'
import {
  type ExpectedReading,
  expectedReadings,
  json,
  minuteOf,
  type Posting,
  postingsOf,
  type Site,
  type SiteContext,
} from './site.ts'

interface Member {
  path: string
  source: string
  keySent: (request: { headers: Record<string, unknown>; query: URLSearchParams }) => unknown
}
const MEMBERS: Record<string, Member> = {
  'waittime.api.aero': {
    path: '/waittime/v2/current/MIA',
    source: 'sita-mia',
    keySent: ({ headers }) => headers['x-apikey'],
  },
  'api.phx.aero': { path: '/avn-wait-times/raw', source: 'aci-phx', keySent: ({ query }) => query.get('Key') },
}

/** The numbers of a row: seconds, and minutes for the two ends of a range. */
interface RowWait {
  seconds: number | null
  low: number | null
  high: number | null
}

/** MIA and PHX, in ACI's format: waits in seconds and ranges in minutes. PHX answers `success: false` and has no status. */
export const aci: Site = {
  hosts: Object.keys(MEMBERS),
  answer: (request, context) => {
    const { host, path, method } = request
    const member = MEMBERS[host]
    if (!member || path !== member.path) return null
    if (method === 'OPTIONS') return { status: 204, type: 'text/plain', body: '' }
    if (member.keySent(request) !== context.keysOf(host).key) return json({ message: 'Forbidden' }, 403)
    const at = minuteOf(context.now)
    const miami = host === 'waittime.api.aero'
    const rows: object[] = miami
      ? [row('MIA', '3 TSA-Pre', { seconds: 10_680, low: 150, high: 190 }, LEFTOVER_ROW_MS)]
      : []
    const expected: ExpectedReading[] = []
    for (const posting of postingsOf(member.source, context)) {
      const { queue, published } = posting
      // Phoenix has no value for closed: the row is missing.
      if (!miami && published.state === 'closed') continue
      const wait = waitOfRow(posting, at, miami && sometimes(context, `spike ${queue.id}`, 0.001))
      const status = miami ? (published.state === 'closed' ? 'Closed' : 'Open') : undefined
      if (miami && sometimes(context, `older ${queue.id}`, 0.05))
        rows.push(...olderRow(posting, context, at - 50 * 60_000))
      rows.push(row(queue.iata, queue.fields.name!, wait, at, status))
      expected.push(...expectedReadings([posting], at, () => waitOf(wait)))
    }
    return { ...json({ success: miami, current: rows }), expected }
  },
}

/** Rows of removed queues were still served sixteen months later. */
const LEFTOVER_ROW_MS = Date.parse('2024-12-16T20:15:00Z')

function waitOfRow({ queue, published }: Posting, at: number, spike: boolean): RowWait {
  if (published.state === 'unknown') return { seconds: null, low: null, high: null }
  // A closed queue still shows its last number.
  const minutes = published.minutes ?? 9
  const spread = Math.max(2, Math.round(minutes / 5))
  const seconds = spike ? 10_680 : secondsAround(queue.id, minutes, at)
  return { seconds, low: Math.max(0, minutes - spread), high: minutes + spread }
}

const waitOf = ({ seconds, low, high }: RowWait) => ({
  wait_minutes: seconds === null ? null : seconds / 60,
  wait_minutes_low: low,
  wait_minutes_high: high,
})

/** The row of fifty minutes ago, which is sometimes still in the list. */
function olderRow(posting: Posting, { queues }: Pick<SiteContext, 'queues'>, at: number): object[] {
  const published = queues.publishedAt(posting.queue.id, at)
  if (published.state !== 'open') return []
  return [
    row(posting.queue.iata, posting.queue.fields.name!, waitOfRow({ ...posting, published }, at, false), at, 'Open'),
  ]
}

function row(iata: string, queueName: string, { seconds, low, high }: RowWait, at: number, status?: string): object {
  const local = DateTime.fromMillis(at, { zone: zoneOf(airportDirectory().byIata.get(iata)!.timezone) })
  return {
    airportCode: iata,
    queueId: hashOf(`${iata} ${queueName}`).toString(16),
    queueName,
    projectedWaitTime: seconds,
    projectedMinWaitMinutes: low,
    projectedMaxWaitMinutes: high,
    ...(status === undefined ? {} : { status }),
    localTime: local.toFormat("yyyy-MM-dd'T'HH:mm:ss.SSS"),
    time: new Date(at).toISOString(),
  }
}
