import { expectedReadings, html, type Posting, postingsOf, type Site } from './site.ts'

/** STR: an HTML fragment with one line per terminal; a closed one still shows a number. */
export const stuttgartAirport: Site = {
  hosts: ['www.stuttgart-airport.com'],
  answer: ({ path }, context) => {
    if (path !== '/en/ajax/info-widget/waiting-times') return null
    const postings = postingsOf('str-html', context)
    const fragment = `<ul class="waiting-times__list">\n${postings.map(line).join('\n')}\n</ul>\n`
    return { ...html(fragment), expected: expectedReadings(postings, null) }
  },
}

function line({ queue: { terminal }, published }: Posting): string {
  const closed = published.state === 'closed'
  const minutes = closed ? 5 : (published.minutes ?? '-')
  return `<li><span class="waiting-times__terminal">Terminal ${terminal.slice(1)}</span><span class="waiting-times__terminal--short">${terminal}:</span>
  <span class="waiting-times__minutes${closed ? ' waiting-times__minutes--closed' : ''}">${minutes}</span> min</li>`
}
