import { type Delays, getDelays } from '../../answers/questions/get-delays.ts'
import { securityEstimate } from '../../answers/questions/queue-waits.ts'
import type { WaitBar } from '../../answers/statements/spread.ts'
import { type WaitFacts, type WaitStatement, waitStatement } from '../../answers/statements/wait.ts'
import { type MarkStyle, waitStyle } from '../map/map-colours.ts'
import { type AirportRequest, ask, contextOf, type Shown, waitsOf } from './answers.ts'

/** The card of an airport: its statement, as a visitor may see it. */
export function cardOf(request: AirportRequest): Shown<WaitStatement> {
  const waits = waitsOf(request)
  if (waits.withheld) return waits
  const { security, predictions: next } = waits.shown
  return { shown: statementOf(request, { security, next }), withheld: null }
}

/** The statement of a wait, with what else holds at its airport now. */
export function statementOf(
  request: AirportRequest,
  wait: Pick<WaitFacts, 'security' | 'spread' | 'next'>,
): WaitStatement {
  const { airport, now } = request
  const estimate = securityEstimate(airport, contextOf(request, 'pro'))
  const delays = ask<Delays>(getDelays, { iata: airport.iata }, request, getDelays.tier)
  const alerts = request.snapshot.weatherAlerts(airport.iata)?.alerts ?? []
  const weather = request.snapshot.weather(airport.icao)
  const { spread, by_source } = estimate
  return waitStatement({ spread, by_source, ...wait, airport, now, estimate, delays, alerts, weather })
}

/** How a bar is coloured: by its longest wait, on the scale of all pages. */
export const barStyle = ({ high }: WaitBar): MarkStyle | null => (high === null ? null : waitStyle(high))

/** The colour of a card: that of its longest wait; null if nothing is measured. */
export const cardStyle = ({ kind, range }: WaitStatement): MarkStyle | null =>
  kind === 'measured' && range ? waitStyle(range.high) : null
