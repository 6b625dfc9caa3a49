import { z } from 'zod'
import { Runway } from '../../config/airports/directory.ts'
import { nullableMinutes, provenance } from '../../config/answer-schemas.ts'
import { WeatherAlert } from '../../warehouse/publishing/read/weather-alerts.ts'
import { AirportEntry } from './airport-entry.ts'
import { NamedTerminal } from './airport-terminals.ts'
import { ArrivalImmigration } from './arrival-immigration.ts'
import { BriefSecurity } from './brief-security.ts'
import { delayFields, Weather, weatherAlerts } from './get-delays.ts'
import { securityEstimateFields } from './queue-waits.ts'
import { no_flights, notice, simulated, timestamp } from './shared-fields.ts'

/** The overview of an airport. */
export const Overview = z.strictObject({
  airport: AirportEntry,
  timestamp,
  security: z
    .strictObject({ average_wait_minutes: nullableMinutes, ...securityEstimateFields })
    .describe('Current security wait of the whole airport.'),
  immigration: ArrivalImmigration.describe(
    'Passport control of arrivals; at Schengen airports, of those who enter the area.',
  ),
  terminals: z.array(NamedTerminal).describe('Known terminals, never complete; empty: not known.'),
  terminals_credit: z.string().nullable().describe('Credits required for the terminals; null: none.'),
  runways: z.array(Runway).describe('Longest first; empty: not known.'),
  runway_count: z.int().min(1).nullable().describe('Null: no source counts them.'),
  longest_runway_ft: z.number().nullable(),
  delays: z.strictObject({ ...delayFields, ...provenance }),
  weather: Weather.nullable(),
  weather_alerts: weatherAlerts,
  notice,
  no_flights,
  simulated,
})
export type Overview = z.output<typeof Overview>

const { supported, status, summary } = delayFields

const BriefImmigration = ArrivalImmigration.omit({ probability: true, note: true })
  .strip()
  .extend({
    longest: ArrivalImmigration.shape.longest.unwrap().omit({ time: true, source: true }).strip().nullable(),
  })

/** What the first sentences of an overview may speak of. */
const ABOUT = [
  'no_flights',
  'flights',
  'weather_alert',
  'weather',
  'security',
  'passport_control',
  'nothing_known',
] as const

/** The default answer: of an overview, these fields. */
export const BriefOverview = z.object({
  recommendation: z.string().describe('What matters most there now.'),
  recommendation_about: z.array(z.enum(ABOUT)).describe('What it speaks of, in its order.'),
  airport: AirportEntry.pick({
    iata: true,
    icao: true,
    name: true,
    city: true,
    country: true,
    latitude: true,
    longitude: true,
    timezone: true,
    scheduled_service: true,
    live: true,
  }).strip(),
  local_now: z.string().describe('The time there, with its offset.'),
  timestamp,
  security: BriefSecurity.omit({ wait_minutes: true }).extend({ average_wait_minutes: nullableMinutes }),
  immigration: BriefImmigration,
  terminals: z.array(NamedTerminal.omit({ caution: true }).strip()),
  terminals_credit: z.string().nullable(),
  runway_count: z.int().nullable(),
  longest_runway_ft: z.number().nullable(),
  delays: z.object({
    supported,
    status,
    summary,
    details: z.array(z.string()).describe('Each program and closure in a sentence.'),
    ...provenance,
  }),
  weather: z
    .object({
      summary: z.string(),
      ...Weather.pick({
        flight_category: true,
        observed_at: true,
        age_seconds: true,
        source: true,
        freshness: true,
        basis: true,
      }).shape,
    })
    .nullable(),
  weather_alerts: z
    .array(WeatherAlert.pick({ event: true, severity: true, ends: true }).strip().extend({ text: z.string() }))
    .nullable()
    .describe('Those of the US National Weather Service, the gravest first; null: not known, or none are collected.'),
  no_flights,
  simulated,
})
export type BriefOverview = z.output<typeof BriefOverview>
