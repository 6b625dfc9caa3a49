import { z } from 'zod'
import { provenance } from '../../config/answer-schemas.ts'
import { DelayStatus } from '../../config/vocabulary.ts'
import { Closure, DelayProgram } from '../../warehouse/publishing/read/delays.ts'
import { WeatherReport } from '../../warehouse/publishing/read/weather.ts'
import { AirportAlerts } from '../../warehouse/publishing/read/weather-alerts.ts'
import { delaySummary } from '../statements/delay-text.ts'
import { defineQuery, type QueryContext } from './define.ts'
import { findAirport } from './find-airport.ts'
import { iata, no_flights, notice, simulated, timestamp } from './shared-fields.ts'

export const Weather = z
  .strictObject({ ...WeatherReport.shape, basis: z.literal('measured') })
  .meta({ id: 'Weather', description: 'The newest METAR of the airport.' })
export type Weather = z.output<typeof Weather>

/** The newest METAR of a station with its basis; null when there is none. */
export function weatherAt(icao: string | null, { snapshot }: QueryContext): z.input<typeof Weather> | null {
  const report = snapshot.weather(icao)
  return report && { basis: 'measured', ...report }
}

/** The weather alerts of an airport, in answers about more than them. */
export const weatherAlerts = AirportAlerts.nullable().describe('Null where none are collected, such as outside the US.')

/** The delays of an airport as the FAA published them, and the same in words as of the snapshot. */
export function delaysAt(iata: string, { snapshot, directory }: Pick<QueryContext, 'snapshot' | 'directory'>) {
  const published = snapshot.delays(iata)
  const { unavailable_reason: _, ...state } = published
  const generated_ms = Date.parse(snapshot.generated_at)
  const airport = directory.byIata.get(iata) ?? { iata, timezone: 'UTC' }
  return { summary: delaySummary(published, airport, generated_ms), ...state }
}

/** The delay status of an airport and what it is derived from. */
export const delayFields = {
  supported: z.boolean().describe('Whether the FAA covers this airport.'),
  status: DelayStatus,
  summary: z.string(),
  programs: z.array(DelayProgram),
  closures: z.array(Closure),
}

const output = z
  .strictObject({
    airport: iata,
    timestamp,
    ...delayFields,
    summary: delayFields.summary.describe('One or more sentences for people.'),
    weather: Weather.nullable(),
    weather_alerts: weatherAlerts,
    ...provenance,
    notice,
    no_flights,
    simulated,
  })
  .meta({ id: 'Delays' })
export type Delays = z.output<typeof output>

export const getDelays = defineQuery({
  name: 'getDelays',
  rest: {
    summary: 'FAA delay status of an airport',
    description:
      'Ground stops, ground delays, arrival and departure delays and closures that the FAA publishes, with the newest METAR and the US weather alerts. `status` is `unknown`, never `normal`, where the FAA does not cover the airport (`supported` is then false) or its feed has not been read recently; `closed` there on the holiday for which an airport closes to airlines every year (Nyepi at DPS, Yom Kippur at TLV), listed from a day before. A program with a `destination` is of that airport and holds departures from here to it; it is told for Canadian airports too.',
    method: 'GET',
    path: '/airports/:iata/delays',
  },
  input: z.strictObject({ iata }),
  output,
  answer(input, context) {
    const airport = findAirport(input.iata, context)
    const { snapshot } = context
    return {
      airport: airport.iata,
      timestamp: snapshot.generated_at,
      ...delaysAt(airport.iata, context),
      weather: weatherAt(airport.icao, context),
      weather_alerts: snapshot.weatherAlerts(airport.iata),
      simulated: snapshot.simulated,
    }
  },
})
