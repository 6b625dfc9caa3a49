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

const VALID_MS = 10 * 60_000
const OUTDATED_MS = 8 * 3_600_000

/**
 * AENA's airports by ICAO code, for its own page only: seconds per access control until they expire. A 0 means unknown; the default
 * beside it is not a measurement.
 */
export const geographica: Site = {
  hosts: ['aena-indoor-read-api.geographica.com'],
  answer: ({ path, headers }, context) => {
    const icao = path.match(/^\/api\/v1\/airports\/([A-Z]{4})\/accesscontrols$/)?.[1]
    const controls = postingsOf('aena-indoor', context).filter(({ queue }) => queue.fields.id?.split('_')[0] === icao)
    if (controls.length === 0) return null
    const page = 'https://www.aena.es'
    if (headers.origin !== page || !headers.referer?.startsWith(page)) return text('Forbidden', 403)
    const postings = withSeconds(closedAsUnknown(controls), context)
    const known = postings.filter(
      (posting) => secondsOf(posting) !== 0 && expiryOf(posting, context) >= context.requested_at,
    )
    return {
      ...json(postings.map((posting, at) => row(posting, at, context))),
      expected: expectedReadings(known, null),
    }
  },
}

/** When a number expires: usually ten minutes after the request; some were last renewed hours ago. */
function expiryOf({ queue }: Posting, context: SiteContext): number {
  const outdated = sometimes(context, `${queue.id} forgotten`, 0.01, 3 * VALID_MS)
  return minuteOf(context.now) + VALID_MS - (outdated ? OUTDATED_MS : 0)
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
