import { emissions, html, type Post, postsOf, type Site } from './site.ts'

/** STR: a fragment without a page around it, a line a terminal; a closed one keeps its last number. */
export const stuttgartAirport: Site = {
  hosts: ['www.stuttgart-airport.com'],
  answer: ({ path }, stage) => {
    if (path !== '/en/ajax/info-widget/waiting-times') return null
    const posts = postsOf('str-html', stage)
    const fragment = `<ul class="waiting-times__list">\n${posts.map(line).join('\n')}\n</ul>\n`
    return { ...html(fragment), emits: emissions(posts, null) }
  },
}

function line({ queue: { terminal }, posting }: Post): string {
  const shut = posting.says === 'closed'
  const minutes = shut ? 5 : (posting.minutes ?? '-')
  return `<li><span class="waiting-times__terminal">Terminal ${terminal.slice(1)}</span><span class="waiting-times__terminal--short">${terminal}:</span>
  <span class="waiting-times__minutes${shut ? ' waiting-times__minutes--closed' : ''}">${minutes}</span> min</li>`
}
