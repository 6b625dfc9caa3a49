import type { Posting } from '../model/queues.ts'
import { between, exactly } from './published-waits.ts'
import { emissions, html, postsOf, type Site } from './site.ts'

/** Above it the page gives a bound only. */
const MOST = 20

/** FCO: a time a terminal in the frame of every page; a third terminal is a link without one. */
export const adr: Site = {
  hosts: ['www.adr.it'],
  answer: ({ path }, stage) => {
    if (path !== '/web/aeroporti-di-roma-en') return null
    const posts = postsOf('fco-html', stage)
    const waits = posts.map(
      ({ queue, posting }) => `<p>Terminal ${queue.terminal.slice(1)}: <time>${wordOf(posting)}</time></p>`,
    )
    const page = `<!doctype html><html lang="en"><head><title>Aeroporti di Roma</title></head><body><header>
${waits.join('\n')}
<p>See Terminal 5: <a href="/">map</a></p></header><main><p>Train to the city: <time>32 min</time></p></main></body></html>`
    return {
      ...html(page),
      emits: emissions(posts, null, (minutes) => (minutes > MOST ? between(MOST, null) : exactly(minutes))),
    }
  },
}

function wordOf(posting: Posting): string {
  if (posting.says !== 'minutes') return posting.says === 'closed' ? 'closed' : '-'
  return posting.minutes > MOST ? `more than ${MOST} min` : `${posting.minutes} min`
}
