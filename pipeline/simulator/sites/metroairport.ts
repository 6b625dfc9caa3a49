import { sometimes } from './published-waits.ts'
import { expectedReadings, json, postingsOf, type Site } from './site.ts'

/** DTW: only a name and a number per terminal. Without a reading the number is null or the row is missing. */
export const metroairport: Site = {
  hosts: ['proxy.metroairport.com'],
  answer: ({ path }, context) => {
    if (path !== '/SkyFiiTSAProxy.ashx') return null
    const postings = postingsOf('dtw-skyfii', context)
    const shown = postings.filter(
      ({ queue, published }) => published.state === 'open' || sometimes(context, `null ${queue.id}`, 0.5),
    )
    const rows = shown.map(({ queue, published }) => ({ Name: queue.terminal, WaitTime: published.minutes }))
    return { ...json(rows), expected: expectedReadings(postings, null) }
  },
}
