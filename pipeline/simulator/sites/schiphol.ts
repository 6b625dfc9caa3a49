import { hashOf, uniform } from '../model/noise.ts'
import { secondsOf, sometimes, unrelatedMinutes, withSeconds } from './published-waits.ts'
import { expectedReadings, json, type Posting, postingsOf, type Site, type SiteContext } from './site.ts'

/** Filters for transfer passengers in the same list. */
const TRANSFER = ['AF2', 'AF3', 'EF-T', 'GH-T', 'NS-S', 'S-NS']
/** The shortest wait that the feed shows. */
const MIN_SECONDS = 60

/** AMS: seconds per filter, no time of observation, 0 while a filter is closed, occasional spikes of three hours. */
export const schiphol: Site = {
  hosts: ['www.schiphol.nl'],
  answer: ({ path }, context) => {
    if (path !== '/api/proxy/v3/waittimes/security-filters') return null
    const postings = withSeconds(postingsOf('ams-schiphol', context), context).map((posting) => shown(posting, context))
    const filters = postings
      .filter(({ published }) => published.state !== 'unknown')
      .map((posting) => [posting.queue.checkpoint, secondsOf(posting) ?? 0] as const)
    const transfer = TRANSFER.map(
      (code) => [code, Math.max(MIN_SECONDS, 60 * unrelatedMinutes(context, code, 4))] as const,
    )
    const answer = [...transfer, ...filters].map(([code, waitTimeInSeconds]) => [code, { waitTimeInSeconds }])
    const open = postings.filter(({ published }) => published.state === 'open')
    return { ...json(Object.fromEntries(answer)), expected: expectedReadings(open, null) }
  },
}

/** A posting of at least the shortest wait, or of an impossible one (11,338 s, seen 2023-07). */
function shown(posting: Posting, context: SiteContext): Posting {
  if (posting.published.state !== 'open') return posting
  const spike = sometimes(context, `${posting.queue.id} spike`, 0.004)
  const seconds = spike
    ? 10_800 + Math.floor(900 * uniform(hashOf(posting.queue.id), context.now / 60_000))
    : secondsOf(posting)!
  return { ...posting, published: { state: 'open', minutes: Math.max(MIN_SECONDS, seconds) / 60 } }
}
