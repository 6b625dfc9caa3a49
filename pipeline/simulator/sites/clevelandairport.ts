import type { PublishedState } from '../model/queues.ts'
import { sometimes } from './published-waits.ts'
import { expectedReadings, json, postingsOf, type Site } from './site.ts'

/** CLE: levels ("low"), never minutes; a PreCheck lane without a level has a flag. So only closures are readings. */
export const clevelandairport: Site = {
  hosts: ['www.clevelandairport.com'],
  answer: ({ path }, context) => {
    if (path !== '/tsa-wait-times-api') return null
    const postings = postingsOf('cle-levels', context)
    const levelsByKey = postings.map(({ queue, published }) => [queue.fields.key, levelOf(published)])
    const levels = { ...Object.fromEntries(levelsByKey), apre: true, cpre: false }
    const field_json = sometimes(context, 'CLE object', 0.3) ? levels : JSON.stringify(levels)
    return {
      ...json([{ field_json }]),
      expected: expectedReadings(
        postings.filter(({ published }) => published.state === 'closed'),
        null,
      ),
    }
  },
}

function levelOf({ state, minutes }: PublishedState): string | null {
  if (minutes === null) return state === 'closed' ? 'closed' : null
  if (minutes < 10) return 'low'
  if (minutes < 20) return 'medium'
  return minutes < 35 ? 'high' : 'severe'
}
