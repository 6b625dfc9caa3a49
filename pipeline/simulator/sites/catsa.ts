import { bandOf } from '../bands.ts'
import { queuesOf } from '../catalogue/index.ts'
import type { Posting, World } from '../world.ts'
import { escapeHtml, html, minuteOf, type Site } from './site.ts'

const AIRPORTS: Record<string, string> = {
  'toronto-pearson-international-airport': 'YYZ',
  'montreal-trudeau-international-airport': 'YUL',
  'vancouver-international-airport': 'YVR',
  'calgary-international-airport': 'YYC',
}

/** Canada: one page an airport, waits in bands of five minutes, no time of observation. */
export const catsa: Site = {
  hosts: ['www.catsa-acsta.gc.ca'],
  answer: ({ path }, { world, now }) => {
    const iata = AIRPORTS[path.match(/^\/en\/airport\/([a-z-]+)$/)?.[1] ?? '']
    return iata === undefined ? null : html(page(iata, world, minuteOf(now)))
  },
}

function page(iata: string, world: World, at: number): string {
  const rows = queuesOf(iata).map(
    ({ id, checkpoint }) =>
      `<tr><td class="views-field views-field-title">${escapeHtml(checkpoint)}</td><td class="views-field">${wordOf(world.postedAt(id, at))}</td></tr>`,
  )
  return `<!doctype html><html lang="en"><head><title>${iata} - CATSA</title></head><body>
<h1>${iata}</h1><table class="views-table cols-2"><thead><tr><th>Checkpoint</th><th>Wait time</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></body></html>`
}

function wordOf(posting: Posting): string {
  if (posting.says === 'minutes') return bandOf(posting.minutes).text
  return posting.says === 'closed' ? 'Closed' : '-'
}
