import type { Airport } from '../../config/airports/directory.ts'
import { distanceKm } from '../../config/airports/distance.ts'
import { HOUR_MS, isoUtc } from '../../config/vocabulary.ts'
import {
  beginsLater,
  type Closure,
  closuresForHolidays,
  type DelayProgram,
} from '../../warehouse/publishing/read/delays.ts'
import { holdsAt } from '../../warehouse/publishing/read/weather-alerts.ts'
import { localClosedHours } from '../../warehouse/tables/closure.ts'
import type { QueryContext } from '../questions/define.ts'
import { alertNews } from '../statements/alert-news.ts'
import { closedToAirlines, closureSentences, closureText } from '../statements/closure.ts'
import { programSentences } from '../statements/delay-news.ts'
import { clockOn } from '../statements/local-clock.ts'
import { clockOf, localTime } from '../statements/local-time.ts'
import { hazardText, reportedHazardText } from '../statements/weather-text.ts'
import type { Trip } from './trip.ts'

/** The effect of the FAA and the weather on a flight at its departure and at its destination. */

/** The current queue and FAA programs matter for departures this near. */
export const NOW_MATTERS_MS = 12 * HOUR_MS

/** The listed closures of an airport, and those for holidays around an instant (epoch ms), on whatever day that is. */
function closuresAround(iata: string, instant: number, { snapshot }: Pick<QueryContext, 'snapshot'>): Closure[] {
  const { closures } = snapshot.delays(iata)
  const isNew = ({ start }: Closure) => closures.every((closure) => closure.start !== start)
  return [...closures, ...closuresForHolidays(iata, instant).filter(isNew)]
}

/** The closure to airlines that is listed or usual at the time of departure, on whatever day that is, and when flights go again (epoch ms; null: not known); null without one. */
export function closedAtDeparture({ airport }: Trip, departure_ms: number, context: QueryContext) {
  const { timezone } = airport
  // Uses the clock of the day of departure, which may differ from today's.
  const closures = closuresAround(airport.iata, departure_ms, context).map((closure) => {
    const { closed_hours_utc: utc } = closure
    return { ...closure, closed_hours_local: utc === null ? null : localClosedHours(utc, timezone, departure_ms) }
  })
  const closed = closedToAirlines(closures, timezone, departure_ms)
  if (closed === null) return null
  return {
    text: closureSentences(closures, timezone, departure_ms, { today: context.now }).now.join(' '),
    until: closed.until === null ? null : Date.parse(closed.until),
  }
}

/**
 * The weather that is forecast or reported at both ends with its alerts, and what delays a departure that is near: the programs
 * at its airport, and those of its destination that hold flights to there. It reports a closure of the destination for any day.
 */
export function flightNews(trip: Trip, departure_ms: number, context: QueryContext) {
  const { airport, destination } = trip
  const weather = weatherNews(trip, departure_ms, context)
  const weather_alerts = alertsOfFlight(trip, departure_ms, context)
  const closed = destination ? closedThere(airport, destination, departure_ms, context) : []
  const isNear = departure_ms - context.now <= NOW_MATTERS_MS
  const programs = isNear ? programsOfFlight(trip, departure_ms, context) : []
  return { delays: [...programs, ...closed].join(' ') || null, weather, weather_alerts }
}

/** The programs that hold at the departure here, and those for flights to there that have begun by the arrival. */
function programsOfFlight({ airport, destination }: Trip, departure_ms: number, { snapshot, now }: QueryContext) {
  const sentences = (place: Airport, programs: DelayProgram[], instant = departure_ms) => {
    const holds = (program: DelayProgram) =>
      (program.end === null || Date.parse(program.end) >= departure_ms) && !beginsLater(program, instant)
    return programSentences(programs.filter(holds), place, now)
  }
  const here = snapshot.delays(airport.iata).programs
  if (!destination) return sentences(airport, here)
  const isReportedHere = here.some((program) => program.destination === destination.iata)
  const holding = snapshot.delays(destination.iata).programs.filter(({ type }) => HOLDS_FLIGHTS.has(type))
  const there = isReportedHere ? [] : sentences(destination, holding, departure_ms + flightMs(airport, destination))
  return [...sentences(airport, here), ...there.map((text) => `${destination.iata}: ${text}`)]
}

/** Text for a destination closed to airlines until the departure or at the arrival of the flight. */
function closedThere(from: Airport, to: Airport, departure_ms: number, context: QueryContext): string[] {
  const { iata, timezone } = to
  const arrival = departure_ms + flightMs(from, to)
  const closures = closuresAround(iata, arrival, context)
  const isNow = closedToAirlines(closures, timezone, context.now)
  if (isNow && (isNow.until === null || Date.parse(isNow.until) >= departure_ms))
    return [`${iata} is ${closureText(isNow)}.`]
  const then = closedToAirlines(closures, timezone, arrival)
  if (!then) return []
  const clock = clockOn(isoUtc(arrival), timezone, departure_ms)
  return [
    `${iata} is expected to be closed at your arrival, about ${clock} there: ${closureText(then)}. Ask the airline whether it goes.`,
  ]
}

/** Programs of a destination for which flights to it wait where they depart. */
const HOLDS_FLIGHTS: ReadonlySet<DelayProgram['type']> = new Set(['ground_stop', 'ground_delay'])

/** How long a flight takes, by its distance: half an hour to climb and descend, and 800 km an hour. */
const flightMs = (from: Airport, to: Airport) => (0.5 + distanceKm(from, to) / 800) * HOUR_MS

/** The airports of a flight, each with the instant (epoch ms) at which it is there. */
function endsOf({ airport, destination }: Trip, departure_ms: number): [Airport, number][] {
  if (!destination) return [[airport, departure_ms]]
  return [
    [airport, departure_ms],
    [destination, departure_ms + flightMs(airport, destination)],
  ]
}

/** The weather alerts that hold at the departure here, and at the arrival there. */
function alertsOfFlight(trip: Trip, departure_ms: number, { snapshot, now }: QueryContext) {
  return endsOf(trip, departure_ms).flatMap(([place, instant]) =>
    (snapshot.weatherAlerts(place.iata)?.alerts ?? [])
      .filter((alert) => holdsAt(alert, instant))
      .map((alert) => ({ airport: place.iata, ...alert, text: alertNews(alert, place, now).text })),
  )
}

/** Forecast weather that delays flights at the departure and at the arrival, else weather reported shortly before; null without any. */
function weatherNews(trip: Trip, departure_ms: number, { snapshot }: QueryContext): string | null {
  const sentences = endsOf(trip, departure_ms).flatMap(([{ iata, icao, timezone }, instant]) => {
    const text =
      hazardText(snapshot.taf(icao)?.periods ?? [], instant, clockOf(localTime(instant, timezone))) ??
      reportedHazardText(snapshot.weather(icao), instant)
    return text === null ? [] : [`At ${iata} ${text}.`]
  })
  return sentences.join(' ') || null
}
