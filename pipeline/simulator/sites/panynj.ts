import { DateTime } from 'luxon'
import lzString from 'lz-string'
import { z } from 'zod'
import type { Queue } from '../catalogue/queue.ts'
import { CHECKPOINT } from '../catalogue/us-airports.ts'
import type { PublishedState } from '../model/queues.ts'
import { expectedReadings, json, minuteOf, postingsOf, type Site, text } from './site.ts'

/** The Port Authority's airports, each with a site of its own. */
export const PORT_AUTHORITY: Record<string, string> = {
  'www.jfkairport.com': 'JFK',
  'www.laguardiaairport.com': 'LGA',
  'www.newarkairport.com': 'EWR',
}
const Question = z.object({
  operationName: z.string(),
  variables: z.object({ airportCode: z.string() }),
  query: z.string(),
})

/** JFK, LGA and EWR: a GraphQL question, LZ-compressed and posted as plain text; clocks without a date. */
export const panynj: Site = {
  hosts: Object.keys(PORT_AUTHORITY),
  answer: ({ method, host, path, body }, context) => {
    if (path !== '/api/graphql') return null
    if (method !== 'POST') return text('Method Not Allowed', 405)
    const question = questionIn(body)
    if (!question) return json({ errors: [{ message: 'Unexpected token in request body' }] }, 400)
    const iata = question.variables.airportCode
    if (!question.query.includes('securityWaitTimes'))
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

function questionIn(body: string): z.infer<typeof Question> | null {
  try {
    return Question.parse(JSON.parse(lzString.decompressFromEncodedURIComponent(body) ?? ''))
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
    checkPoint: CHECKPOINT,
    queueType: fields.queueType,
    isOpen: published.state !== 'closed',
    waitTime: published.minutes ?? 0,
    // A queue without a wait is called so, and its number is then not "available".
    isWaitTimeAvailable: known && !noWait,
    status: published.state === 'closed' ? 'Closed' : noWait ? 'No Wait' : 'Open',
    lastUpdated: DateTime.fromMillis(at, { zone: 'America/New_York', locale: 'en-US' }).toFormat('h:mm a'),
  }
}
