import { queuesOf } from '../catalogue/index.ts'
import { json, minuteOf, type Site } from './site.ts'

const OPTIONS = ['General', 'Pre', 'Clear', 'Spot Saver', 'Premium', 'Visitor Pass']

/** SEA: keyless JSON, `/Date(ms)/` times, one wait a checkpoint whatever its lanes. */
export const portseattle: Site = {
  hosts: ['www.portseattle.org'],
  answer: ({ path }, { world, now }) => {
    if (path !== '/api/cwt/wait-times') return null
    const at = minuteOf(now)
    const rows = queuesOf('SEA').map(({ id, words }, place) => {
      const posting = world.postedAt(id, at)
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
    return json(rows)
  },
}

function availability(name: string, offered: string[]): string {
  if (!offered.includes(name)) return 'Not Available'
  return offered.length === 1 ? 'Only' : 'Available'
}
