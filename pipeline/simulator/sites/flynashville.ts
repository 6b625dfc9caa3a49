import { sometimes } from './published-waits.ts'
import { expectedReadings, html, postingsOf, type Site } from './site.ts'

/** BNA's home page: one wait for the airport under one of several headings, sometimes an impossible one. */
export const flynashville: Site = {
  hosts: ['flynashville.com'],
  answer: ({ path }, context) => {
    if (path !== '/') return null
    // The page showed 131 and 144 minutes between readings of 3 (May 2026): a collector lands what it shows.
    const spike = sometimes(context, 'BNA spike', 0.004)
    const postings = postingsOf('bna-html', context).map((posting) =>
      spike ? { ...posting, published: { state: 'open' as const, minutes: 144 } } : posting,
    )
    const [now] = postings
    const wait = now?.published.state === 'open' ? `<p>right now</p><h4>${now.published.minutes} minutes</h4>` : ''
    const page = `<!doctype html><html lang="en"><head><title>BNA</title></head><body>
<div><h3>Parking</h3><h4>82% full</h4></div>
<div class="tsa"><h3>TSA Wait Times</h3>${wait}</div>
<div><h3>Arrivals</h3><h4>12 minutes early</h4></div></body></html>`
    return { ...html(page), expected: expectedReadings(postings, null) }
  },
}
