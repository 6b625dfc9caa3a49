import { sometimes, withoutClosed } from './published-waits.ts'
import { emissions, json, type Post, postsOf, type Site, type Stage } from './site.ts'

/** ZRH: three lists of three kinds, each a number or a band as text, empty where nothing is known or open. */
export const flughafenZuerich: Site = {
  hosts: ['waitingtimes.flughafen-zuerich.ch'],
  answer: ({ path }, stage) => {
    const page = PAGES[path]
    if (!page) return null
    const posts = withoutClosed(postsOf(page.source, stage))
    const waitOf = (minutes: number, post: Post) => {
      const band = bandOf(minutes, post, stage)
      return {
        wait_minutes: band ? null : minutes,
        wait_minutes_low: band?.low ?? null,
        wait_minutes_high: band?.high ?? null,
      }
    }
    return { ...json(page.answer(posts, (post) => wordOf(post, stage))), emits: emissions(posts, null, waitOf) }
  },
}

type Word = (post: Post) => string

const PAGES: Record<string, { source: string; answer: (posts: Post[], word: Word) => object }> = {
  '/WaitingTimes/Security': {
    source: 'zrh-security',
    answer: (posts, word) => ({ maxWaitingTime: posts.map(word)[0] }),
  },
  '/WaitingTimes/Checkin': {
    source: 'zrh-checkin',
    answer: (posts, word) => {
      const numbers = [...new Set(posts.map(({ queue }) => queue.words.number))]
      const field = (number: string | undefined, name: string) => {
        const post = posts.find(({ queue: { words } }) => words.number === number && words.field === name)
        return { [name]: post ? word(post) : null }
      }
      const row = (number: string | undefined) => ({
        number,
        ...field(number, 'economy'),
        ...field(number, 'fastBagDrop'),
        ...field(number, 'selfServiceBagDrop'),
      })
      return { checkin: numbers.map(row) }
    },
  },
  '/WaitingTimes/pkh': {
    source: 'zrh-passport',
    answer: (posts, word) => ({
      passportControl: posts.map((post) => ({ identifier: post.queue.words.identifier, waitingTime: word(post) })),
    }),
  },
}

/** Half of the time a wait is a band of two or three minutes. */
function bandOf(minutes: number, { queue }: Post, stage: Stage): { low: number; high: number } | null {
  return sometimes(stage, `${queue.id} band`, 0.5) ? { low: Math.max(0, minutes - 1), high: minutes + 1 } : null
}

function wordOf(post: Post, stage: Stage): string {
  if (post.posting.minutes === null) return ''
  const band = bandOf(post.posting.minutes, post, stage)
  return band ? `${band.low}-${band.high}` : String(post.posting.minutes)
}
