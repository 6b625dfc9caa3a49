import type { z } from 'zod'
import { getSecurityWaitEstimate, type output } from '../../answers/questions/get-security-wait-estimate.ts'
import { closureText } from '../../answers/statements/closure.ts'
import { sourceFiguresText } from '../../answers/statements/source-figures.ts'
import { basisText, closedText, ifOpenText, sentenceOf } from '../../answers/statements/text.ts'
import { spreadText } from '../../answers/statements/wait.ts'
import { waitView } from '../views/views.ts'
import { defineTool } from './define.ts'

export const getSecurityWaitEstimateTool = defineTool<z.output<typeof output>>({
  name: 'get_security_wait_estimate',
  title: 'Current security wait of an airport',
  description:
    'The current security wait of an airport, as one figure for the whole airport: use it for “how long is the queue now?”, anywhere. `basis` says what it is: measured or reported now, or, where no source has a fresh reading, predicted by the airport’s model or typical worldwide.',
  example: { iata: 'JFK' },
  query: getSecurityWaitEstimate,
  view: waitView,
  text({ airport, timezone, timestamp: now, average_wait_minutes, unavailable_reason, ...wait }) {
    const closed = wait.airport_closure && `${airport} is ${closureText(wait.airport_closure)}`
    if (closed !== null && average_wait_minutes === null) return `${closed}: nobody waits at security now.`
    if (wait.status === 'closed') return `Security at ${airport} is ${closedText(wait, timezone, now)}.`
    if (average_wait_minutes === null)
      return `The security wait at ${airport} is not known${unavailable_reason === null ? '' : `: ${unavailable_reason.replace(/[.]$/, '')}`}. get_crowd_reports has what travellers said.`
    const isObserved = wait.basis === 'measured' || wait.basis === 'reported'
    const { figure, rest } = spreadText(average_wait_minutes, wait.spread, timezone, Date.parse(now))
    const isNow = isObserved && wait.freshness !== 'stale'
    const when = isNow ? ' now' : ifOpenText(wait, timezone, now)
    const bySource = sourceFiguresText(wait.by_source)
    const sentence = sentenceOf(
      `${figure} at security of ${airport}${when}${rest === '' ? '' : `: ${rest}`} (${basisText(wait)})`,
    )
    return [closed && `${closed}.`, sentence, bySource && `By source: ${bySource.figures}`, bySource?.notice]
      .filter(Boolean)
      .join(' ')
  },
})
