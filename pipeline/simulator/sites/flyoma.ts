import type { Posting } from '../model/queues.ts'
import { between } from './published-waits.ts'
import { emissions, html, postsOf, type Site } from './site.ts'

const ROW = 'tsa-wait-times-element_concourse-list_concourse-info'

/** OMA: a range of five minutes a concourse, never a number; a row without a title is the list's own note. */
export const flyoma: Site = {
  hosts: ['www.flyoma.com'],
  answer: ({ path }, stage) => {
    if (path !== '/passenger-services/security-checkpoint-wait-times/') return null
    const posts = postsOf('oma-html', stage)
    const rows = posts.map(
      ({ queue, posting }) => `<li class="${ROW}"><span class="${ROW}_title">${queue.checkpoint}:</span>
<span class="${ROW}_time">${wordOf(posting)}</span> MINUTES</li>`,
    )
    const page = `<!doctype html><html lang="en"><head><title>OMA</title></head><body><div class="tsa-wait-times-element"><ul>
${rows.join('\n')}
<li class="${ROW}"><span class="${ROW}_title"></span><span class="${ROW}_time">60</span> minutes before a flight, please be here</li>
</ul></div></body></html>`
    return { ...html(page), emits: emissions(posts, null, (minutes) => between(low(minutes), low(minutes) + 5)) }
  },
}

const low = (minutes: number) => 5 * Math.floor(minutes / 5)

function wordOf(posting: Posting): string {
  if (posting.says === 'minutes') return `${low(posting.minutes)}-${low(posting.minutes) + 5}`
  return posting.says === 'closed' ? 'Closed' : '-'
}
