import { z } from 'zod'
import { Basis, HORIZON_HOURS, HOUR_MS, isoUtc, LocalDate } from '../../config/domain.ts'
import { ParameterError, PremiumRequiredError } from '../../config/errors.ts'
import { TIERS } from '../../config/tiers.ts'
import type { ForecastSeries } from '../../warehouse/snapshot/types.ts'
import { defineQuery, type QueryContext } from './define.ts'
import { findAirport } from './find-airport.ts'
import { hourAt } from './forecast-hours.ts'
import { localDayAt, localTime, startOfDay } from './local-time.ts'
import { fraction, Instant, iata, minutes, simulated, statistic, unavailableReason } from './shapes.ts'

const DAY_HOURS = 24
const MOST_DAYS = HORIZON_HOURS / DAY_HOURS

const forecast = { wait_minutes: minutes, low: minutes, high: minutes, confidence: fraction }

const Hour = z
  .strictObject({
    time: Instant.describe('Start of the hour (UTC).'),
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
    trained_at: Instant.nullable(),
    basis: Basis,
    backtest: z.strictObject({
      mae_minutes: statistic.nullable(),
      baseline_mae_minutes: statistic.nullable(),
      coverage_80: fraction.nullable(),
      samples: z.int(),
    }),
  })
  .meta({ id: 'Model', description: 'What made the forecast, and how it did on hours it had not seen.' })

const output = z
  .strictObject({
    airport: iata,
    timezone: z.string(),
    date: LocalDate.describe('Local day of the airport; the first one where several are asked for.'),
    generated_at: Instant,
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
  description: `Security waits predicted hour by hour, with the 80 % interval and a calibrated confidence. Without parameters: today at the airport, from the current hour on. \`date\`: that local day (23 or 25 hours when the clocks change). \`date\` and \`days\`: so many local days from \`date\` on. \`days\` alone: so many times 24 hours from the current hour on, so \`days=1\` is all that Pro sees (${TIERS.pro.prediction_hours} hours) and \`days=${MOST_DAYS}\` all that Enterprise sees (${HORIZON_HOURS} hours, with terminals) in one answer. Hours beyond the horizon are cut off. A day or stretch further ahead than the tier sees: 403; a \`date\` in the past or beyond the ${HORIZON_HOURS} hours: 400.`,
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
    date: LocalDate.optional()
      .describe('Local day of the airport (YYYY-MM-DD); default today.')
      .meta({ examples: ['2026-11-22'] }),
    days: z
      .int()
      .min(1)
      .max(MOST_DAYS)
      .optional()
      .describe('With `date`: local days from it on. Alone: times 24 hours from the current hour on.')
      .meta({ examples: [1] }),
  }),
  output,
  answer(input, context) {
    const { timezone, iata: airport } = findAirport(input.iata, context)
    const { snapshot, tier } = context
    const { date, first, end } = stretchOf(input, timezone, context)
    const series = snapshot.forecast(airport)
    const byTerminal = TIERS[tier].granularity === 'terminal' ? terminalSeries(airport, context) : null
    return {
      ...{ airport, timezone, date, generated_at: snapshot.generated_at },
      horizon_hours: TIERS[tier].prediction_hours,
      model: series?.model ?? null,
      hours: hoursBetween(series, byTerminal, first, end, timezone),
      unavailable_reason: series ? null : 'no forecast exists for this airport',
      simulated: snapshot.simulated,
    }
  },
})

/** The hours that a request means, epoch ms with `end` excluded, and the local day they begin with. */
interface Stretch {
  date: string
  first: number
  end: number
}

/** @throws ParameterError for a day outside the horizon; PremiumRequiredError for hours the tier does not see. */
function stretchOf(
  { date, days }: { date?: string | undefined; days?: number | undefined },
  timezone: string,
  { tier, now }: QueryContext,
): Stretch {
  const { prediction_hours } = TIERS[tier]
  const beyondTier = () =>
    new PremiumRequiredError('enterprise', `predictions beyond ${prediction_hours} hours need Enterprise`)
  const from = Math.floor(now / HOUR_MS) * HOUR_MS
  const today = localDayAt(now, timezone)
  if (date === undefined && days !== undefined) {
    if (days * DAY_HOURS > prediction_hours) throw beyondTier()
    return { date: today, first: from, end: from + days * DAY_HOURS * HOUR_MS }
  }

  const day = date ?? today
  const last = localDayAt(from + HORIZON_HOURS * HOUR_MS - 1, timezone)
  if (day < today || day > last)
    throw new ParameterError([{ parameter: 'date', message: `must be a local day from ${today} to ${last}` }])
  const end = startOfDay(day, timezone, days ?? 1)
  if (end > startOfDay(today, timezone, 2) && prediction_hours < HORIZON_HOURS) throw beyondTier()
  return {
    date: day,
    first: Math.max(from, Math.ceil(startOfDay(day, timezone) / HOUR_MS) * HOUR_MS),
    end: Math.min(end, from + prediction_hours * HOUR_MS),
  }
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
