import { z } from 'zod'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { Name, readJson, Text, textOf } from '../parsing/json.ts'
import type { NoticeReporter } from '../parsing/notices.ts'
import { postedWait } from '../parsing/posted-waits.ts'
import { jsonRequest } from '../parsing/requests.ts'
import { type WaitPayload, waitCollector } from '../parsing/wait-collector.ts'

/** The waits that a check-in area may publish, with the end of each queue's name. */
const CHECKIN_WAITS = [
  { field: 'economy', name: '' },
  { field: 'fastBagDrop', name: ', fast bag drop' },
  { field: 'selfServiceBagDrop', name: ', self-service bag drop' },
] as const

const CheckinArea = z.object({ number: Name, economy: Text, fastBagDrop: Text, selfServiceBagDrop: Text })
const PassportControl = z.object({ identifier: Name, waitingTime: Text })
const Security = z.object({ maxWaitingTime: z.unknown() })

/** Zurich: three addresses for three kinds of queue, each a source; numbers or ranges as text, no observation time. */
export const zrh = waitCollector({
  id: 'zrh',
  request: ({ source }) => [jsonRequest(source.url, null)],
  read: (payload) => {
    const queue = queueReader(payload)
    if (payload.source.kind === 'checkin')
      return payload.readJsonRows(['checkin'], CheckinArea, (area, report) =>
        CHECKIN_WAITS.filter(({ field }) => area[field] !== '').map(({ field, name }) =>
          queue(`Check-in ${area.number}${name}`, area[field], report.at(field)),
        ),
      )
    if (payload.source.kind === 'immigration')
      return payload.readJsonRows(['passportControl'], PassportControl, (control, report) =>
        queue(control.identifier, control.waitingTime, report.at('waitingTime')),
      )
    const { maxWaitingTime } = readJson(payload.body, Security)
    return [queue('Security', textOf(maxWaitingTime), payload.report.at('maxWaitingTime'))]
  },
})

function queueReader(payload: WaitPayload) {
  const { kind } = payload.source
  return (checkpoint: string, wait: string, report: NoticeReporter): ParsedReading => ({
    ...payload.unknownReading,
    kind: kind === 'checkin' || kind === 'immigration' ? kind : 'security',
    checkpoint,
    ...postedWait(wait, report),
  })
}
