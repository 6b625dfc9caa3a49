import { DateTime } from 'luxon'
import type { Posting } from '../model/queues.ts'
import { emissions, escapeHtml, html, minuteOf, type Post, postsOf, type Site } from './site.ts'

/** SFO: a table made by the server, a row a checkpoint, a column a lane. */
export const flysfo: Site = {
  hosts: ['www.flysfo.com'],
  robots: ['Disallow: /admin/', 'Disallow: /search/', 'Crawl-delay: 1'],
  answer: ({ path }, stage) => {
    if (path !== '/passengers/flight-info/security-wait-times') return null
    const at = minuteOf(stage.now)
    const posts = postsOf('sfo-html', stage)
    return { ...html(page(posts, at)), emits: emissions(posts, at) }
  },
}

function page(posts: Post[], at: number): string {
  const names = [...new Set(posts.map(({ queue }) => queue.checkpoint))]
  const rows = names.map((checkpoint) => {
    const cells = (['standard', 'precheck'] as const).map((lane) => {
      const post = posts.find(({ queue }) => queue.checkpoint === checkpoint && queue.lane === lane)
      return `<td>${post ? wordOf(post.posting) : '-'}</td>`
    })
    return `<tr><td>${escapeHtml(checkpoint)}</td>${cells.join('')}</tr>`
  })
  const clock = DateTime.fromMillis(at, { zone: 'America/Los_Angeles', locale: 'en-US' })
  return `<!doctype html><html lang="en"><head><title>Security Wait Times | SFO</title></head><body><main>
<h1>Security Wait Times</h1>
<table class="flysfo-checkpoints-table"><thead><tr><th>Checkpoint</th><th>General</th><th>TSA PreCheck</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table>
<p>Checkpoint data last updated: ${clock.toFormat("LLL dd 'at' hh:mm a").replace(/[AP]M$/, (half) => half.toLowerCase())}</p>
</main></body></html>`
}

function wordOf(posting: Posting): string {
  if (posting.says === 'minutes') return `${posting.minutes} min`
  return posting.says === 'closed' ? 'Closed' : 'Not Available'
}
