import { z } from 'zod'
import { fraction, Instant, minutes, statistic, unavailableReason } from '../../config/answer-schemas.ts'
import type { BorderDirection } from '../../config/border-direction.ts'
import { withoutEesText } from '../../config/reference/schengen-airports.ts'
import { Basis, HOUR_MS, isoUtc, startOfHour } from '../../config/vocabulary.ts'
import { EES_SCOPE, eesStatus, publishersOf } from '../schengen/border-control.ts'
import { localTime } from '../statements/local-time.ts'
import { defineQuery, type QueryContext } from './define.ts'
import { expectedBorder, wholeMinutesOf } from './expected-border.ts'
import { findAirport } from './find-airport.ts'
import { iata, notice, simulated, timestamp } from './shared-fields.ts'

const HOURS = 24

/** The fraction of fewer compared hours is not shown as a confidence. */
const MIN_COMPARED_HOURS = 24

export const ForecastHour = z
  .strictObject({
    wait_minutes: minutes,
    low: minutes,
    high: minutes,
    samples: z.int().min(1).nullable().describe('Days of the last 28 on which the hour was observed; null: typical.'),
  })
  .nullable()

export type ForecastHour = z.output<typeof ForecastHour>

export const DirectionForecast = z.strictObject({
  basis: Basis.nullable(),
  model: z.string().nullable().describe('Version; null when nothing is forecast.'),
  confidence: fraction
    .nullable()
    .describe(
      'Fraction of hours within 5 minutes of the forecast on hours it had not seen; null: not measured for this queue.',
    ),
  backtest: z
    .strictObject({ mae_minutes: statistic.nullable(), coverage_80: fraction.nullable(), samples: z.int().min(0) })
    .nullable()
    .describe('The same method on hours it had not seen. Typical: on US airports left out, whose error this is.'),
  note: z.string().nullable().describe('What a typical forecast and its error are taken from; null for a prediction.'),
  unavailable_reason: unavailableReason.describe('Why some or all hours are null; null when none is.'),
})

export type DirectionForecast = z.output<typeof DirectionForecast>

const output = z.strictObject({
  airport: iata,
  name: z.string(),
  timezone: z.string(),
  timestamp,
  member: z.boolean().describe('Whether it lies in the Schengen area.'),
  entry: DirectionForecast,
  exit: DirectionForecast,
  unknown_direction: DirectionForecast.nullable().describe(
    'Queues whose source does not tell entry from exit; null: none.',
  ),
  hours: z
    .array(
      z.strictObject({
        time: Instant.describe('Start of the hour (UTC).'),
        local_time: z.string(),
        entry: ForecastHour,
        exit: ForecastHour,
        unknown_direction: ForecastHour,
      }),
    )
    .describe(
      'The next 24 hours, from the current one; empty where nothing is forecast. low to high: the 80 % interval.',
    ),
  scope: z.string(),
  note: z.string(),
  notice,
  simulated,
})

export type EesForecast = z.output<typeof output>

export const getEesForecast = defineQuery({
  name: 'getEesForecast',
  input: z.strictObject({ iata }),
  output,
  answer(input, context) {
    const airport = findAirport(input.iata, context)
    const { snapshot, now } = context
    const notSchengen = withoutEesText(airport)
    const start = startOfHour(now)
    const directionOf = (direction: BorderDirection) =>
      notSchengen === null ? forecastOf(airport.iata, direction, start, context) : noForecast(notSchengen)
    const entry = directionOf('entry')
    const exit = directionOf('exit')
    const unknown = directionOf('unknown')
    const isForecast = [entry, exit, unknown].some(({ forecast }) => forecast.model !== null)
    return {
      airport: airport.iata,
      name: airport.name,
      timezone: airport.timezone,
      timestamp: snapshot.generated_at,
      member: notSchengen === null,
      entry: entry.forecast,
      exit: exit.forecast,
      unknown_direction: unknown.forecast.model === null ? null : unknown.forecast,
      hours: Array.from({ length: isForecast ? HOURS : 0 }, (_, index) => ({
        time: isoUtc(start + index * HOUR_MS),
        local_time: localTime(start + index * HOUR_MS, airport.timezone),
        entry: entry.hours[index]!,
        exit: exit.hours[index]!,
        unknown_direction: unknown.hours[index]!,
      })),
      scope: EES_SCOPE,
      note: eesStatus().note,
      simulated: snapshot.simulated,
    }
  },
})

interface Direction {
  forecast: DirectionForecast
  hours: ForecastHour[]
}

function noForecast(unavailable_reason: string): Direction {
  return {
    forecast: { basis: null, model: null, confidence: null, backtest: null, note: null, unavailable_reason },
    hours: new Array<ForecastHour>(HOURS).fill(null),
  }
}

/** The forecast of one direction for the 24 hours from `start` (epoch ms) on. */
function forecastOf(
  iata: string,
  direction: BorderDirection,
  start: number,
  { snapshot, now }: QueryContext,
): Direction {
  const forecast = expectedBorder(snapshot, iata, { direction }, now)
  if (!forecast) return noForecast(reasonForTooFewDays(iata))
  const first = (start - forecast.start_ms) / HOUR_MS
  const hours = Array.from({ length: HOURS }, (_, index): ForecastHour => {
    const hour = forecast.hours[first + index]
    return hour ? { ...wholeMinutesOf(hour), samples: hour.samples } : null
  })
  if (hours.every((hour) => hour === null)) return noForecast(reasonForTooFewDays(iata))
  const { within_5, mae_minutes, coverage_80, samples } = forecast.backtest
  return {
    forecast: {
      basis: forecast.basis,
      model: forecast.version,
      confidence: forecast.basis === 'typical' || samples < MIN_COMPARED_HOURS ? null : within_5,
      backtest: { mae_minutes, coverage_80, samples },
      note: forecast.note,
      unavailable_reason: hours.includes(null) ? 'Null hours were observed on too few days.' : null,
    },
    hours,
  }
}

function reasonForTooFewDays(iata: string): string {
  const publisher = publishersOf(iata).length > 0 ? '' : ' No publisher of border waits is known here.'
  return `This queue was observed on too few of the last 28 days (7 at the same hour are needed).${publisher}`
}
