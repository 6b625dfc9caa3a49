import { hashOf } from '../model/noise.ts'
import { expectedReadings, json, type Posting, postingsOf, type Site } from './site.ts'

/** PDX: four counters whose text is the wait, beside other numbers; a closed side still shows its waits. */
export const flypdx: Site = {
  hosts: ['www.flypdx.com'],
  answer: ({ path }, context) => {
    if (path !== '/TSAWaitTimesRefresh') return null
    const postings = postingsOf('pdx-tsa', context)
    const isClosed = (side: string) =>
      postings.filter(({ queue }) => queue.checkpoint === side).every(({ published }) => published.state === 'closed')
    const answer = {
      WaitTimes: postings.map((posting, at) => counter(posting, at, isClosed(posting.queue.checkpoint))),
      NorthCheckpointClosed: isClosed('North'),
      SouthCheckpointClosed: isClosed('South'),
    }
    return { ...json(answer), expected: expectedReadings(postings, null) }
  },
}

function counter({ queue, published }: Posting, at: number, sideClosed: boolean): object {
  const dwell = hashOf(`${queue.id} ${published.minutes}`) % 400
  const word = published.state === 'closed' ? (sideClosed ? '10' : 'Closed') : ''
  return {
    CounterId: at + 1,
    CounterName: `${queue.checkpoint}${queue.fields.lane}`,
    PredictedDwell: dwell + 6,
    EstimatedDwell: dwell,
    Occupancy: dwell % 50,
    DisplayText: published.state === 'open' ? String(published.minutes) : word,
  }
}
