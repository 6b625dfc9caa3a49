import { z } from 'zod'
import { BorderDirection } from '../../../config/border-direction.ts'
import { Basis, HOUR_MS, isoUtc } from '../../../config/domain.ts'
import { fraction, Instant, minutes, statistic, unavailableReason } from '../../../config/facts.ts'
import { outsideSchengen } from '../../../config/reference/schengen-airports.ts'
import type { BorderForecast } from '../../../warehouse/serving/published/border-forecasts.ts'
import { defineQuery, type QueryContext } from '../queries/define.ts'
import { findAirport } from '../queries/find-airport.ts'
import { localTime } from '../queries/local-time.ts'
import { iata, simulated, timestamp } from '../queries/shared-fields.ts'
import { EES_SCOPE, eesStatus, publishersOf } from '../schengen/ees-facts.ts'
import { defineTool, READ_ONLY } from './define.ts'

const HOURS = 24
/** A share of fewer compared hours says nothing. */
const ENOUGH_COMPARED = 24

const BorderHour = z
  .strictObject({
    wait_minutes: minutes,
    low: minutes,
    high: minutes,
    samples: z.int().min(1).describe('Observed days behind it.'),
  })
  .nullable()
type BorderHour = z.input<typeof BorderHour>

const Model = z.strictObject({
  basis: Basis.nullable(),
  model: z.string().nullable().describe('Version; null when nothing is forecast.'),
  confidence: fraction
    .nullable()
    .describe('Fraction of hours within 5 minutes of the forecast on the last 7 days; null: too few to tell.'),
  backtest: z
    .strictObject({ mae_minutes: statistic.nullable(), coverage_80: fraction.nullable(), samples: z.int().min(0) })
    .nullable()
    .describe('The same rule on the last 7 days, against what came.'),
  unavailable_reason: unavailableReason.describe('Why some or all hours are null; null when none is.'),
})

const output = z.strictObject({
  airport: iata,
  name: z.string(),
  timezone: z.string(),
  timestamp,
  member: z.boolean().describe('Whether it lies in the Schengen area.'),
  entry: Model,
  exit: Model,
  unknown_direction: Model.nullable().describe('Queues whose source does not tell entry from exit; null: none.'),
  hours: z
    .array(
      z.strictObject({
        time: Instant.describe('Start of the hour (UTC).'),
        local_time: z.string(),
        entry: BorderHour,
        exit: BorderHour,
        unknown_direction: BorderHour,
      }),
    )
    .describe(
      'The next 24 hours, from the current one; empty where nothing is forecast. low to high: 10 % to 90 % of those days.',
    ),
  scope: z.string(),
  note: z.string(),
  simulated,
})

const description =
  'Border control waits of one Schengen airport over the next 24 hours, entry and exit apart, in local time and UTC. Made only from what was observed at that very airport: the median of the same local hour over the last 28 days (weekends apart), with the span of 10 % to 90 % of those days and its own error over the last 7. Hardly any airport publishes border waits, so for most nothing is forecast, with the reason: nothing is borrowed from elsewhere. It knows neither flights, staffing, holidays nor suspensions of the Entry/Exit System. For waits now use get_ees_wait_times.'

const query = defineQuery({
  name: 'getEesForecast',
  summary: '24-hour border forecast of one airport, entry and exit apart',
  description,
  tier: 'free',
  rest: null,
  input: z.strictObject({ iata }),
  output,
  answer({ iata: code }, context) {
    const place = findAirport(code, context)
    const { snapshot, now } = context
    const outside = outsideSchengen(place)
    const start = Math.floor(now / HOUR_MS) * HOUR_MS
    const of = (direction: BorderDirection) => directionAhead(code, direction, start, outside, context)
    const [entry, exit, unknown] = BorderDirection.options.map(of) as [Ahead, Ahead, Ahead]
    const told = [entry, exit, unknown].some(({ model }) => model.model !== null)
    const hourAt = (at: number) => ({
      time: isoUtc(start + at * HOUR_MS),
      local_time: localTime(start + at * HOUR_MS, place.timezone),
      entry: entry.hours[at]!,
      exit: exit.hours[at]!,
      unknown_direction: unknown.hours[at]!,
    })
    return {
      airport: code,
      name: place.name,
      timezone: place.timezone,
      timestamp: snapshot.generated_at,
      member: outside === null,
      entry: entry.model,
      exit: exit.model,
      unknown_direction: unknown.model.model === null ? null : unknown.model,
      hours: Array.from({ length: told ? HOURS : 0 }, (_, at) => hourAt(at)),
      scope: EES_SCOPE,
      note: eesStatus().note,
      simulated: snapshot.simulated,
    }
  },
})

interface Ahead {
  model: z.input<typeof Model>
  hours: (BorderHour | null)[]
}

function directionAhead(
  code: string,
  direction: BorderDirection,
  start: number,
  outside: string | null,
  { snapshot }: QueryContext,
): Ahead {
  const forecast = outside === null ? snapshot.borderForecast(code, direction) : null
  const hours = Array.from({ length: HOURS }, (_, at) => hourOf(forecast, start + at * HOUR_MS))
  if (!forecast || hours.every((hour) => hour === null)) {
    const unavailable_reason = outside ?? whyNone(code, forecast !== null)
    return { model: { basis: null, model: null, confidence: null, backtest: null, unavailable_reason }, hours }
  }
  const { within_5, ...measured } = forecast.backtest
  const model = {
    basis: 'predicted' as const,
    model: forecast.version,
    backtest: measured,
    confidence: measured.samples < ENOUGH_COMPARED ? null : within_5,
    unavailable_reason: hours.includes(null) ? 'An hour is null where it was observed on too few days.' : null,
  }
  return { model, hours }
}

function hourOf(forecast: BorderForecast | null, start: number): BorderHour {
  const hour = forecast?.hours[(start - forecast.start_ms) / HOUR_MS]
  if (!hour) return null
  const { p10, p50, p90, samples } = hour
  return { wait_minutes: Math.round(p50), low: Math.round(p10), high: Math.round(p90), samples }
}

function whyNone(code: string, outdated: boolean): string {
  if (outdated) return 'The last forecast was made too long ago to reach these hours.'
  const publisher = publishersOf(code).length > 0 ? '' : ' Nobody is known to publish border waits here.'
  return `This queue was observed on too few of the last 28 days (7 at the same hour are needed).${publisher}`
}

const clock = (local: string) => local.slice(11, 16)

function directionWords(
  name: string,
  { model, confidence, unavailable_reason }: z.output<typeof Model>,
  hours: { local_time: string; hour: z.output<typeof BorderHour> }[],
): string {
  const told = hours.flatMap(({ local_time, hour }) => (hour ? [{ at: clock(local_time), ...hour }] : []))
  const sorted = told.toSorted((a, b) => a.wait_minutes - b.wait_minutes)
  const [least, most] = [sorted[0], sorted.at(-1)]
  if (model === null || !least || !most) return `${name}: not forecast. ${unavailable_reason}`
  const words = ({ at, wait_minutes, low, high }: typeof least) => `${at} (${wait_minutes} min, ${low} to ${high})`
  const trust =
    confidence === null
      ? 'its error is not measured yet'
      : `within 5 min in ${Math.floor(confidence * 100)} % of hours last week`
  return `${name}: shortest at ${words(least)}, longest at ${words(most)}; predicted, ${trust}.`
}

export const getEesForecastTool = defineTool<z.output<typeof output>>({
  name: 'get_ees_forecast',
  title: '24-hour border forecast of one airport, entry and exit apart',
  description,
  annotations: READ_ONLY,
  example: { iata: 'ZRH' },
  query,
  text: ({ airport, name, member, entry, exit, unknown_direction, hours, note }) => {
    if (!member) return `${airport} ${name}: no border forecast. ${entry.unavailable_reason}`
    const hoursOf = (direction: 'entry' | 'exit' | 'unknown_direction') =>
      hours.map(({ local_time, [direction]: hour }) => ({ local_time, hour }))
    return [
      `${airport} ${name}, border control in the next 24 hours, local time:`,
      directionWords('Entry', entry, hoursOf('entry')),
      directionWords('Exit', exit, hoursOf('exit')),
      unknown_direction && directionWords('Entry or exit', unknown_direction, hoursOf('unknown_direction')),
      note,
    ]
      .filter(Boolean)
      .join('\n')
  },
})
