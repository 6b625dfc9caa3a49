import type { PublishedState } from '../model/queues.ts'
import { exactWait, waitBetween } from './published-waits.ts'
import { expectedReadings, html, postingsOf, type Site } from './site.ts'

/** The page shows longer waits as "more than 20 min". */
const MAX_EXACT_MINUTES = 20

/** FCO: a wait per terminal in the header of every page; a third terminal is a link without a wait. */
export const adr: Site = {
  hosts: ['www.adr.it'],
  answer: ({ path }, context) => {
    if (path !== '/web/aeroporti-di-roma-en') return null
    const postings = postingsOf('fco-html', context)
    const waits = postings.map(
      ({ queue, published }) => `<p>Terminal ${queue.terminal.slice(1)}: <time>${waitText(published)}</time></p>`,
    )
    const page = `<!doctype html><html lang="en"><head><title>Aeroporti di Roma</title></head><body><header>
${waits.join('\n')}
<p>See Terminal 5: <a href="/">map</a></p></header><main><p>Train to the city: <time>32 min</time></p></main></body></html>`
    return {
      ...html(page),
      expected: expectedReadings(postings, null, (minutes) =>
        minutes > MAX_EXACT_MINUTES ? waitBetween(MAX_EXACT_MINUTES, null) : exactWait(minutes),
      ),
    }
  },
}

function waitText(published: PublishedState): string {
  if (published.state !== 'open') return published.state === 'closed' ? 'closed' : '-'
  return published.minutes > MAX_EXACT_MINUTES ? `more than ${MAX_EXACT_MINUTES} min` : `${published.minutes} min`
}
