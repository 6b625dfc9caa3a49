import type { BriefSecurity } from '../../answers/questions/brief-security.ts'
import { type Compared, type Comparison, compareAirports } from '../../answers/questions/compare-airports.ts'
import { closureText } from '../../answers/statements/closure.ts'
import { delayStatusText } from '../../answers/statements/delay-text.ts'
import { basisText, ifOpenText, openingClock } from '../../answers/statements/text.ts'
import { spreadText } from '../../answers/statements/wait.ts'
import { comparisonView } from '../views/views.ts'
import { defineTool } from './define.ts'

function waitText(compared: Compared, now: string): string {
  const { security, timezone } = compared
  if (security.airport_closure !== null && security.wait_minutes === null) return closureText(security.airport_closure)
  if (security.status === 'closed') {
    const opens =
      security.reopens_at === null ? '' : `; it opens about ${openingClock(security.reopens_at, timezone, now)}`
    return `closed now (${basisText(security)})${opens}`
  }
  return security.wait_minutes === null
    ? `wait not known${security.unavailable_reason === null ? '' : ` (${security.unavailable_reason})`}`
    : `${spreadLine(security.wait_minutes, security, timezone, now)}${ifOpenText(security, timezone, now)} (${basisText(security)})`
}

function spreadLine(minutes: number, { spread }: BriefSecurity, timezone: string, now: string): string {
  const { short, rest } = spreadText(minutes, spread, timezone, Date.parse(now))
  return [short, rest].filter(Boolean).join('; ')
}

function airportText(compared: Compared, now: string): string {
  const { airport, security, delays, flight_category, weather_alert } = compared
  const category = flight_category === null || flight_category === 'VFR' ? '' : `; weather ${flight_category}`
  const state = delays.supported ? `delays ${delayStatusText(delays.status)}` : 'delays not known'
  const closure = security.airport_closure && security.wait_minutes !== null && closureText(security.airport_closure)
  const alert = weather_alert === null ? '' : `; ${weather_alert.text}`
  return `${airport}: security ${waitText(compared, now)}; ${closure || state}${category}${alert}.`
}

export const compareAirportsTool = defineTool<Comparison>({
  name: 'compare_airports',
  title: 'Waits and delays of airports side by side',
  description:
    'Two to five airports side by side with a recommendation and its reason: security wait now, FAA delays, flight category and US weather alert, each with source or age. Use it to choose between airports of a city. A ground stop or closure outweighs a queue. A typical wait is no measured one: `comparable` is then false, and no queue is called shorter.',
  example: { airports: ['JFK', 'LGA'] },
  query: compareAirports,
  view: comparisonView,
  text: ({ recommendation, airports, timestamp: now }) =>
    [recommendation, ...airports.map((compared) => airportText(compared, now))].join('\n'),
})
