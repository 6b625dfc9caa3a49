import { sometimes, withoutClosed } from './published-waits.ts'
import { emissions, json, type Post, postsOf, type Site, type Stage } from './site.ts'

/** DUB: one number a terminal, in steps of five, as a spreadsheet writes it ("=5"); empty or negative for none. */
export const dublinairport: Site = {
  hosts: ['api.dublinairport.com'],
  answer: ({ path }, stage) => {
    if (path !== '/dap/get-security-times') return null
    const posts = withoutClosed(postsOf('dub-dap', stage)).map(inFives)
    const words = posts.map((post) => [post.queue.terminal, wordOf(post, stage)] as const)
    return { ...json(Object.fromEntries(words)), emits: emissions(posts, null) }
  },
}

/** 5 was the lowest of 2022's readings. */
function inFives(post: Post): Post {
  if (post.posting.says !== 'minutes') return post
  return { ...post, posting: { says: 'minutes', minutes: Math.max(5, 5 * Math.round(post.posting.minutes / 5)) } }
}

function wordOf({ queue, posting }: Post, stage: Stage): string {
  if (posting.says === 'minutes') return `=${posting.minutes}`
  return sometimes(stage, `${queue.id} negative`, 0.3) ? '=-1' : ''
}
