import { z } from 'zod'
import { laneOfWord } from '../../config/lanes.ts'
import type { Lane } from '../../config/vocabulary.ts'
import { slashDate } from '../parsing/clocks.ts'
import { flagOf, isSet, numberOf } from '../parsing/flags-and-ages.ts'
import { Anything, List, Name, Text, textOf } from '../parsing/json.ts'
import { lanesOfSharedWait } from '../parsing/lanes.ts'
import { type NoticeReporter, reportStale } from '../parsing/notices.ts'
import { readMinutes, statusOfFlag } from '../parsing/posted-waits.ts'
import { jsonRequest } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

/** Seattle's options that are not queues: a reservation, and passes for people who do not fly. */
export const NOT_LANES = new Set(['Spot Saver', 'Visitor Pass'])

const Checkpoint = z.object({
  Name,
  LastUpdated: Anything,
  WaitTimeMinutes: Anything,
  IsDataAvailable: Anything,
  MinutesTillInvalid: Anything,
  MinutesSinceLastUpdate: Anything,
  IsOpen: Anything,
  Options: List,
})
const Option = z.object({ Name: Text, Availability: Anything })

/** Port of Seattle's checkpoint feed: keyless JSON, one wait per checkpoint for all its lanes (seen 2026-03 to 2026-08). */
export const seaCwt = waitCollector({
  id: 'sea-cwt',
  request: ({ source }) => [jsonRequest(source.url, null)],
  read: (payload) =>
    payload.readJsonRows([], Checkpoint, (checkpoint, report) => {
      const waitReport = report.at('WaitTimeMinutes')
      const reading = {
        ...payload.unknownReading,
        checkpoint: checkpoint.Name,
        ...payload.notNewerThan(
          checkpoint.MinutesSinceLastUpdate,
          payload.observedAt(checkpoint.LastUpdated, slashDate, report.at('LastUpdated')),
          report.at('MinutesSinceLastUpdate'),
        ),
        wait_minutes: isUsable(checkpoint, report)
          ? readMinutes(checkpoint.WaitTimeMinutes, 'minutes', waitReport)
          : null,
        status: statusOfFlag(checkpoint.IsOpen, report.at('IsOpen')),
      }
      return lanesOfSharedWait(lanesIn(checkpoint.Options, report)).map((lane) => ({ ...reading, lane }))
    }),
})

/** The site itself does not show a number that it calls unavailable or out of date. */
function isUsable({ IsDataAvailable, MinutesTillInvalid }: z.output<typeof Checkpoint>, report: NoticeReporter) {
  if (flagOf(IsDataAvailable) === false) return false
  const minutes_left = numberOf(MinutesTillInvalid)
  if (minutes_left === null || minutes_left > 0) return true
  reportStale(MinutesTillInvalid, report.at('MinutesTillInvalid'))
  return false
}

function lanesIn(options: unknown[], report: NoticeReporter): Set<Lane> {
  const lanes = new Set<Lane>()
  for (const option of options) {
    const { data } = Option.safeParse(option)
    const isOffered = isSet(data?.Availability) || /^(available|only)$/i.test(textOf(data?.Availability))
    if (data === undefined || !isOffered || NOT_LANES.has(data.Name)) continue
    const lane = laneOfWord(data.Name)
    if (lane !== null) lanes.add(lane)
    else report.at('Options').warning('lane_unknown', 'The lane is unknown.', data.Name)
  }
  return lanes
}
