import { closedAsUnknown, sometimes } from './published-waits.ts'
import { expectedReadings, json, type Posting, postingsOf, type Site, type SiteContext } from './site.ts'

/** DUB: one number per terminal, in steps of five, written as in a spreadsheet ("=5"); empty or negative for none. */
export const dublinairport: Site = {
  hosts: ['api.dublinairport.com'],
  answer: ({ path }, context) => {
    if (path !== '/dap/get-security-times') return null
    const postings = closedAsUnknown(postingsOf('dub-dap', context)).map(inFives)
    const texts = postings.map((posting) => [posting.queue.terminal, waitText(posting, context)] as const)
    return { ...json(Object.fromEntries(texts)), expected: expectedReadings(postings, null) }
  },
}

/** Rounds to steps of five; 5 was the lowest reading of 2022. */
function inFives(posting: Posting): Posting {
  if (posting.published.state !== 'open') return posting
  return {
    ...posting,
    published: { state: 'open', minutes: Math.max(5, 5 * Math.round(posting.published.minutes / 5)) },
  }
}

function waitText({ queue, published }: Posting, context: SiteContext): string {
  if (published.state === 'open') return `=${published.minutes}`
  return sometimes(context, `${queue.id} negative`, 0.3) ? '=-1' : ''
}
