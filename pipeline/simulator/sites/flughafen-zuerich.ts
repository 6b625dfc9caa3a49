import { closedAsUnknown, sometimes } from './published-waits.ts'
import { expectedReadings, json, type Posting, postingsOf, type Site, type SiteContext } from './site.ts'

/** ZRH: lists for security, check-in and passport control; a number or a range as text, empty where unknown or closed. */
export const flughafenZuerich: Site = {
  hosts: ['waitingtimes.flughafen-zuerich.ch'],
  answer: ({ path }, context) => {
    const page = PAGES[path]
    if (!page) return null
    const postings = closedAsUnknown(postingsOf(page.source, context))
    const waitOf = (minutes: number, posting: Posting) => {
      const band = bandOf(minutes, posting, context)
      return {
        wait_minutes: band ? null : minutes,
        wait_minutes_low: band?.low ?? null,
        wait_minutes_high: band?.high ?? null,
      }
    }
    return {
      ...json(page.answer(postings, (posting) => waitText(posting, context))),
      expected: expectedReadings(postings, null, waitOf),
    }
  },
}

type TextOf = (posting: Posting) => string

const PAGES: Record<string, { source: string; answer: (postings: Posting[], textOf: TextOf) => object }> = {
  '/WaitingTimes/Security': {
    source: 'zrh-security',
    answer: (postings, textOf) => ({ maxWaitingTime: postings.map(textOf)[0] }),
  },
  '/WaitingTimes/Checkin': {
    source: 'zrh-checkin',
    answer: (postings, textOf) => {
      const numbers = [...new Set(postings.map(({ queue }) => queue.fields.number))]
      const field = (number: string | undefined, name: string) => {
        const posting = postings.find(({ queue: { fields } }) => fields.number === number && fields.field === name)
        return { [name]: posting ? textOf(posting) : null }
      }
      const row = (number: string | undefined) => ({
        number,
        ...field(number, 'economy'),
        ...field(number, 'fastBagDrop'),
        ...field(number, 'selfServiceBagDrop'),
      })
      return { checkin: numbers.map(row) }
    },
  },
  '/WaitingTimes/pkh': {
    source: 'zrh-passport',
    answer: (postings, textOf) => ({
      passportControl: postings.map((posting) => ({
        identifier: posting.queue.fields.identifier,
        waitingTime: textOf(posting),
      })),
    }),
  },
}

/** Half of the time a wait is published as a range of two or three minutes. */
function bandOf(minutes: number, { queue }: Posting, context: SiteContext): { low: number; high: number } | null {
  return sometimes(context, `${queue.id} band`, 0.5) ? { low: Math.max(0, minutes - 1), high: minutes + 1 } : null
}

function waitText(posting: Posting, context: SiteContext): string {
  if (posting.published.minutes === null) return ''
  const band = bandOf(posting.published.minutes, posting, context)
  return band ? `${band.low}-${band.high}` : String(posting.published.minutes)
}
