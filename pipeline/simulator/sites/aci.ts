import { DateTime } from 'luxon'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { keyOf } from '../model/noise.ts'
import { secondsAround, sometimes } from './published-waits.ts'
import { type Emission, emissions, json, minuteOf, type Post, postsOf, type Site, type Stage } from './site.ts'

interface Member {
  path: string
  source: string
  keySent: (asked: { headers: Record<string, unknown>; query: URLSearchParams }) => unknown
}
const MEMBERS: Record<string, Member> = {
  'waittime.api.aero': {
    path: '/waittime/v2/current/MIA',
    source: 'sita-mia',
    keySent: ({ headers }) => headers['x-apikey'],
  },
  'api.phx.aero': { path: '/avn-wait-times/raw', source: 'aci-phx', keySent: ({ query }) => query.get('Key') },
}

/** What a row says: seconds, and minutes for the two ends. */
interface Said {
  seconds: number | null
  low: number | null
  high: number | null
}

/** MIA and PHX: the ACI shape, waits in seconds beside bounds in minutes; PHX says that it failed, and names no status. */
export const aci: Site = {
  hosts: Object.keys(MEMBERS),
  answer: (request, stage) => {
    const { host, path, method } = request
    const member = MEMBERS[host]
    if (!member || path !== member.path) return null
    if (method === 'OPTIONS') return { status: 204, type: 'text/plain', body: '' }
    if (member.keySent(request) !== stage.keysOf(host).key) return json({ message: 'Forbidden' }, 403)
    const at = minuteOf(stage.now)
    const miami = host === 'waittime.api.aero'
    const rows: object[] = miami ? [row('MIA', '3 TSA-Pre', { seconds: 10_680, low: 150, high: 190 }, LEFT_BEHIND)] : []
    const emits: Emission[] = []
    for (const post of postsOf(member.source, stage)) {
      const { queue, posting } = post
      // Phoenix has no word for closed: the row is not there.
      if (!miami && posting.says === 'closed') continue
      const said = saidOf(post, at, miami && sometimes(stage, `spike ${queue.id}`, 0.001))
      const status = miami ? (posting.says === 'closed' ? 'Closed' : 'Open') : undefined
      if (miami && sometimes(stage, `older ${queue.id}`, 0.05)) rows.push(...olderRow(post, stage, at - 50 * 60_000))
      rows.push(row(queue.iata, queue.words.name!, said, at, status))
      emits.push(...emissions([post], at, () => waitOf(said)))
    }
    return { ...json({ success: miami, current: rows }), emits }
  },
}

/** Rows of queues that are no more were still served sixteen months later. */
const LEFT_BEHIND = Date.parse('2024-12-16T20:15:00Z')

function saidOf({ queue, posting }: Post, at: number, spike: boolean): Said {
  if (posting.says === 'silent') return { seconds: null, low: null, high: null }
  // A closed queue goes on showing what it had.
  const minutes = posting.minutes ?? 9
  const spread = Math.max(2, Math.round(minutes / 5))
  const seconds = spike ? 10_680 : secondsAround(queue.id, minutes, at)
  return { seconds, low: Math.max(0, minutes - spread), high: minutes + spread }
}

const waitOf = ({ seconds, low, high }: Said) => ({
  wait_minutes: seconds === null ? null : seconds / 60,
  wait_minutes_low: low,
  wait_minutes_high: high,
})

/** What the queue had to say fifty minutes ago, still in the list. */
function olderRow(post: Post, { world }: Pick<Stage, 'world'>, at: number): object[] {
  const posting = world.postedAt(post.queue.id, at)
  if (posting.says !== 'minutes') return []
  return [row(post.queue.iata, post.queue.words.name!, saidOf({ ...post, posting }, at, false), at, 'Open')]
}

function row(iata: string, queueName: string, { seconds, low, high }: Said, at: number, status?: string): object {
  const local = DateTime.fromMillis(at, { zone: airportDirectory().byIata.get(iata)!.timezone })
  return {
    airportCode: iata,
    queueId: keyOf(`${iata} ${queueName}`).toString(16),
    queueName,
    projectedWaitTime: seconds,
    projectedMinWaitMinutes: low,
    projectedMaxWaitMinutes: high,
    ...(status === undefined ? {} : { status }),
    localTime: local.toFormat("yyyy-MM-dd'T'HH:mm:ss.SSS"),
    time: new Date(at).toISOString(),
  }
}
