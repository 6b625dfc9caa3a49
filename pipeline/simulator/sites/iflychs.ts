import type { Posting } from '../model/queues.ts'
import { between, exactly } from './published-waits.ts'
import { emissions, html, postsOf, type Site } from './site.ts'

/** CHS: a card a checkpoint or lane, and a forecast by the hour beside them that is no observation. */
export const iflychs: Site = {
  hosts: ['iflychs.com'],
  answer: ({ path }, stage) => {
    if (path !== '/passengers/security-checkpoint/') return null
    const posts = postsOf('chs-html', stage)
    const cards = posts.map(
      ({ queue, posting }) => `<div class="chs-tsa-checkpoint-card"><h3 class="title">${queue.words.heading}</h3>
<div class="chs-tsa-wait-time is-low"> ${wordOf(posting)} </div></div>`,
    )
    const page = `<!doctype html><html lang="en"><head><title>CHS</title></head><body>
${cards.join('\n')}
<div class="chs-tsa-forecast"><h3>Forecast</h3><div class="hour">9 AM: 35 min</div><div class="hour">10 AM: 12 min</div></div>
</body></html>`
    return {
      ...html(page),
      emits: emissions(posts, null, (minutes) => (minutes < 5 ? between(0, 5) : exactly(minutes))),
    }
  },
}

function wordOf(posting: Posting): string {
  if (posting.says !== 'minutes') return posting.says === 'closed' ? 'Closed' : 'N/A'
  return posting.minutes < 5 ? 'Less than 5 min' : `${posting.minutes} min`
}
