import { z } from 'zod'
import { TafForecast } from '../../../warehouse/publishing/read/tafs.ts'
import { defineQuery } from '../queries/define.ts'
import { findAirport } from '../queries/find-airport.ts'
import { Weather, weatherAt } from '../queries/get-delays.ts'
import { iata, notice, simulated, timestamp } from '../queries/shared-fields.ts'
import { defineTool, READ_ONLY } from './define.ts'
import { clockText } from './local-clock.ts'
import { ageText } from './text.ts'
import { CATEGORY_MEANINGS, closureNote, periodText, skyText, worstPeriod } from './weather-text.ts'

const output = z.strictObject({
  airport: iata,
  icao: z.string().nullable(),
  timestamp,
  metar: Weather.nullable().describe('The newest report of the last six hours; null: none.'),
  taf: TafForecast.omit({ icao: true })
    .nullable()
    .describe('The newest forecast that is still valid, from now on; null: none, smaller airports have none.'),
  notice,
  simulated,
})
export type AviationWeather = z.output<typeof output>
type Answer = AviationWeather

const description =
  'Weather of an airport and what it means for flights: METAR and TAF, decoded and raw, with flight category (VFR to LIFR). Null means not reported, never calm or clear. Not for flight planning.'

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
    const { snapshot, now } = context
    const taf = snapshot.taf(icao)
    return {
      airport,
      icao,
      timestamp: snapshot.generated_at,
      metar: weatherAt(icao, context),
      taf: taf && forecastFrom(taf, now),
      simulated: snapshot.simulated,
    }
  },
})

/** A forecast without its station and without the periods that are over. */
function forecastFrom({ icao: _icao, periods, ...taf }: TafForecast, now: number): z.input<typeof output>['taf'] {
  return { ...taf, periods: periods.filter(({ to }) => Date.parse(to) > now) }
}

/** What the weather means for flights, now and at its worst in the forecast. */
function adviceLines({ airport, timestamp, metar, taf }: Answer): string[] {
  const category = metar?.flight_category ?? null
  const now =
    category === null
      ? `${airport}: the weather now is ${metar ? 'only known in part' : 'not known'}, which does not mean that it is fine.`
      : `${airport}: ${category} now: ${CATEGORY_MEANINGS[category]}.`
  const storm = metar?.weather?.includes('TS')
    ? ['Thunderstorm at or near the airport: ramps and departures may stop.']
    : []
  const worst = worstPeriod(taf?.periods ?? [])
  if (worst?.flight_category == null) return [now, ...storm]
  const chance = worst.probability === null ? '' : ` (${worst.probability} % likely)`
  const period = `${clockText(worst.from, airport, timestamp)} to ${clockText(worst.to, airport, timestamp)}`
  const isWorse = worst.flight_category !== category || worst.change !== null
  const ahead = `At worst ahead: ${worst.flight_category}${chance}, ${period}: ${CATEGORY_MEANINGS[worst.flight_category]}.`
  return isWorse ? [now, ...storm, ahead] : [now, ...storm]
}

function answerText({ airport, timestamp, metar, taf }: Answer, whole: Answer): string {
  const lines = adviceLines(whole)
  if (metar) {
    const note = closureNote(metar.raw)
    const age = `${clockText(metar.observed_at, airport, timestamp)}, ${ageText(metar.age_seconds)} ago`
    lines.push(...(note ? [note] : []), `Report of ${age}: ${skyText(metar)}.`)
  } else lines.push('No report of the last six hours.')
  if (taf) {
    lines.push(`Forecast issued ${clockText(taf.issued_at, airport, timestamp)}:`)
    lines.push(...taf.periods.map((period) => periodText(period, airport, timestamp)))
    lines.push(`Nothing is known of the weather after ${clockText(taf.valid_to, airport, timestamp)}.`)
  } else lines.push('No valid forecast is known now; smaller airports have none at all.')
  lines.push('Flight category counts ceiling and visibility alone. Not for flight planning.')
  return lines.join('\n')
}

export const getAviationWeatherTool = defineTool<Answer>({
  name: 'get_aviation_weather',
  title: 'METAR, TAF and flight category of an airport',
  description,
  annotations: READ_ONLY,
  example: { iata: 'JFK' },
  query,
  limits: { 'taf.periods': 5 },
  text: answerText,
})
