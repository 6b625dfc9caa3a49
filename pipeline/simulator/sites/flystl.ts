import { expectedReadings, html, type Posting, postingsOf, type Site } from './site.ts'

/** STL: a gauge with one estimate for the airport, and cards with the state of each checkpoint; at night the gauge still shows a number. */
export const flystl: Site = {
  hosts: ['www.flystl.com'],
  answer: ({ path }, context) => {
    if (path !== '/tsa-security/') return null
    const [estimate, ...checkpoints] = postingsOf('stl-html', context)
    const closed = checkpoints.filter(({ published }) => published.state === 'closed')
    const allClosed = closed.length === checkpoints.length
    const whole =
      estimate && allClosed ? { ...estimate, published: { state: 'closed' as const, minutes: null } } : estimate
    const page = `<!doctype html><html lang="en"><head><title>STL</title></head><body>
${estimate ? gauge(estimate) : ''}
${checkpoints.map(card).join('\n')}
</body></html>`
    const open = estimate?.published.state === 'open' && whole ? [whole] : []
    return { ...html(page), expected: expectedReadings([...open, ...closed], null) }
  },
}

/** Without an estimate there is no gauge. */
function gauge({ published }: Posting): string {
  if (published.state !== 'open') return ''
  return `<div role="progressbar" aria-valuemin="0" aria-valuemax="60" aria-valuenow="${published.minutes}" aria-label="Wait time is approximately ${published.minutes} minutes"></div>`
}

function card({ queue, published }: Posting): string {
  const state = published.state === 'closed' ? 'Closed' : 'Open'
  return `<section class="overflow-hidden card rounded-xl"><h3>${queue.terminal}, ${queue.checkpoint}</h3>
<span aria-label="Destination availability status: ${state}"></span></section>`
}
