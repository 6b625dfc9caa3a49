import { queuesOf } from '../../../pipeline/simulator/catalogue/index.ts'
import type { PublishedState } from '../../../pipeline/simulator/model/queues.ts'
import { feedAnswer } from '../../../pipeline/simulator/sites/feed.ts'
import { FEEDS } from '../../../pipeline/simulator/sites/index.ts'
import type { SiteContext, SiteRequest } from '../../../pipeline/simulator/sites/site.ts'
import { FETCHED } from './context.ts'

/** What a queue publishes: its minutes or its state. An absent queue is not in the answer. */
export type Published = number | 'closed' | 'unknown' | 'hidden' | 'absent'

/** When the payloads of these tests were observed: three minutes before they were fetched, at 5 in New York. */
export const OBSERVED = '2026-11-21T10:00:00Z'

/**
 * The payload of a source with what its queues publish, in the order of `queues.csv`; queues beyond the list are absent. `oddities` are
 * those of the site that occur, by a part of their name.
 */
export function payloadOf(source: string, published: Published[], oddities: string[] = []): string {
  const feed = FEEDS.findLast((each) => each.source === source && each.payload !== 'zensors-page.html')
  if (feed === undefined) throw new Error(`${source} is not simulated`)
  const at = Date.parse(OBSERVED)
  const queues = queuesOf(source)
    .slice(0, published.length)
    .filter((_, index) => published[index] !== 'absent')
  const states = published.filter((each) => each !== 'absent').map(stateOf)
  const byId = new Map(queues.map(({ id }, index) => [id, states[index]!]))
  const publishedAt = (id: string) => byId.get(id)!
  const waitAt = (id: string) => ({ open: publishedAt(id).state === 'open', minutes: publishedAt(id).minutes })
  const postings = queues.map((queue, index) => ({ source, queue, published: states[index]!, at }))
  const requested_at = Date.parse(FETCHED)
  const context: SiteContext = {
    queues: { seed: 7, publishedAt, waitAt },
    now: at,
    requested_at,
    oddities,
    keysOf: () => ({ key: '', version: '' }),
  }
  const request: SiteRequest = {
    method: 'GET',
    host: feed.host,
    path: '',
    query: new URLSearchParams(),
    headers: {},
    body: '',
  }
  return feedAnswer(feed, postings, at, request, context).body
}

function stateOf(published: Exclude<Published, 'absent'>): PublishedState {
  return typeof published === 'number' ? { state: 'open', minutes: published } : { state: published, minutes: null }
}
