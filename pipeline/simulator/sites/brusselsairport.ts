import { openOnes } from './published-waits.ts'
import { emissions, html, postsOf, type Site } from './site.ts'

/** BRU: one wait for the airport in the text of a page, whose script has the same words; no word for closed. */
export const brusselsairport: Site = {
  hosts: ['www.brusselsairport.be'],
  answer: ({ path }, stage) => {
    if (path !== '/en/passengers') return null
    const posts = openOnes(postsOf('bru-html', stage))
    const posting = posts[0]?.posting
    const wait = posting?.says === 'minutes' ? `${posting.minutes} min.` : '-'
    const page = `<!doctype html><html lang="en"><head><title>Passengers</title></head><body>
<script>var text = "99 min. Current waiting time"</script>
<div><span>Gates open</span><span>45 min.</span><span>before departure</span></div>
<div><span>${wait}</span><span>Current waiting time</span></div></body></html>`
    return { ...html(page), emits: emissions(posts, null) }
  },
}
