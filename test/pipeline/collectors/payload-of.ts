import { MINUTE_MS } from '../../../config/vocabulary.ts'
import { queuesOf } from '../../../pipeline/simulator/catalogue/index.ts'
import type { PublishedState } from '../../../pipeline/simulator/model/queues.ts'
import { feedAnswer } from '../../../pipeline/simulator/sites/feed.ts'
import { FEEDS } from '../../../pipeline/simulator/sites/index.ts'
import type { SiteAnswer, SiteContext } from '../../../pipeline/simulator/sites/site.ts'

/** What a queue publishes: its minutes or its state. An absent queue is not in the answer. */
export type Published = number | 'closed' | 'unknown' | 'hidden' | 'absent'

interface Circumstances {
  /** Only queues of this airport. */
  iata?: string
  /** Oddities of the site that occur, by a part of their name. */
  oddities?: string[]
  /** When the queues were observed; by default three minutes before the tests fetch, at 5 in New York. */
  observed?: string
}

/** The payload of a source with what its queues publish, in the order of `queues.csv`; queues beyond the list are absent. */
export const payloadOf = (source: string, published: Published[], circumstances: Circumstances = {}): string =>
  answerWith(source, published, circumstances).body

/** The answer with that payload, and the readings that a correct collector lands from it. */
export function answerWith(source: string, published: Published[], circumstances: Circumstances): SiteAnswer {
  const { iata, oddities = [], observed = '2026-11-21T10:00:00Z' } = circumstances
  const feed = FEEDS.find((candidate) => candidate.source === source)
  if (feed === undefined) throw new Error(`${source} is not simulated`)
  const observed_ms = Date.parse(observed)
  const queues = queuesOf(source, iata)
    .slice(0, published.length)
    .filter((_, index) => published[index] !== 'absent')
  const states = published.filter((state) => state !== 'absent').map(stateOf)
  const byId = new Map(queues.map(({ id }, index) => [id, states[index]!]))
  const publishedAt = (id: string) => byId.get(id)!
  const waitAt = (id: string) => ({ open: publishedAt(id).state === 'open', minutes: publishedAt(id).minutes })
  const postings = queues.map((queue, index) => ({ source, queue, published: states[index]!, observed_ms }))
  const context: SiteContext = {
    queues: { seed: 7, publishedAt, waitAt },
    now: observed_ms,
    requested_at: observed_ms + 3 * MINUTE_MS,
    oddities,
    keysOf: () => ({ key: '', version: '' }),
  }
  return feedAnswer(feed, postings, observed_ms, context)
}

function stateOf(published: Exclude<Published, 'absent'>): PublishedState {
  return typeof published === 'number' ? { state: 'open', minutes: published } : { state: published, minutes: null }
}
