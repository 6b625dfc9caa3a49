import { bandOf } from '../bands.ts'
import type { Posting } from '../model/queues.ts'
import { emissions, escapeHtml, html, type Post, postsOf, type Site } from './site.ts'

const AIRPORTS: Record<string, string> = {
  'toronto-pearson-international-airport': 'YYZ',
  'montreal-trudeau-international-airport': 'YUL',
  'vancouver-international-airport': 'YVR',
  'calgary-international-airport': 'YYC',
}

/** Canada: one page an airport, waits in bands of five minutes, no time of observation. */
export const catsa: Site = {
  hosts: ['www.catsa-acsta.gc.ca'],
  answer: ({ path }, stage) => {
    const iata = AIRPORTS[path.match(/^\/en\/airport\/([a-z-]+)$/)?.[1] ?? '']
    if (iata === undefined) return null
    const posts = postsOf('catsa-html', stage, iata)
    return { ...html(page(iata, posts)), emits: emissions(posts, null, rangeOf) }
  },
}

function rangeOf(minutes: number) {
  const { low, high } = bandOf(minutes)
  return { wait_minutes: null, wait_minutes_low: low, wait_minutes_high: high }
}

function page(iata: string, posts: Post[]): string {
  const rows = posts.map(
    ({ queue: { checkpoint }, posting }) =>
      `<tr><td class="views-field views-field-title">${escapeHtml(checkpoint)}</td><td class="views-field">${wordOf(posting)}</td></tr>`,
  )
  return `<!doctype html><html lang="en"><head><title>${iata} - CATSA</title></head><body>
<h1>${iata}</h1><table class="views-table cols-2"><thead><tr><th>Checkpoint</th><th>Wait time</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></body></html>`
}

function wordOf(posting: Posting): string {
  if (posting.says === 'minutes') return bandOf(posting.minutes).text
  return posting.says === 'closed' ? 'Closed' : '-'
}
