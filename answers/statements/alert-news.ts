import { type Airport, timezoneOf } from '../../config/airports/directory.ts'
import { alertEvent } from '../../config/reference/weather-alerts.ts'
import { quoted } from '../../config/untrusted-text.ts'
import { type AlertEffect, HOUR_MS } from '../../config/vocabulary.ts'
import type { AirportAlerts, WeatherAlert } from '../../warehouse/publishing/read/weather-alerts.ts'
import { clockOn, spanText } from './local-clock.ts'
import { capitalised, sentenceOf, uncapitalised } from './text.ts'

/** A weather alert: a chip and one line. */
export interface AlertNews {
  /** Whether it may stop flights: it then comes before delays. */
  is_grave: boolean
  /** `Blizzard warning`; the service's own words in quotation marks where they are no listed kind. */
  title: string
  /** The beginning of one that begins later: `from 14:00`; null of one that holds now. */
  from: string | null
  /** When it holds: `until 18:00`, `from 14:00 to 18:00`, `now, its end is not stated`. */
  period: string
  /** When it holds and what it means: `until 18:00: flights may stop or be cancelled`. */
  line: string
  /** All of it as a sentence. */
  text: string
}

const MEANINGS: Record<AlertEffect, string> = {
  stops: 'flights may stop or be cancelled',
  disrupts: 'delays and cancellations are likely',
  may_come: 'it may come to that, and then flights are delayed or cancelled',
  slows: 'delays are possible',
}
const EXTREME = 'rated extreme by the National Weather Service'

/** A weather alert in words, on the clock of the airport. `now`: epoch ms. */
export function alertNews(alert: WeatherAlert, { timezone }: Pick<Airport, 'timezone'>, now: number): AlertNews {
  const { event, effect, onset } = alert
  const words = alertEvent(event)?.words
  const title = words === undefined ? quoted(event) : capitalised(words)
  const period = periodText(alert, timezone, now)
  const line = `${period}: ${effect === null ? EXTREME : MEANINGS[effect]}`
  const from = onset === null || Date.parse(onset) <= now ? null : `from ${clockOn(onset, timezone, now)}`
  return { is_grave: isGrave(alert), title, from, period, line, text: sentenceOf(`${title} ${line}`) }
}

/** The period of an alert. It has an end only if the service states it: the lapse of a message is no end of the weather. */
function periodText({ onset, ends }: WeatherAlert, timezone: string, now: number): string {
  if (onset === null || Date.parse(onset) <= now)
    return ends === null ? 'now, its end is not stated' : `until ${clockOn(ends, timezone, now)}`
  return ends === null
    ? `from ${clockOn(onset, timezone, now)}, its end is not stated`
    : `from ${spanText(onset, ends, timezone, now)}`
}

/** Alerts that begin later than this say nothing of what to do now. */
const NEAR_MS = 24 * HOUR_MS

/** The alerts that hold now or begin within a day, in the order in which they change plans. */
export const nearAlerts = (alerts: readonly WeatherAlert[], now: number) =>
  alerts.filter(({ onset }) => onset === null || Date.parse(onset) <= now + NEAR_MS)

/** Whether flights may stop: of no listed kind are those alone that are rated extreme. */
export const isGrave = ({ effect }: Pick<WeatherAlert, 'effect'>) => effect === null || effect === 'stops'

/** Whether an alert is news for everybody at the airport: flights may stop, or are likely to be late. */
export const isDisruptive = (alert: WeatherAlert) => isGrave(alert) || alert.effect === 'disrupts'

/** The alert shown first to everybody at the airport, among those that hold now or begin within a day; null without one. */
export const leadingAlert = (list: AirportAlerts | null, iata: string, now: number): AlertNews | null =>
  firstAlert(list, iata, now, isDisruptive)

/** The alert that may slow flights and stops no plan: of those that hold now or begin within a day; null without one. */
export const lesserAlert = (list: AirportAlerts | null, iata: string, now: number): AlertNews | null =>
  firstAlert(list, iata, now, (alert) => !isDisruptive(alert))

function firstAlert(
  list: AirportAlerts | null,
  iata: string,
  now: number,
  isMeant: (alert: WeatherAlert) => boolean,
): AlertNews | null {
  const alert = nearAlerts(list?.alerts ?? [], now).find(isMeant)
  return alert === undefined ? null : alertNews(alert, { timezone: timezoneOf(iata) }, now)
}

/** The weather alerts for an airport as lines, the gravest first, or that they are not known; none where none are collected. */
export function alertLines(list: AirportAlerts | null, iata: string, now: string): string[] {
  if (list === null) return []
  if (list.unavailable_reason !== null)
    return [`Weather alerts are not known: ${uncapitalised(list.unavailable_reason)}`]
  const timezone = timezoneOf(iata)
  return list.alerts.map(
    (alert) => `Alert of the National Weather Service: ${alertNews(alert, { timezone }, Date.parse(now)).text}`,
  )
}
