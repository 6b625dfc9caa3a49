import { z } from 'zod'
import { FlightCategory, Icao, UtcInstant } from '../../config/domain.ts'
import * as c from './columns.ts'
import { byDate, column, defineTable, type Row } from './define.ts'

const number = (meaning: string) => column('DOUBLE', z.number().nullable(), meaning)
const text = (meaning: string) => column('VARCHAR', z.string().nullable(), meaning)

const icao = column('VARCHAR', Icao, 'ICAO code of the reporting station.')
const flightCategory = column(
  'VARCHAR',
  FlightCategory.nullable(),
  'VFR, MVFR, IFR or LIFR by the AWC table from ceiling and visibility; null when neither is reported.',
)
const sky = {
  wind_direction_deg: number('Wind direction in degrees true; null when variable or missing.'),
  wind_kt: number('Wind speed in knots.'),
  wind_gust_kt: number('Gust in knots; null when none is reported.'),
  visibility_sm: number('Prevailing visibility in statute miles; "10+" and "6+" keep the number.'),
  ceiling_ft: number(
    'Lowest BKN or OVC base, or vertical visibility, in feet above ground; null when there is no ceiling.',
  ),
  weather: text('Present weather groups as coded, e.g. -SN BR.'),
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
    temperature_c: number('Temperature in degrees Celsius.'),
    dewpoint_c: number('Dew point in degrees Celsius.'),
    altimeter_hpa: number('Altimeter setting in hectopascal.'),
    raw: column('VARCHAR', z.string(), 'The report as transmitted.'),
    fetched_at: c.fetched_at,
    available_at: c.available_at,
    capture_id: c.capture_id,
  },
  key: ['source', 'icao', 'observed_at', 'raw'],
  partition: [byDate('observed_at')],
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
    period_from: column('TIMESTAMPTZ', UtcInstant, 'Start of the period.'),
    period_to: column('TIMESTAMPTZ', UtcInstant, 'End of the period.'),
    change: column(
      'VARCHAR',
      z.enum(['FM', 'BECMG', 'TEMPO', 'PROB']).nullable(),
      'Change group; null for the base period.',
    ),
    probability: number('Probability in percent of a PROB group.'),
    ...sky,
    raw: column('VARCHAR', z.string(), 'The whole TAF as transmitted.'),
    fetched_at: c.fetched_at,
    available_at: c.available_at,
    capture_id: c.capture_id,
  },
  key: ['source', 'icao', 'issued_at', 'period_from', 'period_to', 'change', 'probability'],
  partition: [byDate('issued_at')],
  sort: ['icao', 'issued_at', 'period_from'],
  age: 'issued_at',
})

export type Metar = Row<typeof metars>
export type Taf = Row<typeof tafs>
export type ParsedMetar = Omit<Metar, 'source' | 'fetched_at' | 'available_at' | 'capture_id'>
export type ParsedTaf = Omit<Taf, 'source' | 'fetched_at' | 'available_at' | 'capture_id'>
