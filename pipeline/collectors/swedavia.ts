import { z } from 'zod'
import { utcIsoClock } from '../parsing/clocks.ts'
import { isSet } from '../parsing/flags-and-ages.ts'
import { Anything, List, Name, readJson, readRows, Text, textOf } from '../parsing/json.ts'
import { postedWait, readMinutes, statusOfClosing } from '../parsing/posted-waits.ts'
import { jsonRequest, learnedHeaders } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

/** Swedavia's two feeds: the list of its own pages, and its documented API for which an operator needs a key. */

/** An object with names in camelCase: until 2023 they were in PascalCase. */
const CamelCased = z
  .record(z.string(), z.unknown())
  .transform((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name.charAt(0).toLowerCase() + name.slice(1), value]),
    ),
  )

const PageAnswer = CamelCased.pipe(
  z.object({
    queueTimesList: z.array(z.unknown()),
    queueTimesDisabled: Anything,
    queueTimesReplacementMessage: Text,
  }),
)
const PageQueue = CamelCased.pipe(
  z.object({
    displayNameEnglish: Text,
    displayName: Text,
    name: Text,
    isDisabled: Anything,
    terminalId: List,
    interval: Text,
    overflow: Anything,
    isFastTrack: Anything,
    currentProjectedQueueTime: Anything,
    isStationClosed: Anything,
  }),
).refine(({ displayNameEnglish, displayName, name }) => displayNameEnglish + displayName + name !== '')

/** The list that Swedavia's own pages read, without a key: seconds. */
export const swedavia = waitCollector({
  id: 'swedavia',
  request: ({ source, airports }) => airports.map((iata) => jsonRequest(`${source.url}/${iata}/true`, iata)),
  read: (payload) => {
    const answer = readJson(payload.body, PageAnswer)
    if (isSet(answer.queueTimesDisabled)) {
      const report = payload.report.at('queueTimesDisabled')
      report.info('source_paused', 'The source says that it shows no waits now.', answer.queueTimesReplacementMessage)
      return []
    }
    return readRows(answer.queueTimesList, payload.report.at('queueTimesList'), PageQueue, (queue, report) => {
      const checkpoint = queue.displayNameEnglish || queue.displayName || queue.name
      if (isSet(queue.isDisabled)) return null
      const { interval } = queue
      const range = postedWait(interval, report.at('interval'))
      const waitReport = report.at('currentProjectedQueueTime')
      // A queue beyond the sensors: 960 s stood beside "at least 25 min" (seen 2026-08), so only the bound is true.
      const isOverflowing = isSet(queue.overflow)
      return {
        ...payload.unknownReading,
        terminal: textOf(queue.terminalId[0]),
        checkpoint,
        lane: isSet(queue.isFastTrack) ? 'priority' : 'standard',
        wait_minutes: isOverflowing ? null : readMinutes(queue.currentProjectedQueueTime, 'seconds', waitReport),
        wait_minutes_low: range.wait_minutes_low,
        wait_minutes_high: isOverflowing ? null : range.wait_minutes_high,
        wait_text: interval || null,
        status: statusOfClosing(queue.isStationClosed, report.at('isStationClosed')),
      }
    })
  },
})

const KEY_HEADERS = { operator_key: 'Ocp-Apim-Subscription-Key' }

const ApiQueue = z.object({
  queueName: Name,
  terminal: Text,
  isFastTrack: Anything,
  currentTime: Anything,
  currentProjectedWaitTime: Anything,
  overflow: Anything,
})

/** The documented API: minutes, UTC times; needs the operator's own free key. A 0 is a real and common wait. */
export const swedaviaKeyed = waitCollector({
  id: 'swedavia-keyed',
  key_setting: 'swedavia_key',
  request: ({ source, airports, learned_keys }) =>
    airports.map((iata) => jsonRequest(`${source.url}/${iata}`, iata, learnedHeaders(KEY_HEADERS, learned_keys))),
  read: (payload) =>
    payload.readJsonRows(['waitTimes'], ApiQueue, (queue, report) => {
      const wait = readMinutes(queue.currentProjectedWaitTime, 'minutes', report.at('currentProjectedWaitTime'))
      // A queue beyond the sensors is at least as long as the part they see.
      const isOverflowing = isSet(queue.overflow)
      return {
        ...payload.unknownReading,
        terminal: queue.terminal,
        checkpoint: queue.queueName.replace(/\s+fast ?track$/i, ''),
        lane: isSet(queue.isFastTrack) ? 'priority' : 'standard',
        ...payload.observedAt(queue.currentTime, utcIsoClock, report.at('currentTime')),
        wait_minutes: isOverflowing ? null : wait,
        wait_minutes_low: isOverflowing ? wait : null,
      }
    }),
})
