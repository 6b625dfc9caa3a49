import type { QueueKind } from '../../config/domain.ts'
import { type Notice, notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { askJson } from '../parsing/ask.ts'
import { isObject, type JsonObject, jsonBody, listAt, objectAt, textOf } from '../parsing/body.ts'
import type { Collector, ParseContext } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { queueUnknown, rowUnreadable } from '../parsing/left-out.ts'
import { type Place, readMinutes } from '../parsing/minutes-value.ts'
import { observedAt } from '../parsing/observed.ts'
import { isoClock } from '../parsing/wall-clock.ts'

/**
 * Doha's Xovis sensors. Option `unit` ("minutes" or "seconds") says what the numbers are: nobody has verified it, so
 * until it is set they are kept as text and no minutes are read into them; a replay mends what was captured before.
 */
export const dohXovis: Collector<'readings'> = {
  id: 'doh-xovis',
  lands: 'readings',
  transport: 'http',
  request: ({ source }) => [askJson(source.url, null, { 'X-Requested-With': 'XMLHttpRequest' })],
  parse: (body, context) => {
    const notices: Notice[] = []
    const checkpoints = listAt(objectAt(jsonBody(body), '$').checkpoints, 'checkpoints')
    const rows = checkpoints.flatMap((one, at) => {
      const path = `checkpoints[${at}]`
      if (!isObject(one) || !Array.isArray(one.queues))
        return rowUnreadable(one, { path, iata: airportOf(context), notices }) ?? []
      return one.queues.flatMap(
        (queue, index) => parseQueue(one, queue, `${path}.queues[${index}]`, context, notices) ?? [],
      )
    })
    if (rows.length > 0 && unitOf(context) === null) {
      const message = 'The unit of the waits is not verified; they are kept as text.'
      notices.push(notice('unit_unknown', 'info', 'checkpoints', message, null, airportOf(context)))
    }
    return finish(rows, notices, context)
  },
}

function parseQueue(
  checkpoint: JsonObject,
  queue: unknown,
  path: string,
  context: ParseContext,
  notices: Notice[],
): ParsedReading | null {
  const iata = airportOf(context)
  const place = (field: string) => ({ path: `${path}.${field}`, iata, notices })
  const label = labelOf(queue)
  const name = label || textOf(checkpoint.checkpoint_name)
  if (!isObject(queue) || name === '') return rowUnreadable(queue, { path, iata, notices })
  const words = `${textOf(checkpoint.checkpoint_name)} ${label}`
  // Transfer checkpoints are for people who change planes.
  if (/transfer|\bTS[A-E]\b/i.test(words)) return null
  const kind = kindOf(words)
  if (kind === null) return queueUnknown(words.trim(), { path, iata, notices })
  const measured = isoClock(queue.last_measured, context.timezoneOf(iata), context.fetched_at)
  return {
    kind,
    iata,
    terminal: '',
    checkpoint: name,
    lane: /\b(first|business|premium)\b/i.test(`${words} ${textOf(queue.queue_name)}`) ? 'priority' : 'all',
    ...observedAt(measured, queue.last_measured, context, place('last_measured')),
    ...waitOf(queue.wait_time, unitOf(context), place('wait_time')),
    status: 'unknown',
  }
}

function labelOf(queue: unknown): string {
  const content = isObject(queue) && isObject(queue.content) ? queue.content : {}
  return isObject(content.queueLabel) ? textOf(content.queueLabel.en) : ''
}

function kindOf(words: string): QueueKind | null {
  if (/immigration|passport/i.test(words)) return 'immigration'
  return /security/i.test(words) ? 'security' : null
}

function unitOf({ source }: ParseContext): 'minutes' | 'seconds' | null {
  const { unit } = source.options
  return unit === 'minutes' || unit === 'seconds' ? unit : null
}

function waitOf(wait: unknown, unit: 'minutes' | 'seconds' | null, place: Place) {
  const none = { wait_minutes: null, wait_minutes_low: null, wait_minutes_high: null, wait_text: null }
  if (unit !== null) return { ...none, wait_minutes: readMinutes(wait, unit, place) }
  const text = textOf(wait)
  return text === '' ? none : { ...none, wait_text: `${text} (unit not verified)` }
}
