import { z } from 'zod'
import { FlightCategory, Icao, TafChange, VisibilityBound } from '../../config/vocabulary.ts'
import * as c from './columns.ts'
import { column, defineTable, type Row } from './define.ts'

const icao = column(Icao, 'ICAO code of the reporting station.')
const flightCategory = column(
  FlightCategory.nullable(),
  'VFR, MVFR, IFR or LIFR by the AWC table from ceiling and visibility; null when neither is reported, or when one is missing and the other alone would make it VFR. In a TAF, what a change group does not mention continues.',
)
const sky = {
  wind_direction_deg: c.maybeNumber('Wind direction in degrees true; null when variable or missing.'),
  wind_kt: c.maybeNumber('Wind speed in knots.'),
  wind_gust_kt: c.maybeNumber('Gust in knots; null when none is reported.'),
  visibility_sm: c.maybeNumber('Prevailing visibility in statute miles; "10+", "P6SM" and "M1/4SM" keep the number.'),
  visibility_bound: column(
    VisibilityBound.nullable(),
    'Whether the visibility is only a bound: at_least (9999, 10+), more_than (P6SM), less_than (M1/4SM); null when it is the visibility.',
  ),
  ceiling_ft: c.maybeNumber(
    'Lowest BKN or OVC base, or vertical visibility, in feet above ground; null when there is no ceiling, or when `ceiling_known` is false.',
  ),
  ceiling_known: column(
    z.boolean().nullable(),
    'Whether the report tells the ceiling, or that there is none (CLR, NSC, FEW and the like); null in rows from before 2026-11-22.',
  ),
  weather: c.maybeText('Present weather groups as coded, e.g. -SN BR.'),
  flight_category: flightCategory,
}

/** Aviation routine weather reports (METAR and SPECI). */
export const metars = defineTable({
  name: 'metars',
  about: 'METAR and SPECI reports of aviationweather.gov, decoded and raw.',
  owner: 'pipeline',
  retention: 'readings',
  columns: {
    source: c.source,
    icao,
    observed_at: c.observed_at,
    ...sky,
    temperature_c: c.maybeNumber('Temperature in degrees Celsius.'),
    dewpoint_c: c.maybeNumber('Dew point in degrees Celsius.'),
    altimeter_hpa: c.maybeNumber('Altimeter setting in hectopascal.'),
    raw: c.text('The report as transmitted.'),
    fetched_at: c.fetched_at,
    available_at: c.available_at,
    capture_id: c.capture_id,
  },
  key: ['source', 'icao', 'observed_at', 'raw'],
  sort: ['icao', 'observed_at'],
  age: 'observed_at',
})

/** Terminal aerodrome forecasts: one row a period. */
export const tafs = defineTable({
  name: 'tafs',
  about: 'TAFs of aviationweather.gov: one row a forecast period, base and change groups alike.',
  owner: 'pipeline',
  retention: 'readings',
  columns: {
    source: c.source,
    icao,
    issued_at: c.issued_at,
    period_from: c.instant('Start of the period.'),
    period_to: c.instant('End of the period.'),
    change: column(
      TafChange.nullable(),
      'Change group; null for the base period. INTER (Australia): for less than half an hour at a time.',
    ),
    probability: c.maybeNumber('Probability in percent of a PROB group.'),
    ...sky,
    raw: c.text('The whole TAF as transmitted.'),
    fetched_at: c.fetched_at,
    available_at: c.available_at,
    capture_id: c.capture_id,
  },
  key: ['source', 'icao', 'issued_at', 'period_from', 'period_to', 'change', 'probability'],
  sort: ['icao', 'issued_at', 'period_from'],
  age: 'issued_at',
})

export type Metar = Row<typeof metars>
export type Taf = Row<typeof tafs>
export type ParsedMetar = Omit<Metar, 'source' | 'fetched_at' | 'available_at' | 'capture_id'>
export type ParsedTaf = Omit<Taf, 'source' | 'fetched_at' | 'available_at' | 'capture_id'>
