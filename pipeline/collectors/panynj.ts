import lzString from 'lz-string'
import { ParseError } from '../../config/errors.ts'
import { laneOfWord } from '../../config/lanes.ts'
import { type Notice, notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { isObject, jsonBody, listAt, objectAt, textOf } from '../parsing/body.ts'
import { clockBefore } from '../parsing/clocks.ts'
import type { Collector, ParseContext } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { readMinutes } from '../parsing/minutes-value.ts'
import { observedAt } from '../parsing/observed.ts'

/** Introspection is off; these are the fields that public clients were seen to read in 2026-08. */
const QUERY = `query GetSecurityWaitTimes($airportCode: String!) {
  securityWaitTimes(airportCode: $airportCode) {
    title terminal gate checkPoint queueType isOpen waitTime isWaitTimeAvailable status lastUpdated
  }
}`

/**
 * JFK, LGA and EWR: a GraphQL question, LZ-compressed as the sites' own pages send it, posted as plain text. Options: the site of each
 * airport, by its code.
 */
export const panynj: Collector<'readings'> = {
  id: 'panynj',
  lands: 'readings',
  transport: 'http',
  request: ({ source, airports }) =>
    airports.flatMap((iata) => {
      const site = source.options[iata]
      if (typeof site !== 'string') return []
      const question = { operationName: 'GetSecurityWaitTimes', variables: { airportCode: iata }, query: QUERY }
      return {
        url: `${site}/api/graphql`,
        method: 'POST' as const,
        headers: {
          'Content-Type': 'text/plain',
          Accept: 'application/graphql-response+json, application/json',
          Origin: site,
          Referer: `${site}/`,
        },
        body: lzString.compressToEncodedURIComponent(JSON.stringify(question)),
        iata,
      }
    }),
  parse: (body, context) => {
    const answer = objectAt(jsonBody(body), '$')
    if (!isObject(answer.data))
      throw new ParseError('data', `is missing; errors: ${JSON.stringify(answer.errors ?? null).slice(0, 200)}`)
    const notices: Notice[] = []
    const rows = listAt(answer.data.securityWaitTimes, 'data.securityWaitTimes')
    return finish(
      rows.flatMap((row, at) => parseRow(row, `data.securityWaitTimes[${at}]`, context, notices)),
      notices,
      context,
    )
  },
}

function parseRow(row: unknown, path: string, context: ParseContext, notices: Notice[]): ParsedReading[] {
  const iata = airportOf(context)
  if (!isObject(row) || textOf(row.terminal) + textOf(row.checkPoint) === '') {
    notices.push(notice('row_unreadable', 'warning', path, 'A row names neither terminal nor checkpoint.', row, iata))
    return []
  }
  const queueType = textOf(row.queueType)
  const lane = queueType === '' ? 'all' : laneOfWord(queueType)
  if (lane === null) {
    notices.push(
      notice(
        'lane_unknown',
        'warning',
        `${path}.queueType`,
        'A lane is new to us; its row is left out.',
        queueType,
        iata,
      ),
    )
    return []
  }
  const place = (field: string) => ({ path: `${path}.${field}`, iata, notices })
  const clock = clockBefore(row.lastUpdated, context.timezoneOf(iata), context.fetched_at)
  const status = textOf(row.status)
  return [
    {
      kind: 'security',
      iata,
      terminal: textOf(row.terminal),
      checkpoint: nameOf(row),
      lane,
      ...observedAt(clock, row.lastUpdated, context, place('lastUpdated')),
      wait_minutes: waitOf(row, place('waitTime')),
      wait_minutes_low: null,
      wait_minutes_high: null,
      wait_text: status === '' || status === 'Open' ? null : status,
      status: statusOf(row, status),
    },
  ]
}

/** EWR's Terminal B has three groups of gates with one checkpoint name between them. */
function nameOf(row: Record<string, unknown>): string {
  const gate = textOf(row.gate)
  return [textOf(row.checkPoint), gate === '' ? '' : `gates ${gate}`].filter(Boolean).join(', ')
}

/** "No Wait" without a number is a real zero; without a number for any other reason there is none. */
function waitOf(row: Record<string, unknown>, place: Parameters<typeof readMinutes>[2]): number | null {
  if (row.isWaitTimeAvailable !== false) return readMinutes(row.waitTime, 'minutes', place)
  return textOf(row.status) === 'No Wait' ? 0 : null
}

function statusOf(row: Record<string, unknown>, status: string): ParsedReading['status'] {
  // During the March 2026 shutdown the pages said "suspended".
  if (row.isOpen === false || /^(closed|suspended)$/i.test(status)) return 'closed'
  return row.isOpen === true ? 'open' : 'unknown'
}
