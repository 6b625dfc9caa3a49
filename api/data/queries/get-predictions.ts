import { z } from 'zod'
import { HORIZON_HOURS, HOUR_MS, isoUtc, LocalDate, UtcInstant } from '../../../config/domain.ts'
import { ParameterError, PremiumRequiredError } from '../../../config/errors.ts'
import { fraction, Instant, ModelCard, minutes, nullableMinutes, unavailableReason } from '../../../config/facts.ts'
import { TIERS } from '../../../config/tiers.ts'
import type { PastForecast } from '../../../jobs/calls/archive.ts'
import type { ForecastSeries } from '../../../warehouse/serving/snapshot/types.ts'
import { AS_OF_REACH, askArchive, asOf, asOfTold, pastInstant, tooOld } from './as-of.ts'
import { defineQuery, type QueryContext, seesTerminals } from './define.ts'
import { findAirport } from './find-airport.ts'
import { hourAt } from './forecast-hour.ts'
import { localDayAt, localTime, startOfDay } from './local-time.ts'
import { iata, simulated } from './shared-fields.ts'

const DAY_HOURS = 24
const MOST_DAYS = HORIZON_HOURS / DAY_HOURS

const forecast = {
  wait_minutes: minutes,
  low: minutes,
  high: minutes,
  confidence: fraction,
  observed_minutes: nullableMinutes
    .optional()
    .describe('With `as_of`: the mean wait observed in the hour since; null where none is known.'),
}

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

const output = z
  .strictObject({
    airport: iata,
    timezone: z.string(),
    date: LocalDate.describe('Local day of the airport; the first one where several are asked for.'),
    generated_at: Instant,
    as_of: asOfTold,
    issued_at: UtcInstant.nullable()
      .optional()
      .describe('With `as_of`: when the forecast was made; null where there is none.'),
    horizon_hours: z.int().describe('How far ahead the tier sees.'),
    model: ModelCard.nullable(),
    hours: z.array(Hour),
    unavailable_reason: unavailableReason,
    simulated,
  })
  .meta({ id: 'Predictions' })

export type Predictions = z.output<typeof output>

export const getPredictions = defineQuery({
  name: 'getPredictions',
  summary: 'Hourly wait-time predictions of an airport',
  description: `Security waits predicted hour by hour, with the 80 % interval and a calibrated confidence. Without parameters: today at the airport, from the current hour on. \`date\`: that local day (23 or 25 hours when the clocks change). \`date\` and \`days\`: so many local days from \`date\` on. \`days\` alone: so many times 24 hours from the current hour on, so \`days=1\` is all that Pro sees (${TIERS.pro.prediction_hours} hours) and \`days=${MOST_DAYS}\` all that Enterprise sees (${HORIZON_HOURS} hours, with terminals) in one answer. Hours beyond the horizon are cut off. A day or stretch further ahead than the tier sees: 403; a \`date\` in the past or beyond the ${HORIZON_HOURS} hours: 400. \`as_of\`: the forecast as it stood at that instant (the newest one made until then; \`date\`, \`days\` and the horizon count from it), with what was observed since. ${AS_OF_REACH}.`,
  tier: 'pro',
  rest: {
    method: 'GET',
    path: '/airports/:iata/predictions',
    csv: {
      columns: ['airport', 'terminal', 'time', 'local_time', 'wait_minutes', 'low', 'high', 'confidence'],
      asOfColumns: ['observed_minutes', 'issued_at'],
      rows: ({ airport, hours, issued_at }: Predictions) =>
        hours.flatMap(({ terminals = [], ...hour }) => {
          const { time, local_time } = hour
          const place = { airport, time, local_time, issued_at }
          return [{ terminal: '', ...hour, ...place }, ...terminals.map((one) => ({ ...one, ...place }))]
        }),
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
    as_of: asOf,
  }),
  output,
  answer(input, context) {
    const { timezone, iata: airport } = findAirport(input.iata, context)
    const stretch = stretchOf(input, timezone, context)
    const series = context.snapshot.forecast(airport)
    const byTerminal = seesTerminals(context) ? terminalSeries(airport, context) : null
    return {
      ...heading(airport, timezone, stretch, context),
      model: series?.model ?? null,
      hours: hoursBetween(series, byTerminal, stretch, timezone),
      unavailable_reason: series ? null : 'no forecast exists for this airport',
    }
  },
  async answerAsOf(input, context): Promise<z.input<typeof output>> {
    const { timezone, iata: airport } = findAirport(input.iata, context)
    const then = pastInstant(input.as_of, 'forecasts', context)
    const stretch = stretchOf(input, timezone, { ...context, now: then })
    const { vintage, oldest_issued_at } = await askArchive(
      {
        subject: 'forecast',
        iata: airport,
        as_of: isoUtc(then),
        now: isoUtc(context.now),
        from: isoUtc(stretch.first),
        to: isoUtc(stretch.end),
        terminals: seesTerminals(context),
      },
      context,
    )
    if (!vintage && oldest_issued_at !== null && Date.parse(oldest_issued_at) > then)
      throw tooOld(oldest_issued_at, `the oldest forecast kept of ${airport}`)
    const told = { ...heading(airport, timezone, stretch, context), as_of: isoUtc(then) }
    if (!vintage) {
      const unavailable_reason = oldest_issued_at === null ? NO_VINTAGES : 'no forecast was made in the 7 days before'
      return { ...told, issued_at: null, model: null, hours: [], unavailable_reason }
    }
    const { issued_at, model } = vintage
    const [series = null, ...byTerminal] = vintage.series.map((one) => asSeries(airport, one, model))
    const hours = hoursBetween(series, seesTerminals(context) ? byTerminal : null, stretch, timezone)
    const unavailable_reason = hours.length > 0 ? null : 'the newest forecast then did not reach these hours'
    return { ...told, issued_at, model, hours, unavailable_reason }
  },
})

const NO_VINTAGES =
  'only forecasts of airports with a history of their own are kept; what answers for this one, if anything, is the fixed worldwide prior'

/** What every answer begins with. */
function heading(airport: string, timezone: string, { date }: Stretch, { snapshot, tier }: QueryContext) {
  const { generated_at, simulated } = snapshot
  return { airport, timezone, date, generated_at, simulated, horizon_hours: TIERS[tier].prediction_hours }
}

/** The hours that a request means, epoch ms with `end` excluded, and the local day they begin with. */
interface Stretch {
  date: string
  first: number
  end: number
}

type SeriesThen = NonNullable<PastForecast['vintage']>['series'][number]
/** A series, of the past with what was observed in its hours: tenths of a minute, null where nothing is known. */
type Told = ForecastSeries & { observed?: SeriesThen['observed'] }

/** A series of the archive as a snapshot would have it. */
function asSeries(iata: string, { terminal, start, observed, ...hours }: SeriesThen, model: ModelCard): Told {
  return {
    iata,
    terminal,
    start_ms: Date.parse(start),
    model,
    observed,
    p10: Int16Array.from(hours.p10),
    p50: Int16Array.from(hours.p50),
    p90: Int16Array.from(hours.p90),
    confidence: Uint8Array.from(hours.confidence),
  }
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

/** The hour that starts at `start`; of the past with what was observed in it. Null outside the series. */
function toldAt(series: Told, start: number) {
  const hour = hourAt(series, start)
  if (!hour || !series.observed) return hour
  const tenths = series.observed[(start - series.start_ms) / HOUR_MS] ?? null
  return { ...hour, observed_minutes: tenths === null ? null : Math.round(tenths / 10) }
}

function hoursBetween(
  series: Told | null,
  byTerminal: Told[] | null,
  { first, end }: Stretch,
  timezone: string,
): z.input<typeof Hour>[] {
  const hours: z.input<typeof Hour>[] = []
  if (!series) return hours
  for (let start = first; start < end; start += HOUR_MS) {
    const hour = toldAt(series, start)
    if (!hour) continue
    const terminals = byTerminal?.flatMap((part) => {
      const own = toldAt(part, start)
      return own ? [{ terminal: part.terminal, ...own }] : []
    })
    hours.push({
      time: isoUtc(start),
      local_time: localTime(start, timezone),
      ...hour,
      ...(terminals && { terminals }),
    })
  }
  return hours
}
