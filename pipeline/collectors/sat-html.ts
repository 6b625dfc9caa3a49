import { ParseError } from '../../config/errors.ts'
import { parseHtml } from '../parsing/html.ts'
import { readMinutes } from '../parsing/posted-waits.ts'
import { pageRequest } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

/** `$('#terminala-one').val('1')`: the page's script sets each digit of a display by itself. */
const DIGIT = /\$\(\s*['"]#terminal([a-z])-(one|two)['"]\s*\)\s*\.val\(\s*['"]([^'"]*)['"]\s*\)/gi

/** San Antonio: an average per terminal, shown as two digits; a display without both digits has no wait (seen 2026-03). */
export const satHtml = waitCollector({
  id: 'sat-html',
  request: pageRequest,
  read: (payload) => {
    const displays = displaysIn(parseHtml(payload.body)('script').text())
    if (displays.size === 0) throw new ParseError('script', 'no script sets the digits of a terminal')
    return [...displays].map(([terminal, { one, two }]) => {
      const report = payload.report.at(`#terminal${terminal.toLowerCase()}`)
      // Half a display would be read as a tenth, or as ten times, of the wait.
      const isComplete = /^\d$/.test(one) && /^\d$/.test(two)
      // Both digits are empty at night.
      if (!isComplete && one + two !== '')
        report.warning('value_not_a_number', 'The display lacks a digit.', `${one},${two}`)
      const wait_minutes = isComplete ? readMinutes(`${one}${two}`, 'minutes', report) : null
      return { ...payload.unknownReading, terminal, wait_minutes }
    })
  },
})

function displaysIn(script: string): Map<string, { one: string; two: string }> {
  const displays = new Map<string, { one: string; two: string }>()
  for (const [, letter = '', position = '', digit = ''] of script.matchAll(DIGIT)) {
    const terminal = letter.toUpperCase()
    const display = displays.get(terminal) ?? { one: '', two: '' }
    displays.set(terminal, { ...display, [position.toLowerCase()]: digit.trim() })
  }
  return displays
}
