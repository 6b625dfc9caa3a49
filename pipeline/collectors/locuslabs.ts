import { z } from 'zod'
import { isObject } from '../../config/json-object.ts'
import { instantOfMs } from '../parsing/clocks.ts'
import { isSet } from '../parsing/flags-and-ages.ts'
import { Anything, optionalObject, readEntries, readJson, Text } from '../parsing/json.ts'
import { knownLane } from '../parsing/lanes.ts'
import type { NoticeReporter } from '../parsing/notices.ts'
import { readMinutes, statusOfClosing, statusUnlessClosed } from '../parsing/posted-waits.ts'
import { jsonRequest } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

const Answer = z.object({ data: z.record(z.string(), z.unknown()) })
const Checkpoint = z.object({
  name: Text,
  queue: optionalObject({ queueSubtype: Text }),
  dynamicData: optionalObject({
    queue: optionalObject({ queueTime: Anything, isQueueTimeDefault: Anything, timestamp: Anything }),
  }),
  timestamp: Anything,
  isClosed: Anything,
  isTemporarilyClosed: Anything,
})

/** A maker of airport maps: its places of interest, by id, with the queues of those that are checkpoints (seen 2026-08). */
export const locuslabs = waitCollector({
  id: 'locuslabs',
  request: ({ source, airports }) =>
    airports.map((iata) => jsonRequest(`${source.url}/${iata.toLowerCase()}/dynamic-poi`, iata)),
  read: (payload) => {
    const places = Object.entries(readJson(payload.body, Answer).data)
    // Shops, gates and lifts are in the same list.
    const checkpoints = places.filter(([, place]) => isObject(place) && place.category === 'security.checkpoint')
    return readEntries(checkpoints, payload.report.at('data'), Checkpoint, (checkpoint, report) => {
      const live = checkpoint.dynamicData?.queue
      if (live === undefined || checkpoint.name === '')
        return report.info('row_unreadable', 'The checkpoint has no name or no queue.', checkpoint.name)
      const lane = knownLane(checkpoint.queue?.queueSubtype ?? '', report.at('queue.queueSubtype'))
      if (lane === null) return null
      const isFiller = isSet(live.isQueueTimeDefault)
      if (isFiller) report.info('wait_is_default', 'The wait is a filler, not a measurement.', live.queueTime)
      const waitReport = report.at('dynamicData.queue.queueTime')
      return {
        ...payload.unknownReading,
        checkpoint: checkpoint.name,
        lane,
        ...payload.observedAt(live.timestamp ?? checkpoint.timestamp, instantOfMs, report.at('timestamp')),
        wait_minutes: isFiller ? null : readMinutes(live.queueTime, 'minutes', waitReport),
        status: closedStatus(checkpoint, report),
      }
    })
  },
})

function closedStatus({ isClosed, isTemporarilyClosed }: z.output<typeof Checkpoint>, report: NoticeReporter) {
  const status = statusOfClosing(isClosed, report.at('isClosed'))
  return statusUnlessClosed(status, isTemporarilyClosed, report.at('isTemporarilyClosed'))
}
