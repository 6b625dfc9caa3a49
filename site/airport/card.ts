import { type Delays, getDelays } from '../../answers/questions/get-delays.ts'
import { securityEstimate } from '../../answers/questions/queue-waits.ts'
import { type WaitBar, type WaitStatement, waitStatement } from '../../answers/statements/wait.ts'
import { type MarkStyle, waitStyle } from '../map/map-colours.ts'
import { type AirportRequest, ask, contextOf, type Shown, waitsOf } from './answers.ts'

/** The card of an airport: its statement, as a visitor may see it. */
export function cardOf(request: AirportRequest): Shown<WaitStatement> {
  const { airport, now } = request
  const waits = waitsOf(request)
  if (waits.withheld) return waits
  const { security, predictions } = waits.shown
  const estimate = securityEstimate(airport, contextOf(request, 'pro'))
  const delays = ask<Delays>(getDelays, { iata: airport.iata }, request, getDelays.tier)
  const alerts = request.snapshot.weatherAlerts(airport.iata)?.alerts ?? []
  const shown = waitStatement({ airport, now, security, estimate, next: predictions, delays, alerts })
  return { shown, withheld: null }
}

/** How a bar is coloured: by its longest wait, on the scale of all pages. */
export const barStyle = ({ high }: WaitBar): MarkStyle | null => (high === null ? null : waitStyle(high))

/** The colour of a card: that of its longest wait; null where nothing is measured. */
export const cardStyle = ({ kind, range }: WaitStatement): MarkStyle | null =>
  kind === 'measured' && range ? waitStyle(range.high) : null
