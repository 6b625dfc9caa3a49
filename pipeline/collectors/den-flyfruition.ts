import { z } from 'zod'
import { isSet } from '../parsing/flags-and-ages.ts'
import { Anything, matchShape, Name, readRows, rowsAt, Text } from '../parsing/json.ts'
import { knownLane } from '../parsing/lanes.ts'
import { postedWait, statusUnlessClosed } from '../parsing/posted-waits.ts'
import { LEARN_FROM_PAGE, learnedKeyRequest, valuesInScript } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

const KEY_HEADERS = { api_key: 'x-api-key' }

const Checkpoint = z.object({ title: Name, lanes: Anything })
const LaneOfCheckpoint = z.object({
  title: Text,
  wait_time: Text,
  hide_lane: Anything,
  closed: Anything,
  force_close: Anything,
})

/** Denver's widget: a range per lane ("3-7"), no observation time. The widget's key is learned from the page (seen 2026-08). */
export const denFlyfruition = waitCollector({
  id: 'den-flyfruition',
  learn: {
    ...LEARN_FROM_PAGE,
    headers: KEY_HEADERS,
    fromScript: keyInWidget,
  },
  request: (context) => {
    const request = learnedKeyRequest(context, KEY_HEADERS)
    // The widget sends the site without the path of its page.
    return [{ ...request, headers: { ...request.headers, Referer: `${request.headers.Origin}/` } }]
  },
  read: (payload) =>
    payload.readJsonRows([], Checkpoint, (checkpoint, checkpointReport) => {
      const lanes = matchShape(checkpoint.lanes ?? [], rowsAt())
      return readRows(lanes, checkpointReport.at('lanes'), LaneOfCheckpoint, (row, report) => {
        if (isSet(row.hide_lane)) return null
        const lane = knownLane(row.title, report)
        if (lane === null) return null
        const posted = postedWait(row.wait_time, report)
        const status = statusUnlessClosed(posted.status, row.closed, report.at('closed'))
        return {
          ...payload.unknownReading,
          checkpoint: checkpoint.title,
          lane,
          ...posted,
          status: statusUnlessClosed(status, row.force_close, report.at('force_close')),
        }
      })
    }),
})

/** The key in a script that names the feed close by: other widgets of the page use the same header with their own keys. */
export function keyInWidget(script: string): Record<string, string> | null {
  const values = valuesInScript(script, KEY_HEADERS.api_key, { reach: 600 })
  const found = values.find(({ nearby }) => nearby.includes('flyfruition'))
  return found === undefined ? null : { api_key: found.value }
}
