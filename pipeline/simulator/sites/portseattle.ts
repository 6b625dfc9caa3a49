import { emissions, json, minuteOf, postsOf, type Site } from './site.ts'

const OPTIONS = ['General', 'Pre', 'Clear', 'Spot Saver', 'Premium', 'Visitor Pass']

/** SEA: keyless JSON, `/Date(ms)/` times, one wait a checkpoint whatever its lanes. */
export const portseattle: Site = {
  hosts: ['www.portseattle.org'],
  answer: ({ path }, stage) => {
    if (path !== '/api/cwt/wait-times') return null
    const { now } = stage
    const at = minuteOf(now)
    const posts = postsOf('sea-cwt', stage)
    const rows = posts.map(({ queue: { words }, posting }, place) => {
      const offered = words.options!.split(',')
      return {
        CheckpointID: place + 1,
        Name: words.name,
        Order: place + 1,
        IsOpen: posting.says !== 'closed',
        WaitTimeMinutes: posting.minutes ?? 0,
        PreCheck: offered.includes('Pre') ? 1 : 0,
        IsDataAvailable: posting.says === 'minutes',
        MinutesTillInvalid: 10,
        MinutesSinceLastUpdate: Math.floor((now - at) / 60_000),
        QueueLength: (posting.minutes ?? 0) * 4,
        Options: OPTIONS.map((name) => ({ Name: name, Availability: availability(name, offered) })),
        LastUpdated: `/Date(${at})/`,
      }
    })
    return { ...json(rows), emits: emissions(posts, at) }
  },
}

function availability(name: string, offered: string[]): string {
  if (!offered.includes(name)) return 'Not Available'
  return offered.length === 1 ? 'Only' : 'Available'
}
