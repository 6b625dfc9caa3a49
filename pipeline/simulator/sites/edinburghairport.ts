import { closedAsUnknown, sometimes } from './published-waits.ts'
import { expectedReadings, json, postingsOf, type Site } from './site.ts'

/** EDI: one wait and one queue length for the airport; the meaning of `cached` is unknown. */
export const edinburghairport: Site = {
  hosts: ['blip-api.edinburghairport.com'],
  answer: ({ path, query }, context) => {
    if (path !== '/blip-api/blip' || query.get('version') !== '2') return null
    const postings = closedAsUnknown(postingsOf('edi-blip', context))
    const minutes = postings[0]?.published.minutes ?? null
    const cached = sometimes(context, 'EDI cached', 0.7, 60_000) ? 1 : 0
    const answer = { queue: minutes === null ? 0 : 12 + 48 * minutes, minutes, cached, version: '2' }
    return { ...json(answer), expected: expectedReadings(postings, null) }
  },
}
