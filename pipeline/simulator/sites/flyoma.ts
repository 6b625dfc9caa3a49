import type { PublishedState } from '../model/queues.ts'
import { waitBetween } from './published-waits.ts'
import { expectedReadings, html, postingsOf, type Site } from './site.ts'

const ROW = 'tsa-wait-times-element_concourse-list_concourse-info'

/** OMA: a range of five minutes per concourse, never a number; a row without a title is a note. */
export const flyoma: Site = {
  hosts: ['www.flyoma.com'],
  answer: ({ path }, context) => {
    if (path !== '/passenger-services/security-checkpoint-wait-times/') return null
    const postings = postingsOf('oma-html', context)
    const rows = postings.map(
      ({ queue, published }) => `<li class="${ROW}"><span class="${ROW}_title">${queue.checkpoint}:</span>
<span class="${ROW}_time">${waitText(published)}</span> MINUTES</li>`,
    )
    const page = `<!doctype html><html lang="en"><head><title>OMA</title></head><body><div class="tsa-wait-times-element"><ul>
${rows.join('\n')}
<li class="${ROW}"><span class="${ROW}_title"></span><span class="${ROW}_time">60</span> minutes before a flight, please be here</li>
</ul></div></body></html>`
    return {
      ...html(page),
      expected: expectedReadings(postings, null, (minutes) => waitBetween(low(minutes), low(minutes) + 5)),
    }
  },
}

const low = (minutes: number) => 5 * Math.floor(minutes / 5)

function waitText(published: PublishedState): string {
  if (published.state === 'open') return `${low(published.minutes)}-${low(published.minutes) + 5}`
  return published.state === 'closed' ? 'Closed' : '-'
}
