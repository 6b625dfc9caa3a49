import { emissions, html, type Post, postsOf, type Site } from './site.ts'

/** STL: a gauge with one estimate for the airport, and cards that say which checkpoints are open; at night the gauge keeps a number. */
export const flystl: Site = {
  hosts: ['www.flystl.com'],
  answer: ({ path }, stage) => {
    if (path !== '/tsa-security/') return null
    const [estimate, ...checkpoints] = postsOf('stl-html', stage)
    const shut = checkpoints.filter(({ posting }) => posting.says === 'closed')
    const allShut = shut.length === checkpoints.length
    const whole = estimate && allShut ? { ...estimate, posting: { says: 'closed' as const, minutes: null } } : estimate
    const page = `<!doctype html><html lang="en"><head><title>STL</title></head><body>
${estimate ? gauge(estimate) : ''}
${checkpoints.map(card).join('\n')}
</body></html>`
    const said = estimate?.posting.says === 'minutes' && whole ? [whole] : []
    return { ...html(page), emits: emissions([...said, ...shut], null) }
  },
}

/** Without an estimate there is no gauge. */
function gauge({ posting }: Post): string {
  if (posting.says !== 'minutes') return ''
  return `<div role="progressbar" aria-valuemin="0" aria-valuemax="60" aria-valuenow="${posting.minutes}" aria-label="Wait time is approximately ${posting.minutes} minutes"></div>`
}

function card({ queue, posting }: Post): string {
  const state = posting.says === 'closed' ? 'Closed' : 'Open'
  return `<section class="overflow-hidden card rounded-xl"><h3>${queue.terminal}, ${queue.checkpoint}</h3>
<span aria-label="Destination availability status: ${state}"></span></section>`
}
