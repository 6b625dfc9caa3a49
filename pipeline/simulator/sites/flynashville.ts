import { sometimes } from './published-waits.ts'
import { emissions, html, postsOf, type Site } from './site.ts'

/** BNA's front page: one wait for the airport under a heading among others, now and then an absurd one. */
export const flynashville: Site = {
  hosts: ['flynashville.com'],
  answer: ({ path }, stage) => {
    if (path !== '/') return null
    // The page showed 131 and 144 minutes between readings of 3 (May 2026); whoever reads it reads that.
    const spike = sometimes(stage, 'BNA spike', 0.004)
    const posts = postsOf('bna-html', stage).map((post) =>
      spike ? { ...post, posting: { says: 'minutes' as const, minutes: 144 } } : post,
    )
    const [now] = posts
    const wait = now?.posting.says === 'minutes' ? `<p>right now</p><h4>${now.posting.minutes} minutes</h4>` : ''
    const page = `<!doctype html><html lang="en"><head><title>BNA</title></head><body>
<div><h3>Parking</h3><h4>82% full</h4></div>
<div class="tsa"><h3>TSA Wait Times</h3>${wait}</div>
<div><h3>Arrivals</h3><h4>12 minutes early</h4></div></body></html>`
    return { ...html(page), emits: emissions(posts, null) }
  },
}
