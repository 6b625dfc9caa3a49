import { AENA_AIRPORTS } from '../catalogue/europe.ts'
import { hashOf } from '../model/noise.ts'
import { closedAsUnknown, secondsOf, sometimes, withSeconds } from './published-waits.ts'
import {
  expectedReadings,
  json,
  minuteOf,
  type Posting,
  postingsOf,
  type Site,
  type SiteContext,
  text,
} from './site.ts'

const HOLDS_MS = 10 * 60_000
const FORGOTTEN_MS = 8 * 3_600_000

/**
 * AENA's airports by ICAO code, asked only from its own page: seconds by access control until they expire. A 0 is "not
 * known", and beside it stands a default that is no measurement.
 */
export const geographica: Site = {
  hosts: ['aena-indoor-read-api.geographica.com'],
  answer: ({ path, headers }, context) => {
    const airport = AENA_AIRPORTS[path.match(/^\/api\/v1\/airports\/([A-Z]{4})\/accesscontrols$/)?.[1] ?? '']
    if (airport === undefined) return null
    const page = 'https://www.aena.es'
    if (headers.origin !== page || !headers.referer?.startsWith(page)) return text('Forbidden', 403)
    const postings = withSeconds(closedAsUnknown(postingsOf('aena-indoor', context, airport.iata)), context)
    const known = postings.filter(
      (posting) => secondsOf(posting) !== 0 && expiryOf(posting, context) >= context.requested_at,
    )
    return {
      ...json(postings.map((posting, at) => row(posting, at, context))),
      expected: expectedReadings(known, null),
    }
  },
}

/** A number holds for ten minutes; some were last renewed hours ago. */
function expiryOf({ queue }: Posting, context: SiteContext): number {
  const forgotten = sometimes(context, `${queue.id} forgotten`, 0.01, 3 * HOLDS_MS)
  return minuteOf(context.now) + HOLDS_MS - (forgotten ? FORGOTTEN_MS : 0)
}

function row(posting: Posting, at: number, context: SiteContext): object {
  const { id = '' } = posting.queue.fields
  return {
    id,
    idpoi: String(101 + at),
    last_wait_s: secondsOf(posting) ?? 0,
    default_wait_s: 120 + 60 * (hashOf(id) % 5),
    expires: new Date(expiryOf(posting, context)).toISOString(),
  }
}
