import { DateTime } from 'luxon'
import lzString from 'lz-string'
import { z } from 'zod'
import { zoneOf } from '../../../config/time-zones/local-time.ts'
import type { Queue } from '../catalogue/queue.ts'
import type { PublishedState } from '../model/queues.ts'
import { sometimes } from './published-waits.ts'
import {
  expectedReadings,
  json,
  minuteOf,
  type Posting,
  postingsOf,
  type Site,
  type SiteContext,
  text,
} from './site.ts'

/** The Port Authority's airports, by the host of their own site. */
export const PORT_AUTHORITY: Record<string, string> = {
  'www.jfkairport.com': 'JFK',
  'www.laguardiaairport.com': 'LGA',
  'www.newarkairport.com': 'EWR',
}
const GraphqlRequest = z.object({
  operationName: z.string(),
  variables: z.object({ airportCode: z.string() }),
  query: z.string(),
})

/** JFK, LGA and EWR: a GraphQL query, LZ-compressed and posted as plain text; times without a date. */
export const panynj: Site = {
  hosts: Object.keys(PORT_AUTHORITY),
  answer: ({ method, host, path, body }, context) => {
    if (path !== '/api/graphql') return null
    if (method !== 'POST') return text('Method Not Allowed', 405)
    const request = requestIn(body)
    if (!request) return json({ errors: [{ message: 'Unexpected token in request body' }] }, 400)
    const iata = request.variables.airportCode
    if (!request.query.includes('securityWaitTimes'))
      return json({ errors: [{ message: 'GraphQL introspection is not allowed' }] }, 400)
    if (iata !== PORT_AUTHORITY[host]) return json({ data: { securityWaitTimes: [] } })
    const at = minuteOf(context.now)
    const postings = postingsOf('panynj-graphql', context, iata)
    return {
      ...json({ data: { securityWaitTimes: postings.map(({ queue, published }) => row(queue, published, at)) } }),
      expected: expectedReadings(postings, at),
    }
  },
}

function requestIn(body: string): z.infer<typeof GraphqlRequest> | null {
  try {
    return GraphqlRequest.parse(JSON.parse(lzString.decompressFromEncodedURIComponent(body) ?? ''))
  } catch {
    return null
  }
}

function row({ terminal, fields }: Queue, published: PublishedState, at: number): object {
  const known = published.state === 'open'
  const noWait = published.minutes === 0
  return {
    title: `Terminal ${terminal}`,
    terminal,
    gate: fields.gate ?? null,
    // The feed's spelling.
    checkPoint: 'Main ChekPoint',
    queueType: fields.queueType,
    isOpen: published.state !== 'closed',
    waitTime: published.minutes ?? 0,
    // An empty queue is shown as "No Wait", and its number is then not "available".
    isWaitTimeAvailable: known && !noWait,
    status: statusText(published.state === 'closed', noWait),
    lastUpdated: DateTime.fromMillis(at, { zone: zoneOf('America/New_York'), locale: 'en-US' }).toFormat('h:mm a'),
  }
}

/** Passport halls of JFK and EWR (LGA has none), for the airport's own page only; local times in two formats. */
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
    return {
      ...json(postings.map((posting) => hallRow(posting, context, at))),
      expected: expectedReadings(postings, at),
    }
  },
}

function hallRow({ queue, published }: Posting, context: SiteContext, at: number): object {
  const local = DateTime.fromMillis(at, { zone: zoneOf('America/New_York'), locale: 'en-US' })
  const isText = sometimes(context, `clock ${queue.id}`, 0.5)
  const time = isText
    ? { updateTimeText: local.toFormat('hh:mm a') }
    : { updateTime: local.toFormat("yyyy-MM-dd'T'HH:mm:ss") }
  const closed = published.state === 'closed'
  // An empty hall is shown as "No Wait", and its number is then not "available", as in the Authority's other feed.
  const empty = published.minutes === 0 && isText
  return {
    terminal: queue.terminal,
    // A closed hall still shows a number.
    timeInMinutes: closed ? 24 : published.minutes,
    ...(empty ? { isWaitTimeAvailable: false } : {}),
    status: statusText(closed, empty),
    ...time,
  }
}

function statusText(closed: boolean, empty: boolean): string {
  if (closed) return 'Closed'
  return empty ? 'No Wait' : 'Open'
}
