import { z } from 'zod'
import { TafForecast } from '../../warehouse/publishing/read/weather.ts'
import { delayNewsText } from '../statements/delay-news.ts'
import { defineQuery } from './define.ts'
import { findAirport } from './find-airport.ts'
import { Weather, weatherAlerts, weatherAt } from './get-delays.ts'
import { iata, no_flights, notice, simulated, timestamp } from './shared-fields.ts'

const output = z.strictObject({
  airport: iata,
  icao: z.string().nullable(),
  timestamp,
  metar: Weather.nullable().describe('The newest report of the last six hours; null: none.'),
  taf: TafForecast.omit({ icao: true })
    .nullable()
    .describe('The newest forecast that is still valid, from now on; null: none, smaller airports have none.'),
  faa: z
    .string()
    .nullable()
    .describe('The gravest that the FAA does to flights here now, with its reason; null: nothing, or not known.'),
  weather_alerts: weatherAlerts,
  notice,
  no_flights,
  simulated,
})

export type AviationWeather = z.output<typeof output>

export const getAviationWeather = defineQuery({
  name: 'getAviationWeather',
  input: z.strictObject({ iata }),
  output,
  answer(input, context) {
    const place = findAirport(input.iata, context)
    const { iata: airport, icao } = place
    const { snapshot, now } = context
    const taf = snapshot.taf(icao)
    const delays = snapshot.delays(airport)
    return {
      airport,
      icao,
      timestamp: snapshot.generated_at,
      metar: weatherAt(icao, context),
      taf: taf && forecastFrom(taf, now),
      faa: delays.supported ? delayNewsText(delays, place, now) : null,
      weather_alerts: snapshot.weatherAlerts(airport),
      simulated: snapshot.simulated,
    }
  },
})

/** A forecast without its station and without the periods that are over. */
function forecastFrom({ icao: _icao, periods, ...taf }: TafForecast, now: number): z.input<typeof output>['taf'] {
  return { ...taf, periods: periods.filter(({ to }) => Date.parse(to) > now) }
}
