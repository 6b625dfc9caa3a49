import { z } from 'zod'
import { Instant, provenance } from '../../config/answer-schemas.ts'
import { FlightCategory } from '../../config/vocabulary.ts'
import { WeatherAlert } from '../../warehouse/publishing/read/weather-alerts.ts'
import { alertNews, nearAlerts } from '../statements/alert-news.ts'
import { laterText } from '../statements/delay-news.ts'
import { isOldReport, worstText } from '../statements/weather-text.ts'
import { BriefSecurity } from './brief-security.ts'
import type { QueryContext } from './define.ts'
import { findAirport } from './find-airport.ts'
import { delayFields, delaysAt } from './get-delays.ts'
import { securityEstimate } from './queue-waits.ts'
import { iata } from './shared-fields.ts'

const { supported, status, summary } = delayFields

export const ComparedAirport = z.strictObject({
  airport: iata,
  name: z.string(),
  timezone: z.string(),
  security: BriefSecurity.extend({ by_source: BriefSecurity.shape.by_source.optional() }),
  delays: z.strictObject({
    supported,
    status,
    later: z
      .string()
      .optional()
      .describe(
        'Only where programs or closures are listed that begin later: `a ground delay from 19:00 to 22:59`, `closed to airlines from 23:00`.',
      ),
    summary,
    ...provenance,
  }),
  weather_alert: z
    .strictObject({
      ...WeatherAlert.pick({ event: true, effect: true, onset: true, ends: true }).shape,
      text: z.string().describe('What it is and when, like `Blizzard warning until 18:00`.'),
    })
    .nullable()
    .describe('The US weather alert that changes plans most, now or within a day; null: none, or not known.'),
  flight_category: FlightCategory.nullable().describe('From the newest METAR; null: not known.'),
  flight_category_at: Instant.nullable().describe('When that METAR was observed.'),
  hazard: z
    .string()
    .nullable()
    .describe('What delays flights most in the weather of that METAR, in words; null: nothing, or not known.'),
})

export type Compared = z.output<typeof ComparedAirport>

export function comparedAirport(code: string, context: QueryContext): z.input<typeof ComparedAirport> {
  const { iata: airport, icao, name, timezone } = findAirport(code, context)
  const { snapshot } = context
  const { programs, closures, ...delays } = delaysAt(code, context)
  const later = laterText({ programs, closures }, timezone, context.now)
  const weather = snapshot.weather(icao)
  const { by_source, ...security } = securityEstimate({ iata: airport, timezone }, context)
  return {
    airport,
    name,
    timezone,
    // Several airports share an answer: most have one source.
    security: by_source.length === 0 ? security : { ...security, by_source },
    delays: later === null ? delays : { ...delays, later },
    weather_alert: weatherAlertOf({ iata: airport, timezone }, context),
    flight_category: weather?.flight_category ?? null,
    flight_category_at: weather?.observed_at ?? null,
    hazard: weather && !isOldReport(weather) ? worstText(weather) : null,
  }
}

function weatherAlertOf({ iata: code, timezone }: { iata: string; timezone: string }, { snapshot, now }: QueryContext) {
  const [alert] = nearAlerts(snapshot.weatherAlerts(code)?.alerts ?? [], now)
  if (alert === undefined) return null
  const { event, effect, onset, ends } = alert
  const { title, period } = alertNews(alert, { timezone }, now)
  return { event, effect, onset, ends, text: `${title} ${period}` }
}
