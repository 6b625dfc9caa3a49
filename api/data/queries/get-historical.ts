import { z } from 'zod'
import { Basis, HOUR_MS, isoUtc, LocalDate } from '../../../config/domain.ts'
import { fraction, Instant, minutes } from '../../../config/facts.ts'
import { localClock } from '../../../config/local-time.ts'
import { basisOf } from '../../../config/publishers.ts'
import { quantile } from '../../../config/quantile.ts'
import { TIERS } from '../../../config/tiers.ts'
import type { PastHistory } from '../../../jobs/calls/archive.ts'
import type { HistorySeries } from '../../../warehouse/serving/snapshot/types.ts'
import { AS_OF_REACH, askArchive, asOf, asOfTold, pastInstant } from './as-of.ts'
import { defineQuery, seesTerminals } from './define.ts'
import { findAirport } from './find-airport.ts'
import { DEFAULT_DAYS, type HistoryWindow, historyWindow } from './history-window.ts'
import { iata, simulated } from './shared-fields.ts'

const samples = z.int().min(1)

const Hour = z
  .strictObject({
    time: Instant.describe('Start of the hour (UTC).'),
    terminal: z.string().nullable().describe('Null for the airport as a whole; named rows on Enterprise.'),
    mean: minutes,
    p50: minutes,
    p90: minutes,
    max: minutes,
    samples: samples.describe('Readings in the hour.'),
    basis: Basis.extract(['measured', 'reported']).describe('reported: travellers had a part in it.'),
    source: z.string().describe('Sources that were heard, joined by `+`.'),
  })
  .meta({ id: 'ObservedHour' })

const PatternHour = z
  .strictObject({
    day_of_week: z.int().min(1).max(7).describe('Local weekday: 1 Monday to 7 Sunday.'),
    hour: z.int().min(0).max(23).describe('Local hour of the day.'),
    p50: minutes.describe('Median of the mean waits of such hours.'),
    p90: minutes.describe('90th percentile of the mean waits of such hours.'),
    samples: samples.describe('Observed hours.'),
  })
  .meta({ id: 'PatternHour' })

const output = z
  .strictObject({
    airport: iata,
    timezone: z.string(),
    from: Instant,
    to: Instant.describe('End of the stretch (UTC), excluded.'),
    as_of: asOfTold,
    withheld_hours: z
      .int()
      .min(0)
      .optional()
      .describe('With `as_of`: hours of the stretch left out because they were completed or corrected only later.'),
    granularity: z.literal('hour'),
    coverage: fraction.describe('Fraction of the hours of the stretch that were observed at the airport.'),
    hours: z.array(Hour).describe('Observed hours only: an hour without readings is absent, never filled in.'),
    pattern: z.array(PatternHour).describe('The airport by local weekday and hour, over the same stretch.'),
    simulated,
  })
  .meta({ id: 'History' })

type Output = z.output<typeof output>

export const getHistorical = defineQuery({
  name: 'getHistorical',
  summary: 'Historical wait-time patterns of an airport',
  description: `Observed security waits by hour and their pattern by local weekday and hour. Ask by \`days\` (the last so many times 24 hours up to the last full hour; default ${DEFAULT_DAYS}) or by local days \`from\` and \`to\` (both included; \`to\` defaults to today). Pro: 7 days at airport level. Enterprise: 90 days, with rows for terminals. More than the tier has: 403; more than 90 days: 400. \`as_of\`: only what was known at that instant, from which the stretch then counts back. ${AS_OF_REACH}.`,
  tier: 'pro',
  rest: {
    method: 'GET',
    path: '/airports/:iata/historical',
    csv: {
      columns: ['airport', 'terminal', 'time', 'mean', 'p50', 'p90', 'max', 'samples', 'basis', 'source'],
      asOfColumns: ['as_of'],
      rows: ({ airport, hours, as_of }: Output) => hours.map((hour) => ({ airport, ...hour, as_of })),
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
    from: LocalDate.optional()
      .describe('First local day (YYYY-MM-DD).')
      .meta({ examples: ['2026-11-14'] }),
    to: LocalDate.optional()
      .describe('Last local day (YYYY-MM-DD), included; needs `from`.')
      .meta({ examples: ['2026-11-20'] }),
    as_of: asOf,
  }),
  output,
  answer(input, context) {
    const { timezone, iata: airport } = findAirport(input.iata, context)
    const { snapshot } = context
    const window = historyWindow(input, timezone, context)
    const terminals = seesTerminals(context) ? snapshot.historyTerminals(airport) : []
    const series = ['', ...terminals].map((terminal) => snapshot.history(airport, terminal))
    return { ...historyOf(series, window, timezone), airport, simulated: snapshot.simulated }
  },
  async answerAsOf(input, context) {
    const { timezone, iata: airport } = findAirport(input.iata, context)
    const then = pastInstant(input.as_of, 'history', context)
    const window = historyWindow(input, timezone, { ...context, now: then })
    const { series, withheld_hours } = await askArchive(
      {
        subject: 'history',
        iata: airport,
        as_of: isoUtc(then),
        terminals: seesTerminals(context),
        from: isoUtc(window.from),
        to: isoUtc(window.to),
      },
      context,
    )
    const known = series.map((one) => asSeries(airport, one))
    const { simulated } = context.snapshot
    return { ...historyOf(known, window, timezone), airport, as_of: isoUtc(then), withheld_hours, simulated }
  },
})

/** A series of the archive as a snapshot has it. */
function asSeries(iata: string, given: PastHistory['series'][number]): HistorySeries {
  const { terminal, hour, samples, source, sources, ...minutes } = given
  const tenths = (values: number[]) => Int16Array.from(values)
  return {
    iata,
    terminal,
    hour: Int32Array.from(hour),
    samples: Int32Array.from(samples),
    source: Uint16Array.from(source),
    sources,
    mean: tenths(minutes.mean),
    p50: tenths(minutes.p50),
    p90: tenths(minutes.p90),
    max: tenths(minutes.max),
  }
}

/** What is told of the hours of a window: those of the airport (whose terminal is empty), then of its terminals. */
function historyOf(series: (HistorySeries | null)[], window: HistoryWindow, timezone: string) {
  const known = series.filter((one) => one !== null)
  const airport = known.find(({ terminal }) => terminal === '') ?? null
  const hours = known.flatMap((one) => hoursWithin(one, window))
  const observed = hours.filter(({ terminal }) => terminal === null).length
  const possible = (window.to - window.from) / HOUR_MS
  return {
    timezone,
    from: isoUtc(window.from),
    to: isoUtc(window.to),
    granularity: 'hour' as const,
    coverage: possible === 0 ? 0 : observed / possible,
    hours,
    pattern: patternOf(airport, window, timezone),
  }
}

const fromTenths = (tenths: number) => Math.round(tenths / 10)

/** Indexes of a series that lie in a window: [first, end). */
function indexesWithin({ hour }: HistorySeries, { from, to }: HistoryWindow): [number, number] {
  const place = (instant: number) => {
    const index = hour.findIndex((value) => value * HOUR_MS >= instant)
    return index === -1 ? hour.length : index
  }
  return [place(from), place(to)]
}

function hoursWithin(series: HistorySeries, window: HistoryWindow) {
  const terminal = series.terminal === '' ? null : series.terminal
  const [first, end] = indexesWithin(series, window)
  const heard = series.sources.map((source) => ({ basis: basisOf(source.split('+')), source }))
  const rows: z.input<typeof Hour>[] = []
  for (let i = first; i < end; i++) {
    rows.push({
      time: isoUtc(series.hour[i]! * HOUR_MS),
      terminal,
      mean: fromTenths(series.mean[i]!),
      p50: fromTenths(series.p50[i]!),
      p90: fromTenths(series.p90[i]!),
      max: fromTenths(series.max[i]!),
      samples: series.samples[i]!,
      ...heard[series.source[i]!]!,
    })
  }
  return rows
}

function patternOf(series: HistorySeries | null, window: HistoryWindow, timezone: string) {
  if (!series) return []
  const [first, end] = indexesWithin(series, window)
  const means = new Map<number, number[]>()
  const local = localClock(
    timezone,
    Float64Array.from(series.hour.subarray(first, end), (hour) => hour * HOUR_MS),
  )
  for (let i = first; i < end; i++) {
    const slot = local.weekday[i - first]! * 24 + local.hour[i - first]!
    const known = means.get(slot)
    if (known) known.push(series.mean[i]!)
    else means.set(slot, [series.mean[i]!])
  }
  return [...means]
    .sort(([a], [b]) => a - b)
    .map(([slot, tenths]) => {
      const ascending = tenths.sort((a, b) => a - b)
      return {
        day_of_week: Math.floor(slot / 24),
        hour: slot % 24,
        samples: ascending.length,
        p50: fromTenths(quantile(ascending, 0.5)),
        p90: fromTenths(quantile(ascending, 0.9)),
      }
    })
}
