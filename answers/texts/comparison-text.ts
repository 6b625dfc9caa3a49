import type { Comparison } from '../questions/compare-airports.ts'
import type { Compared } from '../questions/compared-airport.ts'
import { closureText } from '../statements/closure.ts'
import { delayStatusText } from '../statements/delay-text.ts'
import { otherLanesText } from '../statements/other-lanes.ts'
import { otherSourcesText } from '../statements/source-figures.ts'
import { closedQueueText, spreadText } from '../statements/spread.ts'
import { basisText, ifOpenText, uncapitalised } from '../statements/text.ts'

/** Airports side by side as a text. */

function waitText(compared: Compared, now: string): string {
  const { security, timezone } = compared
  if (security.status === 'closed') return closedQueueText(security, timezone, now)
  return security.wait_minutes === null
    ? `wait not known${security.unavailable_reason === null ? '' : ` (${security.unavailable_reason.replace(/[.]$/, '')})`}`
    : `${spreadLine(security.wait_minutes, security, timezone, now)} (${basisText(security)})${others(security)}`
}

function others({ other_lanes, by_source = [] }: Compared['security']): string {
  const texts = [otherLanesText(other_lanes).replace(/[.]$/, ''), otherSourcesText(by_source)]
  return texts.map((text) => (text ? `; ${text}` : '')).join('')
}

function spreadLine(minutes: number, security: Compared['security'], timezone: string, now: string): string {
  const { short, rest } = spreadText(minutes, security.spread, timezone, Date.parse(now))
  return [`${short}${ifOpenText(security, timezone, now)}`, rest].filter(Boolean).join('; ')
}

function airportText(compared: Compared, now: string): string {
  const { airport, security, delays, hazard, weather_alert } = compared
  const state = [delayStatusText(delays.status), delays.later && `later ${delays.later}`].filter(Boolean).join(', ')
  const closure = security.airport_closure && closureText(security.airport_closure)
  const alert = weather_alert === null ? '' : `; ${uncapitalised(weather_alert.text)}`
  const wait = closure === null ? `security ${waitText(compared, now)}` : null
  return `${airport}: ${[wait, closure ?? state].filter(Boolean).join('; ')}${hazard === null ? '' : `; ${hazard}`}${alert}.`
}

export const comparisonText = ({ recommendation, airports, timestamp }: Comparison): string =>
  [recommendation, ...airports.map((compared) => airportText(compared, timestamp))].join('\n')
