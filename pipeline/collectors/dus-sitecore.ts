import { ParseError } from '../../config/errors.ts'
import type { Notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { askJson } from '../parsing/ask.ts'
import { isObject, jsonBody, listAt, objectAt, textOf } from '../parsing/body.ts'
import type { Collector, ParseContext } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { rowUnreadable } from '../parsing/left-out.ts'
import { readMinutesText } from '../parsing/minutes-text.ts'
import { readMinutes } from '../parsing/minutes-value.ts'
import { observedAt } from '../parsing/observed.ts'
import { plainWait } from '../parsing/plain-wait.ts'

/** Düsseldorf: minutes per checkpoint, no time of observation; answers only what its own page would ask. */
export const dusSitecore: Collector<'readings'> = {
  id: 'dus-sitecore',
  lands: 'readings',
  transport: 'http',
  request: ({ source }) => [askJson(source.url, null, { 'X-Requested-With': 'XMLHttpRequest' })],
  parse: (body, context) => {
    const answer = objectAt(jsonBody(body), '$')
    if (answer.hasError === true)
      throw new ParseError('hasError', `is set: ${textOf(answer.internalErrorMessage).slice(0, 100)}`)
    const notices: Notice[] = []
    return finish(
      listAt(answer.data, 'data').flatMap((row, at) => parseRow(row, `data[${at}]`, context, notices) ?? []),
      notices,
      context,
    )
  },
}

function parseRow(row: unknown, path: string, context: ParseContext, notices: Notice[]): ParsedReading | null {
  const iata = airportOf(context)
  const place = (field: string) => ({ path: `${path}.${field}`, iata, notices })
  const checkpoint = isObject(row) ? textOf(row.name) : ''
  if (!isObject(row) || checkpoint === '') return rowUnreadable(row, { path, iata, notices })
  const text = textOf(row.waitingTimeText)
  const { status } = readMinutesText(text)
  return {
    kind: 'security',
    iata,
    terminal: '',
    checkpoint,
    lane: 'all',
    ...observedAt(null, null, context, place('lastUpdated')),
    ...plainWait(readMinutes(row.waitingTime, 'minutes', place('waitingTime')), status),
    wait_text: text === '' ? null : text,
  }
}
