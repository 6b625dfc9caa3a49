import { z } from 'zod'
import { isoClock } from '../parsing/clocks.ts'
import { Anything, readJson, Text, textOf } from '../parsing/json.ts'
import { postedWait } from '../parsing/posted-waits.ts'
import { jsonRequest } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

/** "Security checkpoint, Concourse A" and "Departure gates: A1 - A69" are two lines of the field `ps`. */
const Lines = Anything.transform((value) =>
  typeof value === 'string'
    ? value
        .split(/[\r\n]+/)
        .map(textOf)
        .filter(Boolean)
        .join(', ')
    : '',
)
const Queue = z
  .object({ kat: Text, id: Text, ps: Lines, st: Text, t: Text, lu: Anything, status: Text })
  .transform((queue) => ({
    ...queue,
    isSecurity: queue.kat.toLowerCase() === 'security checkpoint',
    name: queue.ps || queue.st || queue.id,
  }))
  .refine(({ isSecurity, name }) => !isSecurity || name !== '')

/** Frankfurt: `status` holds "7 min" or "closed"; `kat` distinguishes security from passport control and the rest of the list. */
export const fraWaz = waitCollector({
  id: 'fra-waz',
  request: ({ source }) => [jsonRequest(source.url, null)],
  read: (payload) => {
    const { lu } = readJson(payload.body, z.object({ lu: Anything }))
    return payload.readJsonRows(['data'], Queue, (queue, report) => {
      // "TKS" are checkpoints for people who change planes.
      const isTransfer = /transfer/i.test(queue.name) || /TKS/.test(queue.id)
      if (!queue.isSecurity || isTransfer) return null
      return {
        ...payload.unknownReading,
        terminal: queue.t,
        checkpoint: queue.name,
        ...payload.observedAt(queue.lu ?? lu, isoClock, report.at('lu')),
        ...postedWait(queue.status, report.at('status')),
      }
    })
  },
})
