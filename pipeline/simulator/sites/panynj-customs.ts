import { DateTime } from 'luxon'
import { PORT_AUTHORITY } from './panynj.ts'
import { sometimes } from './published-waits.ts'
import { expectedReadings, json, minuteOf, type Posting, postingsOf, type Site, type SiteContext } from './site.ts'

/** Passport halls of JFK and EWR (LGA has none), for visitors of the airport's own page; local times of two forms. */
export const panynjCustoms: Site = {
  hosts: ['avi-prod-mpp-webapp-api.azurewebsites.net'],
  answer: ({ path, headers }, context) => {
    const iata = path.match(/^\/api\/CustomClearanceTimesPoints\/([A-Z]{3})$/)?.[1] ?? ''
    const host = Object.keys(PORT_AUTHORITY).find((page) => PORT_AUTHORITY[page] === iata)
    if (host === undefined) return null
    const page = `https://${host}`
    if (headers.origin !== page || !headers.referer?.startsWith(page)) return json({ message: 'Unauthorized' }, 401)
    const at = minuteOf(context.now)
    const postings = postingsOf('panynj-customs', context, iata)
    return { ...json(postings.map((posting) => row(posting, context, at))), expected: expectedReadings(postings, at) }
  },
}

function row({ queue, published }: Posting, context: SiteContext, at: number): object {
  const local = DateTime.fromMillis(at, { zone: 'America/New_York', locale: 'en-US' })
  const worded = sometimes(context, `clock ${queue.id}`, 0.5)
  const time = worded
    ? { updateTimeText: local.toFormat('hh:mm a') }
    : { updateTime: local.toFormat("yyyy-MM-dd'T'HH:mm:ss") }
  const closed = published.state === 'closed'
  // An empty hall is a word, and its number is then not "available", as in the Authority's other feed.
  const empty = published.minutes === 0 && worded
  return {
    terminal: queue.terminal,
    // A closed hall keeps its last number.
    timeInMinutes: closed ? 24 : published.minutes,
    ...(empty ? { isWaitTimeAvailable: false } : {}),
    status: closed ? 'Closed' : empty ? 'No Wait' : 'Open',
    ...time,
  }
}
