import { z } from 'zod'
import type { Airport } from '../../config/airports/directory.ts'
import { fraction, Instant, minutes } from '../../config/answer-schemas.ts'
import { ParameterError, type ParameterFault, PremiumRequiredError } from '../../config/errors.ts'
import { getOrCreate, once } from '../../config/once.ts'
import { basisOf } from '../../config/publishers.ts'
import { holidaysAt } from '../../config/reference/public-holidays.ts'
import { WHOLE_AIRPORT } from '../../config/terminal-name.ts'
import { TIERS, tierCovers } from '../../config/tiers.ts'
import { localClock } from '../../config/time-zones/local-time.ts'
import { Basis, DAY_MS, HOUR_MS, isoUtc, LocalDate, startOfHour } from '../../config/vocabulary.ts'
import { quantile } from '../../forecasting/statistics/statistics.ts'
import type { HistorySeries } from '../../warehouse/publishing/read/history.ts'
import { type LearnedHours, openPercentAt, openStatus } from '../../warehouse/publishing/waits/learned-hours.ts'
import { nextSlice, partsOf } from '../slices.ts'
import { dayHint, pastDayOfWord } from '../statements/day-words.ts'
import { NO_CALENDAR } from '../statements/holiday-words.ts'
import { localDayAt, startOfDay } from '../statements/local-time.ts'
import { checkedOutput, checkInput, checkOutput, defineQuery, type Query, type QueryContext } from './define.ts'
import { findAirport } from './find-airport.ts'
import { minutesFromTenths } from './forecast-hour.ts'
import { granularityOf } from './queue-waits.ts'
import { iata, no_flights, notice, simulated } from './shared-fields.ts'

const samples = z.int().min(1)

const ObservedHour = z
  .strictObject({
    time: Instant.describe('Start of the hour (UTC).'),
    terminal: z
      .string()
      .nullable()
      .describe('Null for the airport as a whole (in CSV `all`); named rows on Enterprise.'),
    mean: minutes,
    p50: minutes,
    p90: minutes,
    max: minutes,
    samples: samples.describe('Readings in the hour.'),
    basis: Basis.extract(['measured', 'reported']).describe('reported: travellers’ reports are among the readings.'),
    source: z.string().describe('Sources of the readings, joined by `+`.'),
  })
  .meta({ id: 'ObservedHour' })
type ObservedHour = z.input<typeof ObservedHour>

export const PatternHour = z
  .strictObject({
    day_of_week: z.int().min(1).max(7).describe('Local weekday: 1 Monday to 7 Sunday.'),
    hour: z.int().min(0).max(23).describe('Local hour of the day.'),
    p50: minutes.describe('Median of the mean waits of such hours.'),
    p90: minutes.describe('90th percentile of the mean waits of such hours.'),
    samples: samples.describe('Observed hours.'),
  })
  .meta({ id: 'PatternHour' })
type PatternHour = z.input<typeof PatternHour>

const ObservedHours = z.array(ObservedHour)

const output = z
  .strictObject({
    airport: iata,
    timezone: z.string(),
    from: Instant,
    to: Instant.describe('End of the period (UTC), excluded.'),
    granularity: z.literal('hour'),
    coverage: fraction.describe('Fraction of the hours of the period that were observed at the airport.'),
    hours: ObservedHours.describe('Observed hours only: an hour without readings is absent, never filled in.'),
    pattern: z
      .array(PatternHour)
      .describe(
        'The airport by local weekday and hour, over the same period; zeros of hours in which security is closed are no waits and left out.',
      ),
    notice,
    no_flights,
    simulated,
  })
  .meta({ id: 'History' })

export type History = z.output<typeof output>

const DEFAULT_DAYS = 7
/** A date for generated clients; words like `yesterday` are read too. */
const DayWords = z.string().max(60).meta({ format: 'date' })

const declaration = {
  name: 'getHistorical',
  tier: 'pro' as const,
  rest: {
    summary: 'Historical wait-time patterns of an airport',
    description: `Observed security waits by hour and their pattern by local weekday and hour. Select hours by \`days\` (that many times 24 hours up to the last full hour; default ${DEFAULT_DAYS}) or by local days \`from\` and \`to\` (both included; \`to\` defaults to today). Pro: 7 days at airport level. Enterprise: 90 days, with rows for terminals. More than the tier has: 403; more than 90 days: 400.`,
    method: 'GET' as const,
    path: '/airports/:iata/historical',
    csv: {
      columns: ['airport', 'terminal', 'time', 'mean', 'p50', 'p90', 'max', 'samples', 'basis', 'source'],
      rows: ({ airport, hours }: History) =>
        hours.map((hour) => ({ airport, ...hour, terminal: hour.terminal ?? WHOLE_AIRPORT })),
    },
  },
  input: z.strictObject({
    iata,
    days: z
      .int()
      .min(1)
      .max(TIERS.enterprise.history_days)
      .optional()
      .describe('Days up to now.')
      .meta({ examples: [7] }),
    from: DayWords.optional().describe('First local day: YYYY-MM-DD, `yesterday`.'),
    to: DayWords.optional().describe('Last local day (YYYY-MM-DD), included; needs `from`.'),
  }),
  output,
}

/** Hours that are made and checked in one turn of the event loop. */
const HOURS_PER_SLICE = 200

export const getHistorical: Query = {
  ...defineQuery({
    ...declaration,
    answer(input, context) {
      const { answer, rows } = historyAnswer(input, context)
      return { ...answer, hours: Array.from(rows) }
    },
  }),
  list: 'hours',
  async runInSlices(input, context) {
    const { data, notes } = checkInput(declaration, input, context)
    const { answer, rows } = historyAnswer(data, context)
    const checked = checkOutput(declaration, { ...answer, ...notes })
    const hours: unknown[] = []
    for (const part of partsOf(rows, HOURS_PER_SLICE)) {
      hours.push(...(checkedOutput(declaration, ObservedHours, part) as unknown[]))
      await nextSlice()
    }
    return { ...checked, hours }
  },
}

/** The answer without its hours, and the hours, made one after another. */
function historyAnswer(input: z.output<typeof declaration.input>, context: QueryContext) {
  const place = findAirport(input.iata, context)
  const { timezone, iata: airport } = place
  const { snapshot, tier } = context
  const window = historyWindow(withDays(input, place, context.now), timezone, context)
  const terminals = granularityOf(tier) === 'terminal' ? snapshot.historyTerminals(airport) : []
  const series = ['', ...terminals].flatMap((terminal) => snapshot.history(airport, terminal) ?? [])
  const whole = series.find(({ terminal }) => terminal === '')
  const { first, end } = whole ? positionsWithin(whole, window) : { first: 0, end: 0 }
  const possible = (window.to - window.from) / HOUR_MS
  const answer = {
    airport,
    timezone,
    from: isoUtc(window.from),
    to: isoUtc(window.to),
    granularity: 'hour' as const,
    coverage: possible === 0 ? 0 : (end - first) / possible,
    hours: [],
    pattern: whole ? patternOf(whole, window, timezone, snapshot.openingHours(airport, 'security')) : [],
    simulated: snapshot.simulated,
  }
  return { answer, rows: hoursOf(series, window) }
}

/** The positions of a series that lie in a window: from `first` to `end`, excluded. */
function positionsWithin({ hour }: HistorySeries, { from, to }: HistoryWindow): { first: number; end: number } {
  const positionOf = (instant: number) => {
    const position = hour.findIndex((value) => value * HOUR_MS >= instant)
    return position === -1 ? hour.length : position
  }
  return { first: positionOf(from), end: positionOf(to) }
}

/** The observed hours of a window, those of the airport (whose terminal is empty) before those of its terminals. */
function* hoursOf(series: HistorySeries[], window: HistoryWindow): Generator<ObservedHour> {
  for (const place of series) yield* hoursWithin(place, window)
}

function* hoursWithin(series: HistorySeries, window: HistoryWindow): Generator<ObservedHour> {
  const { first, end } = positionsWithin(series, window)
  const provenance = series.sources.map((source) => ({ basis: basisOf(source.split('+')), source }))
  for (let i = first; i < end; i++) {
    yield {
      time: isoUtc(series.hour[i]! * HOUR_MS),
      terminal: series.terminal === '' ? null : series.terminal,
      mean: minutesFromTenths(series.mean[i]!),
      p50: minutesFromTenths(series.p50[i]!),
      p90: minutesFromTenths(series.p90[i]!),
      max: minutesFromTenths(series.max[i]!),
      samples: series.samples[i]!,
      ...provenance[series.source[i]!]!,
    }
  }
}

/** Whether an observed hour has a wait: a 0 in an hour in which the queue is closed by its hours is none. */
const isWait = (mean: number, start: number, opening: LearnedHours | null) =>
  mean > 0 || opening === null || openStatus(openPercentAt(opening, start)) !== 'closed'

function patternOf(
  series: HistorySeries,
  window: HistoryWindow,
  timezone: string,
  opening: LearnedHours | null,
): PatternHour[] {
  const { first, end } = positionsWithin(series, window)
  const starts = Float64Array.from(series.hour.subarray(first, end), (hour) => hour * HOUR_MS)
  const local = localClock(timezone, starts)
  const meansByHourOfWeek = new Map<number, number[]>()
  for (let i = first; i < end; i++) {
    if (!isWait(series.mean[i]!, starts[i - first]!, opening)) continue
    const hourOfWeek = local.weekday[i - first]! * 24 + local.hour[i - first]!
    getOrCreate(meansByHourOfWeek, hourOfWeek, () => []).push(series.mean[i]!)
  }
  return [...meansByHourOfWeek]
    .sort(([a], [b]) => a - b)
    .map(([hourOfWeek, means]) => {
      const ascending = means.sort((a, b) => a - b)
      return {
        day_of_week: Math.floor(hourOfWeek / 24),
        hour: hourOfWeek % 24,
        samples: ascending.length,
        p50: minutesFromTenths(quantile(ascending, 0.5)),
        p90: minutesFromTenths(quantile(ascending, 0.9)),
      }
    })
}

const MAX_DAYS = TIERS.enterprise.history_days

/** The parameters that select hours of the history: a number of days up to now, or local days `from` and `to`. */
interface HistoryRequest {
  days?: number | undefined
  from?: string | undefined
  to?: string | undefined
}

/** A range of whole hours, epoch ms; `to` is excluded. */
interface HistoryWindow {
  from: number
  to: number
}

const SPAN_UNTIL_NOW = /^(?:the )?(?:last|past) (?:(?<count>\d{1,2}) days|(?<unit>week|month))$/i

/** The days of a span until now, as an end of its error: `last week`, `the last 30 days`; empty for any other text. */
function spanHint(text: string): string {
  const { count, unit } = SPAN_UNTIL_NOW.exec(text.trim())?.groups ?? {}
  const days = count ?? (unit?.toLowerCase() === 'week' ? '7' : '30')
  return count === undefined && unit === undefined ? '' : `; for the days until now give \`days\`: ${days}`
}

/** A request with the days that the words of `from` and `to` mean. @throws ParameterError for words that mean none */
function withDays(
  { days, from, to }: HistoryRequest,
  { timezone, country, region }: Airport,
  now: number,
): HistoryRequest {
  const today = localDayAt(now, timezone)
  const calendar = once(() => holidaysAt(country, region) ?? NO_CALENDAR)
  const dayOf = (parameter: string, text: string | undefined) => {
    if (text === undefined || LocalDate.safeParse(text).success) return text
    const day = pastDayOfWord(text, today, calendar(), MAX_DAYS)
    if (day === null)
      throw ParameterError.of(
        parameter,
        `must be a date that exists, YYYY-MM-DD, or a past day like \`yesterday\`${dayHint(text, today, calendar())}${spanHint(text)}`,
      )
    return day
  }
  return { days, from: dayOf('from', from), to: dayOf('to', to) }
}

/**
 * The hours that a request selects, never after the last full hour.
 * @throws ParameterError for contradicting parameters or more than 90 days; PremiumRequiredError for more days than the tier has
 */
function historyWindow(
  request: HistoryRequest,
  timezone: string,
  { now, tier }: Pick<QueryContext, 'now' | 'tier'>,
): HistoryWindow {
  const window = request.from === undefined ? lastDays(request, now) : localDays(request, request.from, timezone, now)
  if (startsBefore(window, MAX_DAYS, timezone, now))
    throw ParameterError.of('from', `must lie within the last ${MAX_DAYS} days`)
  const { history_days } = TIERS[tier]
  if (tierCovers(tier, 'enterprise') || !startsBefore(window, history_days, timezone, now)) return window
  // Without a period the answer covers what the tier includes; a requested period is never shortened silently.
  if (request.days === undefined && request.from === undefined)
    return { from: Math.min(startOfHour(now) - history_days * DAY_MS, window.to), to: window.to }
  throw new PremiumRequiredError('enterprise', `history more than ${history_days} days back needs Enterprise`)
}

function lastDays({ days = DEFAULT_DAYS, to }: HistoryRequest, now: number): HistoryWindow {
  if (to !== undefined) throw ParameterError.of('to', 'needs `from` as well')
  const end = startOfHour(now)
  return { from: end - days * DAY_MS, to: end }
}

function localDays({ days, to }: HistoryRequest, first: string, timezone: string, now: number): HistoryWindow {
  const today = localDayAt(now, timezone)
  const last = to ?? today
  const latest = `${today}, today at the airport`
  const faults: ParameterFault[] = []
  if (days !== undefined) faults.push({ parameter: 'days', message: 'cannot be combined with `from`' })
  if (first > today) faults.push({ parameter: 'from', message: `must not be after ${latest}` })
  if (last > today) faults.push({ parameter: 'to', message: `must not be after ${latest}` })
  if (to !== undefined && first > last)
    faults.push({ parameter: 'from', message: `must not be after \`to\`: ${first} is later than ${last}` })
  if (faults.length > 0) throw new ParameterError(faults)
  const start = Math.ceil(startOfDay(first, timezone) / HOUR_MS) * HOUR_MS
  const end = Math.min(Math.ceil(startOfDay(last, timezone, 1) / HOUR_MS) * HOUR_MS, startOfHour(now))
  return { from: Math.min(start, end), to: end }
}

/**
 * Whether a window starts earlier than `days` days allow: before the local day that many days ago, and before that many
 * times 24 hours ago.
 */
function startsBefore(window: HistoryWindow, days: number, timezone: string, now: number): boolean {
  const firstDay = startOfDay(localDayAt(now, timezone), timezone, -days)
  return window.from < Math.min(firstDay, startOfHour(now) - days * DAY_MS)
}
