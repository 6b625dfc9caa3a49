import { ParseError } from '../../config/errors.ts'
import type { Notice } from '../../warehouse/tables/notices.ts'
import { airportOf } from '../parsing/airport.ts'
import { askJson } from '../parsing/ask.ts'
import { jsonBody, objectAt, textOf } from '../parsing/body.ts'
import type { Collector } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { readMinutes } from '../parsing/minutes-value.ts'
import { observedAt } from '../parsing/observed.ts'
import { plainWait } from '../parsing/plain-wait.ts'

/** Dublin: one number a terminal, written as a spreadsheet would ("=5"); empty or negative when there is none. */
export const dubDap: Collector<'readings'> = {
  id: 'dub-dap',
  lands: 'readings',
  transport: 'http',
  request: ({ source }) => [askJson(source.url, null, { Origin: 'https://www.dublinairport.com' })],
  parse: (body, context) => {
    const terminals = Object.entries(objectAt(jsonBody(body), '$')).filter(([name]) => /^T\d$/.test(name))
    if (terminals.length === 0) throw new ParseError('T1', 'is missing, and so is every other terminal')
    const notices: Notice[] = []
    const iata = airportOf(context)
    const rows = terminals.map(([terminal, value]) => {
      const text = textOf(value).replace(/^=\s*/, '')
      const place = { path: terminal, iata, notices }
      return {
        kind: 'security' as const,
        iata,
        terminal,
        checkpoint: 'Security',
        lane: 'all' as const,
        ...observedAt(null, null, context, place),
        ...plainWait(readMinutes(text === '' ? null : text, 'minutes', place)),
      }
    })
    return finish(rows, notices, context)
  },
}
