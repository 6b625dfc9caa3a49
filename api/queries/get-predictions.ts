import { DateTime } from 'luxon'
import { z } from 'zod'
import { Basis, HORIZON_HOURS, HOUR_MS, isoUtc, LocalDate, UtcInstant } from '../../config/domain.ts'
import { ParameterError, PremiumRequiredError } from '../../config/errors.ts'
import { TIERS } from '../../config/tiers.ts'
import type { ForecastSeries } from '../../warehouse/snapshot/types.ts'
import { defineQuery, type QueryContext } from './define.ts'
import { findAirport } from './find-airport.ts'
import { hourAt } from './forecast-hours.ts'
import { localDayAt, localTime, startOfDay } from './local-time.ts'
import { fraction, iata, minutes, simulated, unavailableReason } from './shapes.ts'

const forecast = { wait_minutes: minutes, low: minutes, high: minutes, confidence: fraction }

const Hour = z
  .strictObject({
    time: UtcInstant.describe('Start of the hour (UTC).'),
    local_time: z.string().describe('The same in the airport’s time zone, with its offset.'),
    ...forecast,
    terminals: z
      .array(z.strictObject({ terminal: z.string(), ...forecast }))
      .optional()
      .describe('Enterprise: terminals that have a forecast of their own.'),
  })
  .meta({ id: 'PredictedHour' })

const Model = z
  .strictObject({
    version: z.string(),
    trained_at: UtcInstant.nullable(),
    basis: Basis,
    backtest: z.strictObject({
      mae_minutes: z.number().nullable(),
      baseline_mae_minutes: z.number().nullable(),
      coverage_80: z.number().nullable(),
      samples: z.int(),
    }),
  })
  .meta({ id: 'Model', description: 'What made the forecast, and how it did on hours it had not seen.' })

const output = z
  .strictObject({
    airport: iata,
    timezone: z.string(),
    date: LocalDate.describe('Local day of the airport.'),
    generated_at: UtcInstant,
    horizon_hours: z.int().describe('How far ahead the tier sees.'),
    model: Model.nullable(),
    hours: z.array(Hour),
    unavailable_reason: unavailableReason,
    simulated,
  })
  .meta({ id: 'Predictions' })

export type Predictions = z.output<typeof output>

export const getPredictions = defineQuery({
  name: 'getPredictions',
  summary: 'Hourly wait-time predictions of an airport',
  description:
    'Security waits predicted for each hour of one local day of the airport, from the current hour on, with the 80 % interval and a calibrated confidence. A day has 23 or 25 hours when the clocks change. Pro: the next 24 hours, asked for as today or tomorrow. Enterprise: the next 168 hours, with terminals. A day further ahead than the tier sees: 403; outside the 168 hours or in the past: 400.',
  tier: 'pro',
  rest: {
    method: 'GET',
    path: '/airports/:iata/predictions',
    csv: {
      columns: ['airport', 'terminal', 'time', 'local_time', 'wait_minutes', 'low', 'high', 'confidence'],
      rows: ({ airport, hours }: Predictions) =>
        hours.flatMap(({ terminals = [], ...hour }) => [
          { airport, terminal: '', ...hour },
          ...terminals.map((terminal) => ({ airport, time: hour.time, local_time: hour.local_time, ...terminal })),
        ]),
    },
  },
  input: z.strictObject({
    iata,
    date: LocalDate.optional().describe('Local day of the airport (YYYY-MM-DD); default today.'),
  }),
  output,
  answer(input, context) {
    const { timezone, iata: airport } = findAirport(input.iata, context)
    const { snapshot, tier, now } = context
    const from = Math.floor(now / HOUR_MS) * HOUR_MS
    const date = input.date ?? localDayAt(now, timezone)
    const horizon_hours = TIERS[tier].prediction_hours
    checkDay(date, timezone, from, context)

    const series = snapshot.forecast(airport)
    const byTerminal = TIERS[tier].granularity === 'terminal' ? terminalSeries(airport, context) : null
    const first = Math.max(from, Math.ceil(startOfDay(date, timezone) / HOUR_MS) * HOUR_MS)
    const end = Math.min(startOfDay(date, timezone, 1), from + horizon_hours * HOUR_MS)
    return {
      ...{ airport, timezone, date, generated_at: snapshot.generated_at, horizon_hours },
      model: series?.model ?? null,
      hours: hoursBetween(series, byTerminal, first, end, timezone),
      unavailable_reason: series ? null : 'no forecast exists for this airport',
      simulated: snapshot.simulated,
    }
  },
})

/** @throws ParameterError for a day outside the horizon; PremiumRequiredError for one the tier does not see. */
function checkDay(date: string, timezone: string, from: number, { tier, now }: QueryContext): void {
  const today = localDayAt(now, timezone)
  const last = localDayAt(from + HORIZON_HOURS * HOUR_MS - 1, timezone)
  if (date < today || date > last)
    throw new ParameterError([{ parameter: 'date', message: `must be a local day from ${today} to ${last}` }])
  const tomorrow = DateTime.fromISO(today).plus({ days: 1 }).toISODate()!
  if (date > tomorrow && TIERS[tier].prediction_hours < HORIZON_HOURS)
    throw new PremiumRequiredError(
      'enterprise',
      `predictions beyond ${TIERS[tier].prediction_hours} hours need Enterprise`,
    )
}

function terminalSeries(airport: string, { snapshot }: QueryContext): ForecastSeries[] {
  return snapshot.terminals(airport).flatMap((terminal) => snapshot.forecast(airport, terminal) ?? [])
}

function hoursBetween(
  series: ForecastSeries | null,
  byTerminal: ForecastSeries[] | null,
  first: number,
  end: number,
  timezone: string,
): z.input<typeof Hour>[] {
  const hours: z.input<typeof Hour>[] = []
  if (!series) return hours
  for (let start = first; start < end; start += HOUR_MS) {
    const hour = hourAt(series, start)
    if (!hour) continue
    const terminals = byTerminal?.flatMap((part) => {
      const own = hourAt(part, start)
      return own ? [{ terminal: part.terminal, ...own }] : []
    })
    hours.push({
      ...{ time: isoUtc(start), local_time: localTime(start, timezone), ...hour },
      ...(terminals && { terminals }),
    })
  }
  return hours
}
