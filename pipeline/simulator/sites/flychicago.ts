import { isoUtc } from '../../../config/domain.ts'
import { secondsAround, sometimes } from './published-waits.ts'
import { expectedReadings, json, minuteOf, type Posting, postingsOf, type Site, type SiteContext } from './site.ts'

/** The number that means "no value" at O'Hare. */
const NO_VALUE = 424_242

/** ORD: metrics in seconds with dotted names, where zero means closed; other metrics repeat them. The list is often empty. */
export const flychicago: Site = {
  hosts: ['tsawaittimes.flychicago.com'],
  answer: ({ path }, context) => {
    if (path !== '/tsawaittimes') return null
    if (sometimes(context, 'ORD empty', 0.15)) return json([])
    const at = minuteOf(context.now)
    const postings = postingsOf('ord-flychicago', context)
    const expected = postings.flatMap((posting) =>
      expectedReadings([posting], at, () => ({
        wait_minutes: publishedMetric(posting, at) / 60,
        wait_minutes_low: null,
        wait_minutes_high: null,
      })),
    )
    return {
      ...json([...postings.flatMap((posting) => metrics(posting, context, at)), metric('ORD.TSAFloor', 120, at)]),
      expected,
    }
  },
}

function publishedMetric({ queue, published }: Posting, at: number): number {
  if (published.state === 'closed') return 0
  return published.minutes === null ? NO_VALUE : secondsAround(queue.id, published.minutes, at, 1)
}

const metric = (name: string, waitTimes: number, at: number) => ({ name: `Queues.${name}`, waitTimes, t: isoUtc(at) })

function metrics(posting: Posting, context: SiteContext, at: number): object[] {
  const { queue } = posting
  const name = `T${queue.terminal}C${queue.checkpoint.replace('Checkpoint ', '')}${queue.fields.lane}WaitTime`
  const seconds = publishedMetric(posting, at)
  // A checkpoint without separate lanes has only the overview metric.
  if (queue.lane === 'all') return [metric(`ORD.Overview${name}`, seconds, at)]
  const repeats = [metric(`ORD.Overview${name}`, 900, at), metric(`PaxFacing.${name}`, 600, at)]
  return [metric(`ORD.${name}`, seconds, at), ...repeats.filter(() => sometimes(context, `repeats ${queue.id}`, 0.6))]
}
