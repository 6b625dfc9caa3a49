import { DateTime } from 'luxon'
import { HOUR_MS } from '../../../config/domain.ts'
import { bandOf } from '../bands.ts'
import type { Posting } from '../model/queues.ts'
import { between, exactly, sometimes } from './published-waits.ts'
import { emissions, html, minuteOf, type Post, postsOf, type Site, type Stage } from './site.ts'

/** MSP: a card a checkpoint with bands of minutes, a message for whom it is, and the time of the whole page. */
export const mspairport: Site = {
  hosts: ['www.mspairport.com'],
  answer: ({ path }, stage) => {
    if (path !== '/airport/security-screening/security-wait-times') return null
    const at = minuteOf(stage.now)
    const posts = postsOf('msp-html', stage).map((post) => ({ ...post, posting: shown(post, stage, at) }))
    const plain = sometimes(stage, 'MSP plain minutes', 0.05)
    const strange = (post: Post) => sometimes(stage, `${post.queue.id} new message`, 0.01)
    const cards = posts.map((post) => card(post, strange(post) ? 'MSP Reserve' : post.queue.words.message!, plain))
    const stamp = DateTime.fromMillis(at, { zone: 'America/Chicago', locale: 'en-US' }).toFormat('LLL d, yyyy h:mm a')
    const page = `<!doctype html><html lang="en"><head><title>MSP Airport</title></head><body><div class="security-wait-times-block">
<div class="security-wait-times-block__timestamp">Updated ${stamp}</div>
${cards.join('\n')}</div></body></html>`
    return { ...html(page), emits: posts.filter((post) => closed(post) || !strange(post)).flatMap(told) }

    function told(post: Post) {
      // A closed card says when it opens instead of for whom it is.
      const queue = closed(post) ? { ...post.queue, lane: 'all' as const } : post.queue
      const range = (minutes: number) => (plain ? exactly(minutes) : between(bandOf(minutes).low, bandOf(minutes).high))
      return emissions([{ ...post, queue }], at, range)
    }
  },
}

const closed = ({ posting }: Post) => posting.says === 'closed'

/** In the hour before a checkpoint opens its card is lit again and shows the last wait of the night before. */
function shown({ queue, posting }: Post, { world }: Stage, at: number): Posting {
  if (posting.says !== 'closed' || !world.waitAt(queue.id, at + HOUR_MS).open) return posting
  const step = HOUR_MS / 6
  for (let before = step * Math.floor(at / step); before > at - 12 * HOUR_MS; before -= step) {
    const { minutes } = world.waitAt(queue.id, before)
    if (minutes !== null) return { says: 'minutes', minutes }
  }
  return posting
}

/** A closed card keeps some number. */
function card({ queue, posting }: Post, message: string, plain: boolean): string {
  const shut = posting.says === 'closed'
  const band = posting.says === 'minutes' ? bandOf(posting.minutes).text.toLowerCase().replace('min', 'minutes') : ''
  const wait = shut ? '5 minutes' : plain && posting.says === 'minutes' ? `${posting.minutes} minutes` : band
  const opens = `Opens at ${Math.floor(queue.opens)}${queue.opens % 1 === 0 ? '' : ':30'} a.m.`
  return `<div class="security-wait-time${shut ? ' security-wait-time--closed' : ''}">
<div class="security-wait-time__checkpoint-name"> <div>${queue.checkpoint}</div> </div>
<div class="security-wait-time__message"><span>${shut ? opens : message}</span></div>
<div class="security-wait-time__time">${wait}</div></div>`
}
