import { z } from 'zod'
import { fraction, Instant, minutes, nullableMinutes } from '../../config/answers.ts'
import { DAY_MS, HORIZON_HOURS, HOUR_MS, isoUtc, UtcInstant } from '../../config/domain.ts'
import { ParameterError } from '../../config/errors.ts'
import { asOfMs, asOfParameter, asOfTooOld, requestArchive } from '../questions/as-of.ts'
import { type ArchiveContext, type CsvRow, defineQuery } from '../questions/define.ts'
import { findAirport } from '../questions/find-airport.ts'
import { minutesFromTenths } from '../questions/forecast-hour.ts'
import { iata, notice, simulated } from '../questions/shared-fields.ts'

const Hour = z.strictObject({
  time: Instant,
  low: minutes,
  wait_minutes: minutes,
  high: minutes,
  confidence: fraction.nullable(),
  observed_minutes: nullableMinutes.describe('The mean wait that was observed; null where none is known.'),
})

const output = z
  .strictObject({
    airport: iata,
    as_of: UtcInstant,
    issued_at: UtcInstant.nullable().describe('When the forecast was made; null where none is kept.'),
    model: z.string().nullable().describe('The version that was published.'),
    hours: z.array(Hour).describe('The hours that have ended since.'),
    notice,
    simulated,
  })
  .meta({ id: 'ForecastVintage' })
export type Vintage = z.infer<typeof output>

/** Where a vintage can be read, below the site's address. */
export const vintageAddress = (airport: string, issued_at: string) =>
  `/api/v1/airports/${airport}/accuracy/vintage?as_of=${encodeURIComponent(issued_at)}`

export const getVintage = defineQuery({
  name: 'getForecastVintage',
  rest: {
    summary: 'One forecast of an airport as it was published, with what came true',
    description:
      'The newest forecast of the airport issued until `as_of`, as it was published then, beside the waits observed since; as JSON or CSV. Only hours that have ended, so any tier may check any forecast that is kept.',
    method: 'GET',
    path: '/airports/:iata/accuracy/vintage',
    csv: {
      columns: [
        'airport',
        'issued_at',
        'model',
        'time',
        'low',
        'wait_minutes',
        'high',
        'confidence',
        'observed_minutes',
      ],
      rows: ({ airport, issued_at, model, hours }: Vintage): CsvRow[] =>
        hours.map((hour) => ({ airport, issued_at, model, ...hour })),
    },
  },
  input: z.strictObject({
    iata,
    as_of: asOfParameter
      .unwrap()
      .describe('The newest forecast issued until this instant.')
      .meta({ examples: ['2026-11-20T14:00:00Z'] }),
  }),
  output,
  answer() {
    throw ParameterError.of('as_of', 'is required')
  },
  async answerPast(input, context) {
    const { iata: airport } = findAirport(input.iata, context)
    const as_of = pastInstant(input.as_of, context)
    const from = Math.floor(as_of / HOUR_MS) * HOUR_MS
    const to = Math.min(from + HORIZON_HOURS * HOUR_MS, Math.floor(context.now / HOUR_MS) * HOUR_MS)
    const { vintage } = await requestArchive(
      {
        subject: 'forecast',
        iata: airport,
        as_of: isoUtc(as_of),
        from: isoUtc(from),
        to: isoUtc(Math.max(from, to)),
        terminals: false,
        now: isoUtc(context.now),
      },
      context,
    )
    const series = vintage?.series.find(({ terminal }) => terminal === '')
    const start = series ? Date.parse(series.start) : 0
    return {
      airport,
      as_of: isoUtc(as_of),
      issued_at: vintage?.issued_at ?? null,
      model: vintage?.model.version ?? null,
      hours: (series?.p50 ?? []).map((p50, ahead) => ({
        time: isoUtc(start + ahead * HOUR_MS),
        low: minutesFromTenths(series!.p10[ahead]!),
        wait_minutes: minutesFromTenths(p50),
        high: minutesFromTenths(series!.p90[ahead]!),
        confidence: vintage!.model.backtest.samples === 0 ? null : series!.confidence[ahead]! / 100,
        observed_minutes: tenthsOrNull(series!.observed[ahead]),
      })),
      simulated: context.snapshot.simulated,
    }
  },
})

const tenthsOrNull = (tenths: number | null | undefined) =>
  tenths === null || tenths === undefined ? null : minutesFromTenths(tenths)

/** The instant, which any tier may choose as far back as forecasts are kept. */
function pastInstant(as_of: string, { now, settings }: Pick<ArchiveContext, 'now' | 'settings'>): number {
  const instant = asOfMs(as_of)
  const { forecasts_days } = settings
  const oldest = now - forecasts_days * DAY_MS
  if (instant > now) throw ParameterError.of('as_of', `must not lie in the future: it is ${isoUtc(now)}`)
  if (instant < oldest) throw asOfTooOld(isoUtc(oldest), `forecasts kept: ${forecasts_days} days`)
  return instant
}
