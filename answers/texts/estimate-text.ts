import type { SecurityEstimate } from '../questions/get-security-wait-estimate.ts'
import { noWaitText } from '../statements/closure.ts'
import { otherLanesText } from '../statements/other-lanes.ts'
import { sourceFiguresText } from '../statements/source-figures.ts'
import { closedSecurityText, limitedText, spreadText } from '../statements/spread.ts'
import { basisText, ifOpenText, sentenceOf } from '../statements/text.ts'
import { noTypicalText } from '../statements/unserved.ts'

/** The security wait of an airport in one or two sentences. */
export function estimateText({
  airport,
  timezone,
  timestamp: now,
  average_wait_minutes,
  unavailable_reason,
  ...wait
}: SecurityEstimate): string {
  if (wait.airport_closure !== null)
    return `${airport} is ${noWaitText(wait.airport_closure, wait.status === 'closed')}.`
  if (wait.status === 'closed') return closedSecurityText(`${airport} security`, wait, timezone, now)
  if (average_wait_minutes === null && wait.no_flights !== undefined) return sentenceOf(wait.no_flights)
  if (average_wait_minutes === null && wait.spread !== null)
    return `${sentenceOf(limitedText(wait.spread, ` at ${airport} security as far as is known`) ?? '')} Whether a lane for everybody is open is not known.`
  const unserved = noTypicalText(airport)
  if (average_wait_minutes === null && unserved !== null)
    return `The security wait at ${airport} is not known. ${unserved}.`
  if (average_wait_minutes === null)
    return `The security wait at ${airport} is not known${unavailable_reason === null ? '' : `: ${unavailable_reason.replace(/[.]$/, '')}`}. get_crowd_reports has what travellers said.`
  const { figure, rest } = spreadText(average_wait_minutes, wait.spread, timezone, Date.parse(now))
  const isObserved = wait.basis === 'measured' || wait.basis === 'reported'
  const isNow = isObserved && wait.freshness !== 'stale'
  const ifOpen = ifOpenText({ wait_minutes: average_wait_minutes, ...wait }, timezone, now)
  const when = isNow && ifOpen === '' ? ' now' : ifOpen
  const bySource = sourceFiguresText(wait.by_source)
  const sentence = sentenceOf(
    `${figure} at security of ${airport}${when}${rest === '' ? '' : `: ${rest}`} (${basisText(wait)})`,
  )
  return [sentence, otherLanesText(wait.other_lanes), bySource && `By source: ${bySource.figures}`, bySource?.notice]
    .filter(Boolean)
    .join(' ')
}
