import { z } from 'zod'
import { ParseError } from '../../config/errors.ts'
import { isoClock } from '../parsing/clocks.ts'
import { readJson, textOf } from '../parsing/json.ts'
import { postedWait } from '../parsing/posted-waits.ts'
import { jsonRequest } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

const Answer = z.record(z.string(), z.unknown())

/** Copenhagen: fixed keys per terminal, a number and a range ("10-15 min", "> 20 min", "< 5") of the same wait. */
export const cphAzure = waitCollector({
  id: 'cph-azure',
  request: ({ source }) => [jsonRequest(source.url, null)],
  read: (payload) => {
    const answer = readJson(payload.body, Answer)
    const terminals = ['2', '3'].filter((terminal) => Object.hasOwn(answer, `t${terminal}WaitingTimeInterval`))
    if (terminals.length === 0)
      throw new ParseError('t2WaitingTimeInterval', 'is missing, and so is that of terminal 3')
    const observation = payload.observedAt(answer.deliveryId, isoClock, payload.report.at('deliveryId'))
    return terminals.map((terminal) => {
      const field = `t${terminal}WaitingTime`
      const number = postedWait(textOf(answer[field]), payload.report.at(field))
      const range = postedWait(textOf(answer[`${field}Interval`]), payload.report.at(`${field}Interval`))
      return {
        ...payload.unknownReading,
        terminal,
        checkpoint: 'Security',
        ...observation,
        ...range,
        wait_minutes: range.wait_minutes ?? number.wait_minutes,
        status: range.status === 'unknown' ? number.status : range.status,
      }
    })
  },
})
