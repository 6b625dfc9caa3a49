import type { Posting } from '../model/queues.ts'
import { emissions, html, postsOf, type Site } from './site.ts'

/** JAX: a label and a bold estimate a lane, "less than a min" for none. */
export const flyjacksonville: Site = {
  hosts: ['www.flyjacksonville.com'],
  answer: ({ path, query }, stage) => {
    if (path !== '/content.aspx' || query.get('id') !== '3583') return null
    const posts = postsOf('jax-html', stage)
    const lanes = posts.map(
      ({ queue, posting }) => `<div class="label">${queue.words.label}</div>
<div class="time text-right"><span class="bold ml-1">${wordOf(posting)}</span><span class="medium ml-2">estimated</span></div>`,
    )
    const page = `<!doctype html><html lang="en"><head><title>JAX</title></head><body><h1>TSA wait times</h1>${lanes.join('\n')}</body></html>`
    return { ...html(page), emits: emissions(posts, null, waitOf) }
  },
}

function wordOf(posting: Posting): string {
  if (posting.says !== 'minutes') return posting.says === 'closed' ? 'Closed' : '-'
  return posting.minutes === 0 ? 'less than a min' : `${posting.minutes} min`
}

const waitOf = (minutes: number) =>
  minutes === 0
    ? { wait_minutes: null, wait_minutes_low: 0, wait_minutes_high: 1 }
    : { wait_minutes: minutes, wait_minutes_low: null, wait_minutes_high: null }
