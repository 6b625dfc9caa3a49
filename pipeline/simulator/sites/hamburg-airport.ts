import type { Posting } from '../model/queues.ts'
import { banded, bandOfWidth } from './published-waits.ts'
import { emissions, json, minuteOf, postsOf, type Site } from './site.ts'

/** HAM: one band for the whole airport, its time in epoch milliseconds. */
export const hamburgAirport: Site = {
  hosts: ['www.hamburg-airport.de'],
  answer: ({ path }, stage) => {
    if (path !== '/service/waittimes/waittimes') return null
    const at = minuteOf(stage.now)
    const posts = postsOf('ham', stage)
    const answer = { id: 'security', waitingTime: posts.map(({ posting }) => wordOf(posting))[0], lastUpdate: at }
    return { ...json(answer), emits: emissions(posts, at, (minutes) => banded(bandOf(minutes))) }
  },
}

const bandOf = (minutes: number) => bandOfWidth(minutes, 5, 30)

function wordOf(posting: Posting): string {
  if (posting.says !== 'minutes') return posting.says === 'closed' ? 'closed' : '-'
  const { low, high } = bandOf(posting.minutes)
  return high === null ? `> ${low} min` : `${low}-${high} min`
}
