import { openOnes, sometimes } from './published-waits.ts'
import { emissions, html, type Post, postsOf, type Site } from './site.ts'

/** SAT: an average a terminal, whose two digits a script sets one by one; now and then only the first. */
export const flysanantonio: Site = {
  hosts: ['flysanantonio.com'],
  answer: ({ path }, stage) => {
    if (path !== '/home/flights/security-checkpoints-wait-time/') return null
    const posts = postsOf('sat-html', stage)
    const half = (post: Post) => sometimes(stage, `${post.queue.id} half`, 0.02)
    const displays = posts.map(({ queue: { terminal } }) => {
      const id = `terminal${terminal.toLowerCase()}`
      return `<p>Terminal ${terminal} <input id="${id}-one"><input id="${id}-two"></p>`
    })
    const page = `<!doctype html><html lang="en"><head><title>SAT</title></head><body>
${displays.join('\n')}<p>Garage <input id="parking-one"></p>
<script>jQuery(function($){
${posts.map((post) => digits(post, half(post))).join('\n')}
  $('#parking-one').val('9');
});</script></body></html>`
    return { ...html(page), emits: emissions(openOnes(posts.filter((post) => !half(post))), null) }
  },
}

/** The display is emptied, then set; without a wait it stays empty. */
function digits({ queue, posting }: Post, half: boolean): string {
  const set = (which: string, digit: string) =>
    `  $('#terminal${queue.terminal.toLowerCase()}-${which}').val('${digit}');`
  const [one = '', two = ''] = posting.says === 'minutes' ? String(posting.minutes).padStart(2, '0') : ''
  return [set('one', ''), set('two', ''), set('one', one), ...(half ? [] : [set('two', two)])].join('\n')
}
