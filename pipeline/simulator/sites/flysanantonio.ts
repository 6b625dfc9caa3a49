import { openQueues, sometimes } from './published-waits.ts'
import { expectedReadings, html, type Posting, postingsOf, type Site } from './site.ts'

/** SAT: an average per terminal, whose two digits a script sets one by one; sometimes only the first. */
export const flysanantonio: Site = {
  hosts: ['flysanantonio.com'],
  answer: ({ path }, context) => {
    if (path !== '/home/flights/security-checkpoints-wait-time/') return null
    const postings = postingsOf('sat-html', context)
    const half = (posting: Posting) => sometimes(context, `${posting.queue.id} half`, 0.02)
    const displays = postings.map(({ queue: { terminal } }) => {
      const id = `terminal${terminal.toLowerCase()}`
      return `<p>Terminal ${terminal} <input id="${id}-one"><input id="${id}-two"></p>`
    })
    const page = `<!doctype html><html lang="en"><head><title>SAT</title></head><body>
${displays.join('\n')}<p>Garage <input id="parking-one"></p>
<script>jQuery(function($){
${postings.map((posting) => digits(posting, half(posting))).join('\n')}
  $('#parking-one').val('9');
});</script></body></html>`
    return { ...html(page), expected: expectedReadings(openQueues(postings.filter((posting) => !half(posting))), null) }
  },
}

/** The script empties the display, then sets it; without a wait it stays empty. */
function digits({ queue, published }: Posting, half: boolean): string {
  const set = (which: string, digit: string) =>
    `  $('#terminal${queue.terminal.toLowerCase()}-${which}').val('${digit}');`
  const [one = '', two = ''] = published.state === 'open' ? String(published.minutes).padStart(2, '0') : ''
  return [set('one', ''), set('two', ''), set('one', one), ...(half ? [] : [set('two', two)])].join('\n')
}
