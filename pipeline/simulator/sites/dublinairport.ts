import { closedAsUnknown, sometimes } from './published-waits.ts'
import { expectedReadings, json, type Posting, postingsOf, type Site, type SiteContext } from './site.ts'

/** DUB: one number a terminal, in steps of five, as a spreadsheet writes it ("=5"); empty or negative for none. */
export const dublinairport: Site = {
  hosts: ['api.dublinairport.com'],
  answer: ({ path }, context) => {
    if (path !== '/dap/get-security-times') return null
    const postings = closedAsUnknown(postingsOf('dub-dap', context)).map(inFives)
    const words = postings.map((posting) => [posting.queue.terminal, wordOf(posting, context)] as const)
    return { ...json(Object.fromEntries(words)), expected: expectedReadings(postings, null) }
  },
}

/** 5 was the lowest of 2022's readings. */
function inFives(posting: Posting): Posting {
  if (posting.published.state !== 'open') return posting
  return {
    ...posting,
    published: { state: 'open', minutes: Math.max(5, 5 * Math.round(posting.published.minutes / 5)) },
  }
}

function wordOf({ queue, published }: Posting, context: SiteContext): string {
  if (published.state === 'open') return `=${published.minutes}`
  return sometimes(context, `${queue.id} negative`, 0.3) ? '=-1' : ''
}
