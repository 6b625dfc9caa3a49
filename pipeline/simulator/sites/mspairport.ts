import { DateTime } from 'luxon'
import { HOUR_MS } from '../../../config/domain.ts'
import { zoneOf } from '../../../config/time-zones/local-time.ts'
import type { PublishedState } from '../model/queues.ts'
import { canadianBand, exactWait, sometimes, waitBetween } from './published-waits.ts'
import { expectedReadings, html, minuteOf, type Posting, postingsOf, type Site, type SiteContext } from './site.ts'

/** MSP: a card per checkpoint with a band of minutes and a message about who may use it; one time for the whole page. */
export const mspairport: Site = {
  hosts: ['www.mspairport.com'],
  answer: ({ path }, context) => {
    if (path !== '/airport/security-screening/security-wait-times') return null
    const at = minuteOf(context.now)
    const postings = postingsOf('msp-html', context).map((posting) => ({
      ...posting,
      published: shown(posting, context, at),
    }))
    const plain = sometimes(context, 'MSP plain minutes', 0.05)
    const hasUnknownMessage = (posting: Posting) => sometimes(context, `${posting.queue.id} new message`, 0.01)
    const cards = postings.map((posting) =>
      card(posting, hasUnknownMessage(posting) ? 'MSP Reserve' : posting.queue.fields.message!, plain),
    )
    const stamp = DateTime.fromMillis(at, { zone: zoneOf('America/Chicago'), locale: 'en-US' }).toFormat(
      'LLL d, yyyy h:mm a',
    )
    const page = `<!doctype html><html lang="en"><head><title>MSP Airport</title></head><body><div class="security-wait-times-block">
<div class="security-wait-times-block__timestamp">Updated ${stamp}</div>
${cards.join('\n')}</div></body></html>`
    return {
      ...html(page),
      expected: postings.filter((posting) => closed(posting) || !hasUnknownMessage(posting)).flatMap(readingsOf),
    }

    function readingsOf(posting: Posting) {
      // A closed card says when it opens instead of who may use it.
      const queue = closed(posting) ? { ...posting.queue, lane: 'all' as const } : posting.queue
      const range = (minutes: number) =>
        plain ? exactWait(minutes) : waitBetween(canadianBand(minutes).low, canadianBand(minutes).high)
      return expectedReadings([{ ...posting, queue }], at, range)
    }
  },
}

const closed = ({ published }: Posting) => published.state === 'closed'

/** In the hour before a checkpoint opens, its card is shown as open with the last wait of the evening before. */
function shown({ queue, published }: Posting, { queues }: SiteContext, at: number): PublishedState {
  if (published.state !== 'closed' || !queues.waitAt(queue.id, at + HOUR_MS).open) return published
  const step = HOUR_MS / 6
  for (let before = step * Math.floor(at / step); before > at - 12 * HOUR_MS; before -= step) {
    const { minutes } = queues.waitAt(queue.id, before)
    if (minutes !== null) return { state: 'open', minutes }
  }
  return published
}

/** A closed card still shows a number. */
function card({ queue, published }: Posting, message: string, plain: boolean): string {
  const isClosed = published.state === 'closed'
  const band =
    published.state === 'open' ? canadianBand(published.minutes).text.toLowerCase().replace('min', 'minutes') : ''
  const wait = isClosed ? '5 minutes' : plain && published.state === 'open' ? `${published.minutes} minutes` : band
  const opens = `Opens at ${Math.floor(queue.opens)}${queue.opens % 1 === 0 ? '' : ':30'} a.m.`
  return `<div class="security-wait-time${isClosed ? ' security-wait-time--closed' : ''}">
<div class="security-wait-time__checkpoint-name"> <div>${queue.checkpoint}</div> </div>
<div class="security-wait-time__message"><span>${isClosed ? opens : message}</span></div>
<div class="security-wait-time__time">${wait}</div></div>`
}
