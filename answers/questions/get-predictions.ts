import { z } from 'zod'
import type { Airport } from '../../config/airports/directory.ts'
import { noFlightsText } from '../../config/airports/without-flights.ts'
import {
  forecastStatusFields,
  fraction,
  Instant,
  ModelCard,
  nullableMinutes,
  unavailableReason,
} from '../../config/answer-schemas.ts'
import { ParameterError, PremiumRequiredError } from '../../config/errors.ts'
import { holidaysAt } from '../../config/reference/public-holidays.ts'
import { terminalNamed, WHOLE_AIRPORT } from '../../config/terminal-name.ts'
import { TIERS } from '../../config/tiers.ts'
import { HORIZON_HOURS, HOUR_MS, isoUtc, LocalDate, startOfHour } from '../../config/vocabulary.ts'
import { probabilityOver } from '../../forecasting/quantiles/wait-quantile.ts'
import type { ForecastSeries } from '../../warehouse/publishing/read/forecasts.ts'
import { isOpeningUnknown, type QueueState, UNKNOWN_OPENING_TEXT } from '../statements/closure.ts'
import { withoutPart } from '../statements/day-parts.ts'
import { dayHint, dayOfWord, daysHint } from '../statements/day-words.ts'
import { localDayAt, localTime, startOfDay } from '../statements/local-time.ts'
import { adjustmentFields, firstDisagreement, type ShownWait, shownWaitOf, terminalWaitOf } from './adjustment.ts'
import { defineQuery, type QueryContext } from './define.ts'
import { findAirport } from './find-airport.ts'
import { forecastHourAt, quantilesAt } from './forecast-hour.ts'
import { granularityOf, shownQueueWait } from './queue-waits.ts'
import { iata, no_flights, notice, simulated } from './shared-fields.ts'
import { shownForecast } from './shown-forecast.ts'

const DAY_HOURS = 24
const MAX_DAYS = HORIZON_HOURS / DAY_HOURS

const forecastFields = {
  ...forecastStatusFields,
  wait_minutes: nullableMinutes.describe('Minutes; null in an hour in which the queue is closed.'),
  low: nullableMinutes.describe('Lower end of the 80 % interval; null when closed.'),
  high: nullableMinutes.describe('Upper end of the 80 % interval; null when closed.'),
  confidence: fraction
    .nullable()
    .describe(
      'Calibrated probability of being within 5 minutes of `wait_minutes`; null when closed, and when the forecast has no backtest (`samples` is 0).',
    ),
}

export const PredictedHour = z
  .strictObject({
    time: Instant.describe('Start of the hour (UTC).'),
    local_time: z.string().describe('The same in the airport’s time zone, with its offset.'),
    ...forecastFields,
    over_15: fraction
      .nullable()
      .describe(
        'Probability that the wait is over 15 minutes; null when closed. Above `high` it falls exponentially, as in `leave-by`; of waits over 30 minutes it claims about twice as many as come true.',
      ),
    over_30: fraction.nullable().describe('Probability that the wait is over 30 minutes; null when closed.'),
    terminals: z
      .array(z.strictObject({ terminal: z.string(), ...forecastFields }))
      .optional()
      .describe('Enterprise: terminals that have a forecast of their own.'),
  })
  .meta({ id: 'PredictedHour' })
type PredictedHour = z.input<typeof PredictedHour>

const output = z
  .strictObject({
    airport: iata,
    timezone: z.string(),
    date: LocalDate.describe('The requested local day of the airport; the first one of several.'),
    generated_at: Instant,
    horizon_hours: z.int().describe('How far ahead the tier sees.'),
    model: ModelCard.nullable(),
    ...adjustmentFields,
    terminals_adjusted_to: z
      .array(z.strictObject({ terminal: z.string(), ...adjustmentFields }))
      .optional()
      .describe('Enterprise: the same of each terminal that has a forecast of its own.'),
    hours: z.array(PredictedHour),
    unavailable_reason: unavailableReason.describe(
      'Why there are no hours, or which of the requested ones the tier does not see; otherwise null.',
    ),
    notice,
    no_flights,
    simulated,
  })
  .meta({ id: 'Predictions' })

export type Predictions = z.output<typeof output>

const CSV_COLUMNS = [
  'airport',
  'terminal',
  'time',
  'local_time',
  'wait_minutes',
  'low',
  'high',
  'confidence',
  'status',
  'open_probability',
  'over_15',
  'over_30',
]

export const getPredictions = defineQuery({
  name: 'getPredictions',
  tier: 'pro',
  rest: {
    summary: 'Hourly wait-time predictions of an airport',
    description: `Security waits predicted hour by hour, with the 80 % interval and a calibrated confidence. Without parameters: the next ${DAY_HOURS} hours, from the current hour on, also late in the evening. \`date\`: that local day (23 or 25 hours when the clocks change); Pro answers today and tomorrow alike with its ${TIERS.pro.prediction_hours} hours from the current hour on, whatever the clock. \`date\` and \`days\`: that many local days from \`date\` on. \`days\` alone: that many times 24 hours from the current hour on, so \`days=1\` is everything that Pro sees (${TIERS.pro.prediction_hours} hours) and \`days=${MAX_DAYS}\` everything that Enterprise sees (${HORIZON_HOURS} hours, with terminals) in one answer. An hour in which the queue is closed with high probability, or in which airlines may not fly, has \`status: closed\` and no minutes. Hours beyond the horizon are left out. Days further ahead than the tier sees: 403; a \`date\` in the past or beyond the ${HORIZON_HOURS} hours: 400.`,
    method: 'GET',
    path: '/airports/:iata/predictions',
    csv: {
      columns: CSV_COLUMNS,
      rows: ({ airport, hours }: Predictions) =>
        hours.flatMap(({ terminals = [], ...hour }) => {
          const { time, local_time } = hour
          const shared = { airport, time, local_time }
          return [
            { terminal: WHOLE_AIRPORT, ...hour, ...shared },
            ...terminals.map((terminal) => ({ ...terminal, ...shared })),
          ]
        }),
    },
  },
  input: z.strictObject({
    iata,
    date: z
      .string()
      .max(60)
      .optional()
      .describe('Local day of the airport: YYYY-MM-DD, `today` or `tomorrow`. Default: today, as the next 24 hours.')
      .meta({ examples: ['tomorrow'] }),
    days: z
      .int()
      .min(1)
      .max(MAX_DAYS)
      .optional()
      .describe('With `date`: local days from it on. Alone: times 24 hours from the current hour on. Default 1.')
      .meta({ examples: [1] }),
  }),
  output,
  answer(input, context): z.input<typeof output> {
    const place = findAirport(input.iata, context)
    const { timezone, iata: airport } = place
    const { snapshot, tier } = context
    const period = periodOf(input, place, context)
    const ended = noFlightsText(airport)
    const series = ended === null ? shownForecast(snapshot, airport) : null
    const terminals = granularityOf(tier) === 'terminal' ? terminalSeries(airport, context) : null
    return {
      ...headerFields(airport, timezone, period, context),
      model: series?.model ?? null,
      ...(series ? adjustmentsOf(series, terminals, period, timezone, context) : NOT_ADJUSTED),
      hours: series ? hoursWithin(period, series, terminals, timezone) : [],
      unavailable_reason: series
        ? hoursBeyondTier(period, timezone, context)
        : (ended ?? 'no forecast exists for this airport'),
    }
  },
})

const NOT_ADJUSTED = { adjusted_to: null, note: null }

function headerFields(airport: string, timezone: string, { date }: Period, { snapshot, tier }: QueryContext) {
  const { generated_at, simulated } = snapshot
  return { airport, timezone, date, generated_at, simulated, horizon_hours: TIERS[tier].prediction_hours }
}

/** The requested hours, epoch ms with `end` excluded, and the local day they begin with. */
interface Period {
  date: string
  first: number
  end: number
  /** End of the requested days, which may lie beyond the horizon. */
  requested_end: number
}

/** @throws ParameterError for a day outside the horizon; PremiumRequiredError for hours that the tier does not see */
function periodOf(
  { date: text, days = 1 }: { date?: string | undefined; days?: number | undefined },
  { timezone, country, region }: Airport,
  { tier, now }: QueryContext,
): Period {
  const { prediction_hours } = TIERS[tier]
  const beyondTier = () =>
    new PremiumRequiredError('enterprise', `predictions beyond ${prediction_hours} hours need Enterprise`)
  const from = startOfHour(now)
  const today = localDayAt(now, timezone)
  if (text === undefined) {
    if (days * DAY_HOURS > prediction_hours) throw beyondTier()
    const end = from + days * DAY_HOURS * HOUR_MS
    return { date: today, first: from, end, requested_end: end }
  }
  const calendar = holidaysAt(country, region) ?? undefined
  const date = dayOfWord(text, today, calendar) ?? dayOfWord(withoutPart(text), today, calendar) ?? text
  const last = localDayAt(from + HORIZON_HOURS * HOUR_MS - 1, timezone)
  const earlier = `must be a local day from ${today} to ${last}; get_historical_wait_times (REST: historical) has earlier ones`
  const later = `must be a local day from ${today} to ${last}; get_best_time_to_fly (REST: leave-by) plans departures of later ones`
  if (!LocalDate.safeParse(date).success)
    throw ParameterError.of(
      'date',
      `must be a date that exists, YYYY-MM-DD, or \`today\` or \`tomorrow\`${dayHint(text, today, calendar) || daysHint(text, today)}`,
    )
  if (date < today || date > last) throw ParameterError.of('date', date < today ? earlier : later)
  const start = startOfDay(date, timezone)
  const end = startOfDay(date, timezone, days)
  const horizon = from + prediction_hours * HOUR_MS
  if (prediction_hours < HORIZON_HOURS) {
    if (end > startOfDay(today, timezone, 2)) throw beyondTier()
    // Just after midnight the hours of tomorrow lie beyond 24 hours, and late in the evening nearly all those of today are
    // past. The tier's hours are the same for both days, whatever the clock.
    return { date, first: from, end: horizon, requested_end: end }
  }
  return {
    date,
    first: Math.max(from, Math.ceil(start / HOUR_MS) * HOUR_MS),
    end: Math.min(end, horizon),
    requested_end: end,
  }
}

/** Says which hours of the requested days lie beyond the horizon of the tier; null if none does. */
function hoursBeyondTier(
  { end, requested_end }: Period,
  timezone: string,
  { tier }: Pick<QueryContext, 'tier'>,
): string | null {
  const { name, prediction_hours } = TIERS[tier]
  if (requested_end <= end || prediction_hours === HORIZON_HOURS) return null
  return `the hours from ${localTime(end, timezone)} on lie beyond the ${prediction_hours} hours of ${name}`
}

const isWithin =
  ({ first, end }: Period) =>
  (start: number) =>
    start >= first && start < end

/** The waits that the series were adjusted to, and the place of those outside the hours shown. */
function adjustmentsOf(
  series: ForecastSeries,
  terminals: ForecastSeries[] | null,
  period: Period,
  timezone: string,
  { snapshot, now }: QueryContext,
) {
  const wait = shownQueueWait(snapshot.queue(series.iata, 'security'), 'terminal')
  const isShown = isWithin(period)
  const { adjusted_to } = series
  const noteOf = (queue: QueueState, shown: ShownWait, forecast: ForecastSeries) =>
    isOpeningUnknown(queue) && isShown(startOfHour(now) + HOUR_MS)
      ? UNKNOWN_OPENING_TEXT
      : firstDisagreement(shown, forecast, now, timezone, isShown)
  const note = noteOf(wait, shownWaitOf(wait), series)
  if (!terminals) return { adjusted_to, note }
  return {
    adjusted_to,
    note,
    terminals_adjusted_to: terminals.map((own) => ({
      terminal: own.terminal,
      adjusted_to: own.adjusted_to,
      note: noteOf(terminalNamed(wait.terminals, own.terminal) ?? wait, terminalWaitOf(wait, own.terminal), own),
    })),
  }
}

function terminalSeries(airport: string, { snapshot }: QueryContext): ForecastSeries[] {
  return snapshot.terminals(airport).flatMap((terminal) => shownForecast(snapshot, airport, terminal) ?? [])
}

/** The long waits of an hour; null if it is closed. */
function tailAt(series: ForecastSeries, start: number) {
  const tenths = quantilesAt(series, start)
  if (!tenths) return { over_15: null, over_30: null }
  const quantiles = { p10: tenths.p10 / 10, p50: tenths.p50 / 10, p90: tenths.p90 / 10 }
  return {
    over_15: probabilityOver(quantiles, 15),
    over_30: probabilityOver(quantiles, 30),
  }
}

function hoursWithin(
  { first, end }: Period,
  airport: ForecastSeries,
  terminals: ForecastSeries[] | null,
  timezone: string,
): PredictedHour[] {
  const hours: PredictedHour[] = []
  for (let start = first; start < end; start += HOUR_MS) {
    const hour = forecastHourAt(airport, start)
    if (!hour) continue
    const terminalSeries = terminals?.flatMap((series) => {
      const own = forecastHourAt(series, start)
      return own ? [{ terminal: series.terminal, ...own }] : []
    })
    hours.push({
      time: isoUtc(start),
      local_time: localTime(start, timezone),
      ...hour,
      ...tailAt(airport, start),
      ...(terminalSeries && { terminals: terminalSeries }),
    })
  }
  return hours
}
