import type { PublishedState } from '../model/queues.ts'
import { exactWait, waitBetween } from './published-waits.ts'
import { expectedReadings, html, postingsOf, type Site } from './site.ts'

/** CHS: a card per checkpoint or lane, and an hourly forecast, which is not an observation. */
export const iflychs: Site = {
  hosts: ['iflychs.com'],
  answer: ({ path }, context) => {
    if (path !== '/passengers/security-checkpoint/') return null
    const postings = postingsOf('chs-html', context)
    const cards = postings.map(
      ({ queue, published }) => `<div class="chs-tsa-checkpoint-card"><h3 class="title">${queue.fields.heading}</h3>
<div class="chs-tsa-wait-time is-low"> ${waitText(published)} </div></div>`,
    )
    const page = `<!doctype html><html lang="en"><head><title>CHS</title></head><body>
${cards.join('\n')}
<div class="chs-tsa-forecast"><h3>Forecast</h3><div class="hour">9 AM: 35 min</div><div class="hour">10 AM: 12 min</div></div>
</body></html>`
    return {
      ...html(page),
      expected: expectedReadings(postings, null, (minutes) => (minutes < 5 ? waitBetween(0, 5) : exactWait(minutes))),
    }
  },
}

function waitText(published: PublishedState): string {
  if (published.state !== 'open') return published.state === 'closed' ? 'Closed' : 'N/A'
  return published.minutes < 5 ? 'Less than 5 min' : `${published.minutes} min`
}
