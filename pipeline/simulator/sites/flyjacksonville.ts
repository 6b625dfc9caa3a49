import { queuesOf } from '../catalogue/index.ts'
import type { Posting } from '../world.ts'
import { html, minuteOf, type Site } from './site.ts'

/** JAX: a label and a bold estimate a lane, "less than a min" for none. */
export const flyjacksonville: Site = {
  hosts: ['www.flyjacksonville.com'],
  answer: ({ path, query }, { world, now }) => {
    if (path !== '/content.aspx' || query.get('id') !== '3583') return null
    const lanes = queuesOf('JAX').map(
      ({ id, words }) => `<div class="label">${words.label}</div>
<div class="time text-right"><span class="bold ml-1">${wordOf(world.postedAt(id, minuteOf(now)))}</span><span class="medium ml-2">estimated</span></div>`,
    )
    return html(
      `<!doctype html><html lang="en"><head><title>JAX</title></head><body><h1>TSA wait times</h1>${lanes.join('\n')}</body></html>`,
    )
  },
}

function wordOf(posting: Posting): string {
  if (posting.says !== 'minutes') return posting.says === 'closed' ? 'Closed' : '-'
  return posting.minutes === 0 ? 'less than a min' : `${posting.minutes} min`
}
