import lzString from 'lz-string'
import { z } from 'zod'
import { ParseError } from '../../config/errors.ts'
import { isObject } from '../../config/json-object.ts'
import type { QueueStatus } from '../../config/vocabulary.ts'
import { type Clock, isoClock, timeOfDay } from '../parsing/clocks.ts'
import { flagOf } from '../parsing/flags-and-ages.ts'
import { Anything, Name, readJson, Text } from '../parsing/json.ts'
import { knownLane } from '../parsing/lanes.ts'
import type { NoticeReporter } from '../parsing/notices.ts'
import { readMinutes, statusOf, statusOfFlag } from '../parsing/posted-waits.ts'
import { textOfEachAirport } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

/** JFK, LGA and EWR: the Port Authority's GraphQL feed and its older service, which hold the same security rows. */

/** Introspection is off; these are the fields that public clients were seen to read in 2026-08. */
const QUERY = `query GetSecurityWaitTimes($airportCode: String!) {
  securityWaitTimes(airportCode: $airportCode) {
    title terminal gate checkPoint queueType isOpen waitTime isWaitTimeAvailable status lastUpdated
  }
}`

const GraphqlRow = z
  .object({
    terminal: Text,
    checkPoint: Text,
    gate: Text,
    queueType: Text,
    isOpen: Anything,
    waitTime: Anything,
    isWaitTimeAvailable: Anything,
    status: Text,
    lastUpdated: Anything,
  })
  .refine(({ terminal, checkPoint }) => terminal !== '' || checkPoint !== '')

/**
 * The GraphQL feed of the airports' own pages: the query is LZ-compressed and posted as plain text, as the pages do it.
 * Options: the site of each airport, by its code.
 */
export const panynj = waitCollector({
  id: 'panynj',
  options: textOfEachAirport,
  request: ({ source, airports }) =>
    airports.flatMap((iata) => {
      const site = source.options[iata]
      if (typeof site !== 'string') return []
      const query = { operationName: 'GetSecurityWaitTimes', variables: { airportCode: iata }, query: QUERY }
      return {
        url: `${site}/api/graphql`,
        method: 'POST',
        headers: {
          'Content-Type': 'text/plain',
          Accept: 'application/graphql-response+json, application/json',
          Origin: site,
          Referer: `${site}/`,
        },
        body: lzString.compressToEncodedURIComponent(JSON.stringify(query)),
        iata,
      }
    }),
  read: (payload) => {
    const answer = readJson(payload.body, z.object({ data: Anything, errors: Anything }))
    if (!isObject(answer.data))
      throw new ParseError('data', `is missing; errors: ${JSON.stringify(answer.errors ?? null).slice(0, 200)}`)
    return payload.readJsonRows(['data', 'securityWaitTimes'], GraphqlRow, (row, report) => {
      const lane = row.queueType === '' ? 'all' : knownLane(row.queueType, report.at('queueType'))
      if (lane === null) return null
      return {
        ...payload.unknownReading,
        terminal: row.terminal,
        checkpoint: checkpointName(row),
        lane,
        ...payload.observedAt(row.lastUpdated, timeOfDay, report.at('lastUpdated')),
        wait_minutes: waitIn(row, row.waitTime, report.at('waitTime')),
        wait_text: postedText(row),
        status: statusIn(row, row.isOpen, report.at('isOpen'), report),
      }
    })
  },
})

const RestRow = z.object({
  terminal: Name,
  checkPoint: Text,
  gate: Text,
  queueType: Text,
  queueOpen: Anything,
  timeInMinutes: Anything,
  isWaitTimeAvailable: Anything,
  status: Text,
  updateTime: Anything,
  updateTimeText: Anything,
})

const restClock: Clock = (text, zone, fetched_at) =>
  isoClock(text, zone, fetched_at) ?? timeOfDay(text, zone, fetched_at)

/** The older service, one list per airport: security (the same rows as GraphQL) and customs halls. */
export const panynjRest = waitCollector({
  id: 'panynj-rest',
  options: textOfEachAirport,
  request: ({ source, airports }) =>
    airports.flatMap((iata) => {
      const site = source.options[iata]
      if (typeof site !== 'string') return []
      const headers = { Accept: 'application/json', Origin: site, Referer: `${site}/` }
      return { url: `${source.url}/${iata}`, method: 'GET', headers, body: null, iata }
    }),
  read: (payload) => {
    const isImmigration = payload.source.kind === 'immigration'
    return payload.readJsonRows([], RestRow, (row, report) => {
      const hasNoLane = isImmigration || row.queueType === ''
      const lane = hasNoLane ? 'all' : knownLane(row.queueType, report.at('queueType'))
      if (lane === null) return null
      const openByWord = /^(open|no wait)$/i.test(row.status) ? true : row.queueOpen
      const timeReport = report.at('updateTime')
      return {
        ...payload.unknownReading,
        kind: isImmigration ? 'immigration' : 'security',
        terminal: row.terminal,
        checkpoint: checkpointName(row),
        lane,
        ...payload.observedAt(row.updateTime ?? row.updateTimeText, restClock, timeReport),
        wait_minutes: waitIn(row, row.timeInMinutes, report.at('timeInMinutes')),
        wait_text: postedText(row),
        status: statusIn(row, flagOf(row.queueOpen) === false ? false : openByWord, report.at('queueOpen'), report),
      }
    })
  },
})

/** EWR's Terminal B has three groups of gates with one checkpoint name between them. */
function checkpointName({ checkPoint, gate }: { checkPoint: string; gate: string }): string {
  return [checkPoint, gate === '' ? '' : `gates ${gate}`].filter(Boolean).join(', ')
}

/** "No Wait" without a number is a real zero; without a number for any other reason there is none. */
function waitIn(
  row: { isWaitTimeAvailable?: unknown; status: string },
  minutes: unknown,
  report: NoticeReporter,
): number | null {
  if (flagOf(row.isWaitTimeAvailable) !== false) return readMinutes(minutes, 'minutes', report)
  return /^no wait$/i.test(row.status) ? 0 : null
}

function postedText({ status }: { status: string }): string | null {
  return status === '' || status === 'Open' ? null : status
}

function statusIn(
  { status }: { status: string },
  isOpen: unknown,
  flagReport: NoticeReporter,
  report: NoticeReporter,
): QueueStatus {
  const byFlag = statusOfFlag(isOpen, flagReport)
  // During the March 2026 shutdown the pages said "suspended".
  const isClosedByWord = !/^no wait$/i.test(status) && statusOf(status, report.at('status')) === 'closed'
  return isClosedByWord ? 'closed' : byFlag
}
