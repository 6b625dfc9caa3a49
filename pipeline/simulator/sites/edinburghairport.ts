import { sometimes, withoutClosed } from './published-waits.ts'
import { emissions, json, postsOf, type Site } from './site.ts'

/** EDI: one number for the airport and how many stand there; what `cached` counts is not known. */
export const edinburghairport: Site = {
  hosts: ['blip-api.edinburghairport.com'],
  answer: ({ path, query }, stage) => {
    if (path !== '/blip-api/blip' || query.get('version') !== '2') return null
    const posts = withoutClosed(postsOf('edi-blip', stage))
    const minutes = posts[0]?.posting.minutes ?? null
    const cached = sometimes(stage, 'EDI cached', 0.7, 60_000) ? 1 : 0
    const answer = { queue: minutes === null ? 0 : 12 + 48 * minutes, minutes, cached, version: '2' }
    return { ...json(answer), emits: emissions(posts, null) }
  },
}
