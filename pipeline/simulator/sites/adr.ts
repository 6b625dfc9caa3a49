import type { PublishedState } from '../model/queues.ts'
import { exactWait, waitBetween } from './published-waits.ts'
import { expectedReadings, html, postingsOf, type Site } from './site.ts'

/** Above it the page gives a bound only. */
const MOST = 20

/** FCO: a time a terminal in the frame of every page; a third terminal is a link without one. */
export const adr: Site = {
  hosts: ['www.adr.it'],
  answer: ({ path }, context) => {
    if (path !== '/web/aeroporti-di-roma-en') return null
    const postings = postingsOf('fco-html', context)
    const waits = postings.map(
      ({ queue, published }) => `<p>Terminal ${queue.terminal.slice(1)}: <time>${wordOf(published)}</time></p>`,
    )
    const page = `<!doctype html><html lang="en"><head><title>Aeroporti di Roma</title></head><body><header>
${waits.join('\n')}
<p>See Terminal 5: <a href="/">map</a></p></header><main><p>Train to the city: <time>32 min</time></p></main></body></html>`
    return {
      ...html(page),
      expected: expectedReadings(postings, null, (minutes) =>
        minutes > MOST ? waitBetween(MOST, null) : exactWait(minutes),
      ),
    }
  },
}

function wordOf(published: PublishedState): string {
  if (published.state !== 'open') return published.state === 'closed' ? 'closed' : '-'
  return published.minutes > MOST ? `more than ${MOST} min` : `${published.minutes} min`
}
