import { z } from 'zod'
import { DelayStatus } from '../../../config/domain.ts'
import { provenance } from '../../../config/facts.ts'
import { Closure, DelayProgram } from '../../../warehouse/serving/published/delays.ts'
import { WeatherReport } from '../../../warehouse/serving/published/weather.ts'
import { defineQuery, type QueryContext } from './define.ts'
import { findAirport } from './find-airport.ts'
import { iata, simulated, timestamp } from './shared-fields.ts'

const { source, age_seconds, freshness, ...report } = WeatherReport.shape

export const Weather = z
  .strictObject({ ...report, basis: z.literal('measured'), source, age_seconds, freshness })
  .meta({ id: 'Weather', description: 'The newest METAR of the airport.' })

/** The newest METAR of a station as it goes out. */
export function weatherOf(icao: string | null, { snapshot }: QueryContext): z.input<typeof Weather> | null {
  const weather = snapshot.weather(icao)
  return weather && { ...weather, basis: 'measured' }
}

/** A program as it goes out, in whole minutes. */
export function delayProgram(program: DelayProgram): z.input<typeof DelayProgram> {
  const { type, reason, trend, start, end } = program
  const whole = (value: number | null) => (value === null ? null : Math.round(value))
  return {
    type,
    reason,
    trend,
    start,
    end,
    average_minutes: whole(program.average_minutes),
    min_minutes: whole(program.min_minutes),
    max_minutes: whole(program.max_minutes),
  }
}

export const getDelays = defineQuery({
  name: 'getDelays',
  summary: 'FAA delay status of an airport',
  description:
    'Ground stops, ground delay programs, arrival and departure delays and closures that the FAA publishes, with the newest METAR. `status` is `unknown`, never `normal`, where the FAA does not cover the airport (`supported` is then false) or its feed has not been read lately.',
  tier: 'free',
  rest: { method: 'GET', path: '/airports/:iata/delays' },
  input: z.strictObject({ iata }),
  output: z
    .strictObject({
      airport: iata,
      timestamp,
      supported: z.boolean().describe('Whether the FAA covers this airport.'),
      status: DelayStatus,
      summary: z.string().describe('One sentence for people.'),
      programs: z.array(DelayProgram),
      closures: z.array(Closure),
      weather: Weather.nullable(),
      ...provenance,
      simulated,
    })
    .meta({ id: 'Delays' }),
  answer(input, context) {
    const airport = findAirport(input.iata, context)
    const { snapshot } = context
    const { supported, status, summary, programs, closures, ...state } = snapshot.delays(airport.iata)
    const { basis, observed_at, age_seconds, source, freshness } = state
    return {
      airport: airport.iata,
      timestamp: snapshot.generated_at,
      supported,
      status,
      summary,
      programs: programs.map(delayProgram),
      closures,
      weather: weatherOf(airport.icao, context),
      basis,
      observed_at,
      age_seconds,
      source,
      freshness,
      simulated: snapshot.simulated,
    }
  },
})
