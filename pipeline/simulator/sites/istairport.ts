import { sometimes } from './published-waits.ts'
import { emissions, json, postsOf, type Site, text } from './site.ts'

/** IST: three queues of different kinds in one object, asked from the airport's own page; its flag may say false beside good numbers. */
export const istairport: Site = {
  hosts: ['www.istairport.com'],
  answer: ({ path, headers }, stage) => {
    if (path !== '/umbraco/api/Checkpoint/GetWaitingTimes') return null
    if (!headers.referer?.startsWith('https://www.istairport.com/')) return text('Forbidden', 403)
    const posts = postsOf('ist', stage)
    const result = Object.fromEntries(
      posts.flatMap(({ queue: { words }, posting }) => [
        [words.field!, posting.minutes],
        [`${words.field}Name`, words.name],
      ]),
    )
    return { ...json({ status: !sometimes(stage, 'IST status', 0.1), result }), emits: emissions(posts, null) }
  },
}
