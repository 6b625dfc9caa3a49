import { openQueues } from './published-waits.ts'
import { expectedReadings, html, postingsOf, type Site } from './site.ts'

/** BRU: one wait for the airport in the text of a page, whose script contains the same text; no text for closed. */
export const brusselsairport: Site = {
  hosts: ['www.brusselsairport.be'],
  answer: ({ path }, context) => {
    if (path !== '/en/passengers') return null
    const postings = openQueues(postingsOf('bru-html', context))
    const published = postings[0]?.published
    const wait = published?.state === 'open' ? `${published.minutes} min.` : '-'
    const page = `<!doctype html><html lang="en"><head><title>Passengers</title></head><body>
<script>var text = "99 min. Current waiting time"</script>
<div><span>Gates open</span><span>45 min.</span><span>before departure</span></div>
<div><span>${wait}</span><span>Current waiting time</span></div></body></html>`
    return { ...html(page), expected: expectedReadings(postings, null) }
  },
}
