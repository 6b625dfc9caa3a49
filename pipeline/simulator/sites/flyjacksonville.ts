import type { PublishedState } from '../model/queues.ts'
import { expectedReadings, html, postingsOf, type Site } from './site.ts'

/** JAX: a label and a bold estimate per lane, "less than a min" for no wait. */
export const flyjacksonville: Site = {
  hosts: ['www.flyjacksonville.com'],
  answer: ({ path, query }, context) => {
    if (path !== '/content.aspx' || query.get('id') !== '3583') return null
    const postings = postingsOf('jax-html', context)
    const lanes = postings.map(
      ({ queue, published }) => `<div class="label">${queue.fields.label}</div>
<div class="time text-right"><span class="bold ml-1">${waitText(published)}</span><span class="medium ml-2">estimated</span></div>`,
    )
    const page = `<!doctype html><html lang="en"><head><title>JAX</title></head><body><h1>TSA wait times</h1>${lanes.join('\n')}</body></html>`
    return { ...html(page), expected: expectedReadings(postings, null, waitOf) }
  },
}

function waitText(published: PublishedState): string {
  if (published.state !== 'open') return published.state === 'closed' ? 'Closed' : '-'
  return published.minutes === 0 ? 'less than a min' : `${published.minutes} min`
}

const waitOf = (minutes: number) =>
  minutes === 0
    ? { wait_minutes: null, wait_minutes_low: 0, wait_minutes_high: 1 }
    : { wait_minutes: minutes, wait_minutes_low: null, wait_minutes_high: null }
