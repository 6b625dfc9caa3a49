import { DateTime } from 'luxon'
import { zoneOf } from '../../../config/time-zones/local-time.ts'
import type { PublishedState } from '../model/queues.ts'
import { escapeHtml, expectedReadings, html, minuteOf, type Posting, postingsOf, type Site } from './site.ts'

/** SFO: a table in the page's HTML, one row per checkpoint, one column per lane. */
export const flysfo: Site = {
  hosts: ['www.flysfo.com'],
  robots: ['Disallow: /admin/', 'Disallow: /search/', 'Crawl-delay: 1'],
  answer: ({ path }, context) => {
    if (path !== '/passengers/flight-info/security-wait-times') return null
    const at = minuteOf(context.now)
    const postings = postingsOf('sfo-html', context)
    return { ...html(page(postings, at)), expected: expectedReadings(postings, at) }
  },
}

function page(postings: Posting[], at: number): string {
  const names = [...new Set(postings.map(({ queue }) => queue.checkpoint))]
  const rows = names.map((checkpoint) => {
    const cells = (['standard', 'precheck'] as const).map((lane) => {
      const posting = postings.find(({ queue }) => queue.checkpoint === checkpoint && queue.lane === lane)
      return `<td>${posting ? waitText(posting.published) : '-'}</td>`
    })
    return `<tr><td>${escapeHtml(checkpoint)}</td>${cells.join('')}</tr>`
  })
  const clock = DateTime.fromMillis(at, { zone: zoneOf('America/Los_Angeles'), locale: 'en-US' })
  return `<!doctype html><html lang="en"><head><title>Security Wait Times | SFO</title></head><body><main>
<h1>Security Wait Times</h1>
<table class="flysfo-checkpoints-table"><thead><tr><th>Checkpoint</th><th>General</th><th>TSA PreCheck</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table>
<p>Checkpoint data last updated: ${clock.toFormat("LLL dd 'at' hh:mm a").replace(/[AP]M$/, (half) => half.toLowerCase())}</p>
</main></body></html>`
}

function waitText(published: PublishedState): string {
  if (published.state === 'open') return `${published.minutes} min`
  return published.state === 'closed' ? 'Closed' : 'Not Available'
}
