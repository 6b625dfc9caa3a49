import { z } from 'zod'
import { ParseError } from '../../config/errors.ts'
import { isSet } from '../parsing/flags-and-ages.ts'
import { Anything, Name, readJson, Text } from '../parsing/json.ts'
import { postedWait, readMinutes } from '../parsing/posted-waits.ts'
import { jsonRequest, SCRIPT_HEADERS } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

const Answer = z.object({ hasError: Anything, internalErrorMessage: Text })
const Checkpoint = z.object({ name: Name, waitingTime: Anything, waitingTimeText: Text })

/** Düsseldorf: minutes per checkpoint, no observation time; answers only the requests of its own page. */
export const dusSitecore = waitCollector({
  id: 'dus-sitecore',
  request: ({ source }) => [jsonRequest(source.url, null, SCRIPT_HEADERS)],
  read: (payload) => {
    const { hasError, internalErrorMessage } = readJson(payload.body, Answer)
    if (isSet(hasError)) throw new ParseError('hasError', `is set: ${internalErrorMessage.slice(0, 100)}`)
    return payload.readJsonRows(['data'], Checkpoint, (checkpoint, report) => ({
      ...payload.unknownReading,
      checkpoint: checkpoint.name,
      wait_minutes: readMinutes(checkpoint.waitingTime, 'minutes', report.at('waitingTime')),
      wait_text: checkpoint.waitingTimeText || null,
      status: postedWait(checkpoint.waitingTimeText, report.at('waitingTimeText')).status,
    }))
  },
})
