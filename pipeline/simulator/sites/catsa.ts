import type { PublishedState } from '../model/queues.ts'
import { canadianBand } from './published-waits.ts'
import { escapeHtml, expectedReadings, html, type Posting, postingsOf, type Site } from './site.ts'

const AIRPORTS: Record<string, string> = {
  'toronto-pearson-international-airport': 'YYZ',
  'montreal-trudeau-international-airport': 'YUL',
  'vancouver-international-airport': 'YVR',
  'calgary-international-airport': 'YYC',
}

/** CATSA, Canada: one page per airport, waits in bands of five minutes, no time of observation. */
export const catsa: Site = {
  hosts: ['www.catsa-acsta.gc.ca'],
  answer: ({ path }, context) => {
    const iata = AIRPORTS[path.match(/^\/en\/airport\/([a-z-]+)$/)?.[1] ?? '']
    if (iata === undefined) return null
    const postings = postingsOf('catsa-html', context, iata)
    return { ...html(page(iata, postings)), expected: expectedReadings(postings, null, rangeOf) }
  },
}

function rangeOf(minutes: number) {
  const { low, high } = canadianBand(minutes)
  return { wait_minutes: null, wait_minutes_low: low, wait_minutes_high: high }
}

function page(iata: string, postings: Posting[]): string {
  const rows = postings.map(
    ({ queue: { checkpoint }, published }) =>
      `<tr><td class="views-field views-field-title">${escapeHtml(checkpoint)}</td><td class="views-field">${waitText(published)}</td></tr>`,
  )
  return `<!doctype html><html lang="en"><head><title>${iata} - CATSA</title></head><body>
<h1>${iata}</h1><table class="views-table cols-2"><thead><tr><th>Checkpoint</th><th>Wait time</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></body></html>`
}

function waitText(published: PublishedState): string {
  if (published.state === 'open') return canadianBand(published.minutes).text
  return published.state === 'closed' ? 'Closed' : '-'
}
