import { z } from 'zod'
import { TafForecast, type TafPeriod } from '../../../warehouse/serving/published/tafs.ts'
import type { Sky } from '../../../warehouse/serving/published/weather.ts'
import { defineQuery } from '../queries/define.ts'
import { findAirport } from '../queries/find-airport.ts'
import { Weather, weatherAt } from '../queries/get-delays.ts'
import { iata, simulated, timestamp } from '../queries/shared-fields.ts'
import { defineTool, READ_ONLY } from './define.ts'

const output = z.strictObject({
  airport: iata,
  icao: z.string().nullable(),
  timestamp,
  metar: Weather.nullable().describe('The newest report of the last six hours; null: none.'),
  taf: TafForecast.omit({ icao: true })
    .nullable()
    .describe('The newest forecast that is still valid; null: none, smaller airports have none.'),
  simulated,
})
type Answer = z.output<typeof output>

const description =
  'Aviation weather of an airport: METAR (report) and TAF (forecast), decoded and raw, with flight category (VFR, MVFR, IFR, LIFR). Use it to judge whether weather may delay flights. Reports older than six hours and expired forecasts are left out. Null means not reported, never calm or clear. Not for flight planning.'

const query = defineQuery({
  name: 'getAviationWeather',
  summary: 'METAR, TAF and flight category of an airport',
  description,
  tier: 'free',
  rest: null,
  input: z.strictObject({ iata }),
  output,
  answer(input, context) {
    const { iata: airport, icao } = findAirport(input.iata, context)
    const { snapshot } = context
    const taf = snapshot.taf(icao)
    return {
      airport,
      icao,
      timestamp: snapshot.generated_at,
      metar: weatherAt(icao, context),
      taf: taf && withoutStation(taf),
      simulated: snapshot.simulated,
    }
  },
})

const withoutStation = ({ icao: _icao, ...taf }: TafForecast) => taf

const timeText = (instant: string) => `${instant.slice(5, 10)} ${instant.slice(11, 16)} UTC`

function skyText({ flight_category, wind_kt, wind_gust_kt, visibility_sm, ceiling_ft, weather }: Sky): string {
  const parts = [
    flight_category,
    wind_kt !== null && `wind ${wind_kt} kt${wind_gust_kt === null ? '' : `, gusts ${wind_gust_kt} kt`}`,
    visibility_sm !== null && `visibility ${visibility_sm} mi`,
    ceiling_ft !== null && `ceiling ${ceiling_ft} ft`,
    weather,
  ]
  return parts.filter(Boolean).join(', ') || 'nothing reported'
}

const CHANGES = { FM: 'from then on', BECMG: 'becoming', TEMPO: 'for a while', INTER: 'for a while', PROB: 'perhaps' }

function periodText({ from, to, change, probability, ...sky }: TafPeriod): string {
  const kind = [change && CHANGES[change], probability === null ? null : `${probability} %`].filter(Boolean).join(' ')
  return `Forecast${kind ? `, ${kind}` : ''}, ${timeText(from)} to ${timeText(to)}: ${skyText(sky)}.`
}

export const getAviationWeatherTool = defineTool<Answer>({
  name: 'get_aviation_weather',
  title: 'METAR, TAF and flight category of an airport',
  description,
  annotations: READ_ONLY,
  example: { iata: 'JFK' },
  query,
  shorten: ['taf.periods'],
  text: ({ airport, metar, taf }) =>
    [
      metar
        ? `${airport} at ${timeText(metar.observed_at)}: ${skyText(metar)}.`
        : `${airport}: no report of the last six hours.`,
      ...(taf ? taf.periods.map(periodText) : ['No valid forecast.']),
    ].join('\n'),
})
