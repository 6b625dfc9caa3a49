import { z } from 'zod'
import { Instant, type Provenance, provenance } from '../../../config/answer-schemas.ts'
import { AlertEffect, AlertSeverity } from '../../../config/vocabulary.ts'
import { definePublished } from './define-published.ts'
import { isUnexpired } from './read-time.ts'

/** A weather alert for the zone or the county of an airport. */
export const WeatherAlert = z
  .strictObject({
    event: z.string().describe('Kind of alert as published, like `Winter Storm Warning`.'),
    effect: AlertEffect.nullable().describe(
      'What it means for flights: stops: they may stop or be cancelled; disrupts: delays and cancellations are likely; may_come: a watch; slows: delays are possible. Null: of no listed kind, but rated extreme.',
    ),
    severity: AlertSeverity.nullable().describe('As published.'),
    onset: Instant.nullable().describe('When the weather is expected to begin.'),
    ends: Instant.nullable().describe('When the weather is expected to end; null: not stated.'),
    message_expires: Instant.describe(
      'When the message lapses unless it is renewed; it says nothing of the end of the weather.',
    ),
    headline: z.string().nullable().describe('As published, words of a third party.'),
  })
  .meta({ id: 'WeatherAlert', description: 'An alert of the US National Weather Service for an airport.' })
export type WeatherAlert = z.infer<typeof WeatherAlert>

export const AirportAlerts = z
  .strictObject({
    alerts: z.array(WeatherAlert).describe('In the order in which they change plans.'),
    ...provenance,
    unavailable_reason: z.string().nullable().describe('Why it is not known whether there are any; otherwise null.'),
  })
  .meta({
    id: 'AirportAlerts',
    description: 'Weather alerts for an airport. Without alerts and without a reason the service lists none.',
  })
export type AirportAlerts = z.infer<typeof AirportAlerts>

/** The number of airports whose alert zones are known. */
export const KnownZones = z.strictObject({ known: z.int().min(0), of: z.int().min(0) })
export type KnownZones = z.infer<typeof KnownZones>

/** The newest list of alerts; null if it is not collected. */
export interface WeatherAlertsContent {
  weather_alerts: {
    /** Alerts by airport. */
    by_airport: Record<string, WeatherAlert[]>
    /** Airports with known zones. */
    covered: string[]
    /** Airports of the US and its territories whose zones are not known yet. */
    pending: string[]
    list: Provenance
  } | null
}

export interface WeatherAlertsIndex {
  publishedAlerts: WeatherAlertsContent['weather_alerts']
  coveredByAlerts: ReadonlySet<string>
  pendingForAlerts: ReadonlySet<string>
}

const NO_ANSWER = 'The National Weather Service has not answered in the last six hours.'
const NO_ZONES = 'The zones of this airport have not been asked for yet.'

/** The end of an alert (epoch ms): its own, else the lapse of its message. */
export const alertUntil = ({ ends, message_expires }: WeatherAlert) => Date.parse(ends ?? message_expires)

/** Whether an alert holds at an instant (epoch ms), as far as it says. */
export const holdsAt = (alert: WeatherAlert, instant: number) =>
  (alert.onset === null || Date.parse(alert.onset) <= instant) && instant < alertUntil(alert)

export const weatherAlerts = definePublished({
  // A snapshot of an earlier build has no such content.
  index: ({ weather_alerts: content = null }: Partial<WeatherAlertsContent>): WeatherAlertsIndex => ({
    publishedAlerts: content,
    coveredByAlerts: new Set(content?.covered),
    pendingForAlerts: new Set(content?.pending),
  }),
  read: ({ publishedAlerts, coveredByAlerts, pendingForAlerts }: WeatherAlertsIndex, { aged, atMs }) => ({
    /** The weather alerts for an airport that have not ended; null if none are collected, such as outside the US. */
    weatherAlerts(iata: string): AirportAlerts | null {
      if (publishedAlerts === null) return null
      const isCovered = coveredByAlerts.has(iata)
      if (!isCovered && !pendingForAlerts.has(iata)) return null
      const list = aged(publishedAlerts.list)
      const isAnswered = list.source !== null && isUnexpired(list)
      const withoutZones = isCovered ? null : NO_ZONES
      const unavailable_reason = isAnswered ? withoutZones : NO_ANSWER
      const all = unavailable_reason === null ? (publishedAlerts.by_airport[iata] ?? []) : []
      return { alerts: all.filter((alert) => atMs < alertUntil(alert)), ...list, unavailable_reason }
    },
    /** Airports that the newest list names. */
    airportsWithAlerts: (): string[] => Object.keys(publishedAlerts?.by_airport ?? {}),
    /** The number of airports whose alert zones are known; null if alerts are not collected. */
    knownAlertZones: (): KnownZones | null =>
      publishedAlerts && { known: coveredByAlerts.size, of: coveredByAlerts.size + pendingForAlerts.size },
  }),
})
