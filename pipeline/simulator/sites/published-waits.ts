import { HOUR_MS } from '../../../config/domain.ts'
import { hashOf, smoothNoise, uniform } from '../model/noise.ts'
import type { Posting, PublishedWait, SiteContext } from './site.ts'

/** Whether an occasional oddity occurs in the current spell (ten minutes by default); `share` is its share of the spells. */
export function sometimes(
  { queues, now }: Pick<SiteContext, 'queues' | 'now'>,
  name: string,
  share: number,
  spell_ms = 600_000,
): boolean {
  return uniform(hashOf(`${queues.seed} ${name}`), Math.floor(now / spell_ms)) < share
}

/** The posting without a reading. */
export const withoutReading = (posting: Posting): Posting => ({
  ...posting,
  published: { state: 'unknown', minutes: null },
})

/** Postings of a site that cannot say "closed": a closed queue has no reading. */
export const closedAsUnknown = (postings: Posting[]): Posting[] =>
  postings.map((posting) => (posting.published.state === 'closed' ? withoutReading(posting) : posting))

/** The postings of queues that are not closed, for sites that omit closed ones. */
export const openQueues = (postings: Posting[]): Posting[] =>
  postings.filter(({ published }) => published.state !== 'closed')

/** Seconds that round to the whole minutes of the model, at least `min`, and differ from minute to minute. */
export function secondsAround(queueId: string, minutes: number, at: number, min = 0): number {
  const within = Math.floor(60 * uniform(hashOf(`${queueId} seconds`), Math.floor(at / 60_000)))
  return Math.max(min, minutes * 60 - 30 + within)
}

/** Postings of a site that publishes seconds: minutes with a fraction, which round to the minutes of the model. */
export function withSeconds(postings: Posting[], { now }: SiteContext): Posting[] {
  return postings.map((posting) => {
    const { queue, published } = posting
    if (published.state !== 'open') return posting
    return { ...posting, published: { state: 'open', minutes: secondsAround(queue.id, published.minutes, now) / 60 } }
  })
}

/** The seconds of a posting from `withSeconds`; null where it has no wait. */
export const secondsOf = ({ published }: Posting): number | null =>
  published.minutes === null ? null : Math.round(published.minutes * 60)

/** The seconds that a feed publishes for a posting in whole minutes; null where it has no wait. */
export const publishedSeconds = ({ queue, published }: Posting, at: number): number | null =>
  published.minutes === null ? null : secondsAround(queue.id, published.minutes, at)

/** Plausible minutes of a row that is not one of our queues (transfer passengers, another authority). */
export const unrelatedMinutes = ({ queues, now }: SiteContext, name: string, usual: number): number =>
  Math.round(usual + 0.7 * usual * smoothNoise(hashOf(`${queues.seed} ${name}`), now / HOUR_MS))

/** The number that a site still shows for a closed queue. */
export const staleMinutes = ({ queue }: Posting): number => 2 + (hashOf(`${queue.id} old`) % 15)

/** The band of `width` minutes that holds a wait; a band that begins at `openEndedFrom` has no upper end. */
export function bandOfWidth(minutes: number, width: number, openEndedFrom = Number.POSITIVE_INFINITY) {
  const low = Math.min(openEndedFrom, Math.floor(minutes / width) * width)
  return { low, high: low >= openEndedFrom ? null : low + width }
}

/** The bands in which Canada's screening authority publishes waits: text, lower and upper end in minutes. */
const CANADIAN_BANDS: [text: string, low: number, high: number | null][] = [
  ['Less than 5 min', 0, 5],
  ['5-10 min', 5, 10],
  ['10-15 min', 10, 15],
  ['15-20 min', 15, 20],
  ['20-25 min', 20, 25],
  ['25-30 min', 25, 30],
  ['More than 30 min', 30, null],
]

/** The band of a wait in Canada; Minneapolis uses the same ones. */
export function canadianBand(minutes: number): { text: string; low: number; high: number | null } {
  const [text, low, high] = CANADIAN_BANDS.find((band) => band[2] === null || minutes < band[2]) ?? CANADIAN_BANDS[0]!
  return { text, low, high }
}

/** A wait that is published as one number. */
export const exactWait = (minutes: number): PublishedWait => ({
  wait_minutes: minutes,
  wait_minutes_low: null,
  wait_minutes_high: null,
})

/** A wait that is published as a range; null for an end that is missing. */
export const waitBetween = (low: number | null, high: number | null): PublishedWait => ({
  wait_minutes: null,
  wait_minutes_low: low,
  wait_minutes_high: high,
})

/** A wait that is published as a band. */
export const waitInBand = ({ low, high }: { low: number | null; high: number | null }): PublishedWait =>
  waitBetween(low, high)
