import type { PublishedState } from '../model/queues.ts'
import { bandOfWidth, waitInBand } from './published-waits.ts'
import { expectedReadings, json, minuteOf, postingsOf, type Site } from './site.ts'

/** HAM: one band for the whole airport, with its time in epoch milliseconds. */
export const hamburgAirport: Site = {
  hosts: ['www.hamburg-airport.de'],
  answer: ({ path }, context) => {
    if (path !== '/service/waittimes/waittimes') return null
    const at = minuteOf(context.now)
    const postings = postingsOf('ham', context)
    const answer = {
      id: 'security',
      waitingTime: postings.map(({ published }) => waitText(published))[0],
      lastUpdate: at,
    }
    return { ...json(answer), expected: expectedReadings(postings, at, (minutes) => waitInBand(bandOf(minutes))) }
  },
}

const bandOf = (minutes: number) => bandOfWidth(minutes, 5, 30)

function waitText(published: PublishedState): string {
  if (published.state !== 'open') return published.state === 'closed' ? 'closed' : '-'
  const { low, high } = bandOf(published.minutes)
  return high === null ? `> ${low} min` : `${low}-${high} min`
}
