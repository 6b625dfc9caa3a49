import { z } from 'zod'
import { flagOf } from '../parsing/flags-and-ages.ts'
import { Anything, Text } from '../parsing/json.ts'
import { knownLane } from '../parsing/lanes.ts'
import { readMinutes, statusOf } from '../parsing/posted-waits.ts'
import { LEARN_FROM_PAGE, learnedKeyRequest, valuesInScript } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

const KEY_HEADERS = { subscription_key: 'Ocp-Apim-Subscription-Key' }

const Queue = z
  .object({
    checkpointName: Text,
    checkpointId: Text,
    queueId: Text,
    queueName: Text,
    canDisplayData: Anything,
    waitTime: Anything,
    status: Anything,
  })
  .refine(({ checkpointName, checkpointId }) => checkpointName !== '' || checkpointId !== '')

/** Pittsburgh's own service. The key is in the script of the security page and is learned there (seen 2026-08). */
export const pitAzure = waitCollector({
  id: 'pit-azure',
  learn: {
    ...LEARN_FROM_PAGE,
    headers: KEY_HEADERS,
    fromScript: (script) => {
      const subscription_key = valuesInScript(script, KEY_HEADERS.subscription_key)[0]?.value
      return subscription_key === undefined ? null : { subscription_key }
    },
  },
  request: (context) => [learnedKeyRequest(context, KEY_HEADERS)],
  read: (payload) =>
    payload.readJsonRows([], Queue, (queue, report) => {
      // The site does not show these rows; they carry numbers all the same.
      if (flagOf(queue.canDisplayData) === false) return null
      const lane = knownLane(queue.queueId.replace(/^TMP_/, '') || queue.queueName, report.at('queueId'))
      if (lane === null) return null
      return {
        ...payload.unknownReading,
        checkpoint: queue.checkpointName || queue.checkpointId,
        lane,
        wait_minutes: readMinutes(queue.waitTime, 'minutes', report.at('waitTime')),
        status: statusOf(queue.status, report.at('status')),
      }
    }),
})
