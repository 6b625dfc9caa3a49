import { z } from 'zod'
import type { QueueKind } from '../../config/vocabulary.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { isoClock } from '../parsing/clocks.ts'
import { Anything, optionalObject, readRows, Text, textOf } from '../parsing/json.ts'
import { type NoticeReporter, reportUnknownQueue, reportUnreadableRow } from '../parsing/notices.ts'
import { readMinutes } from '../parsing/posted-waits.ts'
import { jsonRequest, SCRIPT_HEADERS } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

const Checkpoint = z.object({ checkpoint_name: Text, queues: z.array(z.unknown()) })
const Queue = z.object({
  queue_name: Text,
  content: optionalObject({ queueLabel: optionalObject({ en: Text }) }),
  last_measured: Anything,
  wait_time: Anything,
})

/**
 * Doha's Xovis sensors. Option `unit` ("minutes" or "seconds") is the unit of the numbers. Nobody has verified it, so
 * without the option they are kept as text and give no minutes; a replay repairs earlier captures once it is set.
 */
export const dohXovis = waitCollector({
  id: 'doh-xovis',
  options: () => z.strictObject({ unit: z.enum(['minutes', 'seconds']).optional() }),
  request: ({ source }) => [jsonRequest(source.url, null, SCRIPT_HEADERS)],
  read: (payload) => {
    const { unit } = payload.source.options
    const knownUnit = unit === 'minutes' || unit === 'seconds' ? unit : null
    const readings = payload.readJsonRows(
      ['checkpoints'],
      Checkpoint,
      ({ checkpoint_name, queues }, checkpointReport) =>
        readRows(queues, checkpointReport.at('queues'), Queue, (queue, report): ParsedReading | null => {
          const label = queue.content?.queueLabel?.en ?? ''
          const checkpoint = label || checkpoint_name
          if (checkpoint === '') return reportUnreadableRow(queue, report)
          const words = `${checkpoint_name} ${label}`
          // Transfer checkpoints are for people who change planes.
          if (/transfer|\bTS[A-E]\b/i.test(words)) return null
          const kind = kindIn(words)
          if (kind === null) return reportUnknownQueue(words.trim(), report)
          return {
            ...payload.unknownReading,
            kind,
            checkpoint,
            lane: /\b(first|business|premium)\b/i.test(`${words} ${queue.queue_name}`) ? 'priority' : 'all',
            ...payload.observedAt(queue.last_measured, isoClock, report.at('last_measured')),
            ...waitIn(queue.wait_time, knownUnit, report.at('wait_time')),
          }
        }),
    )
    if (readings.length > 0 && knownUnit === null)
      payload.report
        .at('checkpoints')
        .info('unit_unknown', 'The unit of the waits is not verified; they are kept as text.')
    return readings
  },
})

function kindIn(words: string): QueueKind | null {
  if (/immigration|passport/i.test(words)) return 'immigration'
  return /security/i.test(words) ? 'security' : null
}

function waitIn(wait: unknown, unit: 'minutes' | 'seconds' | null, report: NoticeReporter) {
  if (unit !== null) return { wait_minutes: readMinutes(wait, unit, report) }
  const text = textOf(wait)
  return { wait_text: text === '' ? null : `${text} (unit not verified)` }
}
