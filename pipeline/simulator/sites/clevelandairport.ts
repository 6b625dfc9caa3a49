import type { Posting } from '../model/queues.ts'
import { sometimes } from './published-waits.ts'
import { emissions, json, postsOf, type Site } from './site.ts'

/** CLE: words for how long it is, never minutes; a flag where a PreCheck lane has no word. So it tells of closing alone. */
export const clevelandairport: Site = {
  hosts: ['www.clevelandairport.com'],
  answer: ({ path }, stage) => {
    if (path !== '/tsa-wait-times-api') return null
    const posts = postsOf('cle-levels', stage)
    const words = posts.map(({ queue, posting }) => [queue.words.key, levelOf(posting)])
    const levels = { ...Object.fromEntries(words), apre: true, cpre: false }
    const field_json = sometimes(stage, 'CLE object', 0.3) ? levels : JSON.stringify(levels)
    return {
      ...json([{ field_json }]),
      emits: emissions(
        posts.filter(({ posting }) => posting.says === 'closed'),
        null,
      ),
    }
  },
}

function levelOf({ says, minutes }: Posting): string | null {
  if (minutes === null) return says === 'closed' ? 'closed' : null
  return minutes < 10 ? 'low' : minutes < 20 ? 'medium' : minutes < 35 ? 'high' : 'severe'
}
