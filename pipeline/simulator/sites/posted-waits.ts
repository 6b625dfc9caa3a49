import { HOUR_MS } from '../../../config/vocabulary.ts'
import { hashOf, smoothNoise, uniform } from '../model/noise.ts'
import type { PostedWait, Posting, SiteContext } from './site.ts'

/** Whether an occasional oddity occurs in the current spell (ten minutes by default); `share` is its share of the spells. */
export function sometimes(
  { queues, now, oddities }: Pick<SiteContext, 'queues' | 'now' | 'oddities'>,
  name: string,
  share: number,
  spell_ms = 600_000,
): boolean {
  if (oddities !== undefined) return oddities.some((oddity) => name.includes(oddity))
  return uniform(hashOf(`${queues.seed} ${name}`), Math.floor(now / spell_ms)) < share
}

export const isOpen = ({ published }: Posting): boolean => published.state === 'open'
export const isClosed = ({ published }: Posting): boolean => published.state === 'closed'

/** The posting without a reading. */
export const withoutReading = (posting: Posting): Posting => ({
  ...posting,
  published: { state: 'unknown', minutes: null },
})

/** Postings of a site that cannot say "closed": a closed queue has no reading. */
export const closedAsUnknown = (postings: Posting[]): Posting[] =>
  postings.map((posting) => (posting.published.state === 'closed' ? withoutReading(posting) : posting))

/** The postings of queues that are not closed, for sites that omit closed ones. */
export const openQueues = (postings: Posting[]): Posting[] => postings.filter((posting) => !isClosed(posting))

/** Seconds that round to the whole minutes of the model, at least `min`, and differ from minute to minute. */
function secondsAround(queueId: string, minutes: number, observed_ms: number, min = 0): number {
  const within = Math.floor(60 * uniform(hashOf(`${queueId} seconds`), Math.floor(observed_ms / 60_000)))
  return Math.max(min, minutes * 60 - 30 + within)
}

/** The posting with another number of minutes, if it has one. */
export function withMinutes(posting: Posting, minutesOf: (minutes: number) => number): Posting {
  const { published } = posting
  return published.state === 'open'
    ? { ...posting, published: { state: 'open', minutes: minutesOf(published.minutes) } }
    : posting
}

/** Postings of a site that publishes seconds, at least `min`, which round to the minutes of the model. Minutes with a fraction are kept. */
export const withSeconds = (postings: Posting[], min = 0): Posting[] =>
  postings.map((posting) =>
    withMinutes(posting, (minutes) =>
      Number.isInteger(minutes) ? secondsAround(posting.queue.id, minutes, posting.observed_ms, min) / 60 : minutes,
    ),
  )

/** The posting with its newest wait of a span of time before, in steps of ten minutes; null for none. */
export function lastWait(posting: Posting, span_ms: number, minutesAt: (ms: number) => number | null): Posting | null {
  const step = HOUR_MS / 6
  for (let ms = step * Math.floor(posting.observed_ms / step); ms > posting.observed_ms - span_ms; ms -= step) {
    const minutes = minutesAt(ms)
    if (minutes !== null) return { ...posting, published: { state: 'open', minutes } }
  }
  return null
}

/** Plausible minutes of a row that is not one of our queues (transfer passengers, another authority). */
export const unrelatedMinutes = ({ queues, now }: SiteContext, name: string, usual: number): number =>
  Math.round(usual + 0.7 * usual * smoothNoise(hashOf(`${queues.seed} ${name}`), now / HOUR_MS))

/** The number that a site still shows for a closed queue. */
export const staleMinutes = ({ queue }: Posting): number => 2 + (hashOf(`${queue.id} old`) % 15)

/** A wait that is published as one number. */
export const exactWait = (minutes: number): PostedWait => ({
  wait_minutes: minutes,
  wait_minutes_low: null,
  wait_minutes_high: null,
})

/** A wait that is published as a range; null for an end that is missing. */
export const waitBetween = (low: number | null, high: number | null): PostedWait => ({
  wait_minutes: null,
  wait_minutes_low: low,
  wait_minutes_high: high,
})

/** A wait that is published as the band of `width` minutes that holds it; a band that begins at `openEndedFrom` has no upper end. */
export function waitInBand(minutes: number, width: number, openEndedFrom = Number.POSITIVE_INFINITY): PostedWait {
  const low = Math.min(openEndedFrom, Math.floor(minutes / width) * width)
  return waitBetween(low, low >= openEndedFrom ? null : low + width)
}

/** A wait in Canada and Minneapolis: a band of five minutes, or more than 30. */
export const canadianWait = (minutes: number): PostedWait => waitInBand(minutes, 5, 30)

/** A wait that is published as a range from some minutes below it to some above it. */
export const waitAround = (minutes: number, below: number, above: number): PostedWait =>
  waitBetween(Math.max(0, minutes - below), minutes + above)

/** `1 hour`, `22 minutes`. */
const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`

/** `26 minutes and 36 seconds`, `1 hour and 16 minutes`: a number of parts, sixty of which are a unit. */
export function spoken(parts: number, unit: string, part: string, joined = ' and '): string {
  const units = Math.floor(parts / 60)
  const rest = parts % 60
  if (units === 0) return counted(rest, part)
  return rest === 0 ? counted(units, unit) : `${counted(units, unit)}${joined}${counted(rest, part)}`
}
