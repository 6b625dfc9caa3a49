import { z } from 'zod'
import { ParseError } from '../../config/errors.ts'
import { Anything, matchShape, Name, parseJson, readRows, rowsAt, Text } from '../parsing/json.ts'
import { postedWait } from '../parsing/posted-waits.ts'
import { jsonRequest, pageHeaders } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

const Groups = z.object({ data: z.object({ En: Anything, Security: Anything, D2D: Anything }) })
const Queue = z.object({ queueId: Name, waiting_time: Text })

/**
 * Delhi's Terminal 2, as ranges ("3-5 minutes"). `En` (entrance gates, where tickets are checked) and `D2D` (people who
 * change planes) are not the security queue and are left out; Terminal 3's feed holds entrance gates only.
 */
export const delDial = waitCollector({
  id: 'del-dial',
  request: ({ source }) => [jsonRequest(source.url, null, pageHeaders(source))],
  read: (payload) => {
    const { data } = matchShape(parseJson(payload.body), Groups)
    if (Object.keys(data).length === 0) throw new ParseError('data', 'holds none of En, Security and D2D')
    const queues = matchShape(data.Security ?? [], rowsAt())
    return readRows(queues, payload.report.at('data').at('Security'), Queue, (queue, report) => ({
      ...payload.unknownReading,
      terminal: 'T2',
      checkpoint: queue.queueId,
      ...postedWait(queue.waiting_time, report.at('waiting_time')),
    }))
  },
})
