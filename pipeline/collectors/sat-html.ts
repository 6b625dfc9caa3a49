import { ParseError } from '../../config/errors.ts'
import { type Notice, notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportOf } from '../parsing/airport.ts'
import { htmlBody } from '../parsing/body.ts'
import type { Collector } from '../parsing/collector.ts'
import { finish } from '../parsing/finish.ts'
import { readMinutes } from '../parsing/minutes-value.ts'
import { pageRequest, seenAtFetch } from '../parsing/page.ts'

/** `$('#terminala-one').val('1')`: the page's script sets each digit of a display by itself. */
const DIGIT = /\$\(\s*['"]#terminal([a-z])-(one|two)['"]\s*\)\s*\.val\(\s*['"]([^'"]*)['"]\s*\)/gi

/** San Antonio: an average a terminal, shown as two digits; a display without both digits has no wait (seen 2026-03). */
export const satHtml: Collector<'readings'> = {
  id: 'sat-html',
  lands: 'readings',
  transport: 'http',
  request: (context) => pageRequest(context),
  parse: (body, context) => {
    const $ = htmlBody(body)
    const script = $('script').text()
    const displays = new Map<string, { one: string; two: string }>()
    for (const [, letter = '', which = '', digit = ''] of script.matchAll(DIGIT)) {
      const terminal = letter.toUpperCase()
      const display = displays.get(terminal) ?? { one: '', two: '' }
      displays.set(terminal, { ...display, [which.toLowerCase()]: digit.trim() })
    }
    if (displays.size === 0) throw new ParseError('script', 'no script sets the digits of a terminal')
    const iata = airportOf(context)
    const notices: Notice[] = []
    const rows = [...displays].map(([terminal, { one, two }]): ParsedReading => {
      const place = { path: `#terminal${terminal.toLowerCase()}`, iata, notices }
      // Half a display would be read as a tenth, or as ten times the wait.
      const whole = /^\d$/.test(one) && /^\d$/.test(two)
      // Both digits empty is the night: the page then says nothing.
      if (!whole && one + two !== '')
        notices.push(
          notice('value_not_a_number', 'warning', place.path, 'A display lacks a digit.', `${one},${two}`, iata),
        )
      const wait_minutes = whole ? readMinutes(`${one}${two}`, 'minutes', place) : null
      const nothing = { wait_minutes_low: null, wait_minutes_high: null, wait_text: null, status: 'unknown' as const }
      const queue = { kind: 'security' as const, iata, terminal, checkpoint: '', lane: 'all' as const }
      return { ...queue, ...seenAtFetch(context), ...nothing, wait_minutes }
    })
    return finish(rows, notices, context)
  },
}
