import { expectedReadings, json, minuteOf, postingsOf, type Site } from './site.ts'

const OPTIONS = ['General', 'Pre', 'Clear', 'Spot Saver', 'Premium', 'Visitor Pass']

/** SEA: JSON without a key, times as `/Date(ms)/`, one wait per checkpoint for all its lanes. */
export const portseattle: Site = {
  hosts: ['www.portseattle.org'],
  answer: ({ path }, context) => {
    if (path !== '/api/cwt/wait-times') return null
    const { now } = context
    const at = minuteOf(now)
    const postings = postingsOf('sea-cwt', context)
    const rows = postings.map(({ queue: { fields }, published }, place) => {
      const offered = fields.options!.split(',')
      return {
        CheckpointID: place + 1,
        Name: fields.name,
        Order: place + 1,
        IsOpen: published.state !== 'closed',
        WaitTimeMinutes: published.minutes ?? 0,
        PreCheck: offered.includes('Pre') ? 1 : 0,
        IsDataAvailable: published.state === 'open',
        MinutesTillInvalid: 10,
        MinutesSinceLastUpdate: Math.floor((now - at) / 60_000),
        QueueLength: (published.minutes ?? 0) * 4,
        Options: OPTIONS.map((name) => ({ Name: name, Availability: availability(name, offered) })),
        LastUpdated: `/Date(${at})/`,
      }
    })
    return { ...json(rows), expected: expectedReadings(postings, at) }
  },
}

function availability(name: string, offered: string[]): string {
  if (!offered.includes(name)) return 'Not Available'
  return offered.length === 1 ? 'Only' : 'Available'
}
