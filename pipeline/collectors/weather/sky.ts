import type { ICloud, IWeatherCondition, IWind, Visibility } from 'metar-taf-parser'
import type { FlightCategory } from '../../../config/domain.ts'
import type { ParsedMetar } from '../../../warehouse/tables/weather.ts'
import { asList, type FieldReader } from '../../parsing/fields.ts'
import { isObject } from '../../parsing/json.ts'

/** Wind, visibility, ceiling and weather: the columns that a METAR and a period of a TAF share. */
export type Sky = Pick<
  ParsedMetar,
  'wind_direction_deg' | 'wind_kt' | 'wind_gust_kt' | 'visibility_sm' | 'ceiling_ft' | 'weather' | 'flight_category'
>

const CEILINGS = new Set(['BKN', 'OVC', 'OVX'])

/** A cloud layer: its cover code (OVX: sky obscured, base = vertical visibility) and its base in feet, both untrusted. */
interface Layer {
  cover?: unknown
  base?: unknown
}

/** The lowest of broken and overcast layers in feet above ground; null when there is none. */
function lowestCeiling(layers: Layer[]): number | null {
  const bases = layers
    .filter(({ cover }) => typeof cover === 'string' && CEILINGS.has(cover))
    .flatMap(({ base }) => (typeof base === 'number' && Number.isFinite(base) && base >= 0 ? [base] : []))
  return bases.length > 0 ? Math.min(...bases) : null
}

/** Visibility in statute miles: a number, or a text that says "or more" (`10+`, `6+`). */
function visibilityOf(fields: FieldReader): number | null {
  const text = fields.row.visib
  if (typeof text === 'string' && /^\d+(?:\.\d+)?\+$/.test(text.trim())) return Number(text.trim().slice(0, -1))
  return fields.number('visib')
}

function directionOf(fields: FieldReader): number | null {
  return fields.row.wdir === 'VRB' ? null : fields.number('wdir')
}

/**
 * Wind and sky of a report as aviationweather.gov decoded it. A field that it leaves out comes from `decoded`, our own
 * decoding of the text; vertical visibility always does, because the unit of `vertVis` is not documented.
 */
export function skyOf(fields: FieldReader, decoded: Sky | null): Sky {
  const ceiling = lowestCeiling(asList(fields.row.clouds).filter(isObject)) ?? decoded?.ceiling_ft ?? null
  const visibility = fields.has('visib') ? visibilityOf(fields) : (decoded?.visibility_sm ?? null)
  return {
    wind_direction_deg: fields.has('wdir') ? directionOf(fields) : (decoded?.wind_direction_deg ?? null),
    wind_kt: fields.has('wspd') ? fields.number('wspd') : (decoded?.wind_kt ?? null),
    wind_gust_kt: fields.has('wgst') ? fields.number('wgst') : (decoded?.wind_gust_kt ?? null),
    visibility_sm: visibility,
    ceiling_ft: ceiling,
    weather: fields.has('wxString') ? fields.text('wxString') : (decoded?.weather ?? null),
    flight_category: flightCategory(ceiling, visibility),
  }
}

interface DecodedGroups {
  wind?: IWind
  visibility?: Visibility
  verticalVisibility?: number
  clouds: ICloud[]
  weatherConditions: IWeatherCondition[]
}

const weatherGroup = ({ intensity, descriptive, phenomenons }: IWeatherCondition) =>
  [intensity, descriptive, ...phenomenons].join('')

/** Wind and sky of a decoded text, in the units of the columns. A vertical visibility (feet) is a ceiling. */
export function skyOfGroups({ wind, visibility, verticalVisibility, clouds, weatherConditions }: DecodedGroups): Sky {
  const layers: Layer[] = clouds.map(({ quantity, height }) => ({ cover: quantity, base: height }))
  const ceiling_ft = lowestCeiling([...layers, { cover: 'OVX', base: verticalVisibility }])
  const visibility_sm = visibility ? statuteMiles(visibility.value, visibility.unit) : null
  return {
    wind_direction_deg: finite(wind?.degrees),
    wind_kt: wind ? knots(wind.speed, wind.unit) : null,
    wind_gust_kt: wind ? knots(wind.gust, wind.unit) : null,
    visibility_sm,
    ceiling_ft,
    weather: weatherConditions.map(weatherGroup).join(' ') || null,
    flight_category: flightCategory(ceiling_ft, visibility_sm),
  }
}

const WORST_FIRST: FlightCategory[] = ['LIFR', 'IFR', 'MVFR', 'VFR']

function categoryOfCeiling(feet: number): FlightCategory {
  if (feet < 500) return 'LIFR'
  if (feet < 1_000) return 'IFR'
  return feet <= 3_000 ? 'MVFR' : 'VFR'
}

function categoryOfVisibility(miles: number): FlightCategory {
  if (miles < 1) return 'LIFR'
  if (miles < 3) return 'IFR'
  return miles <= 5 ? 'MVFR' : 'VFR'
}

/**
 * Flight category by the table of the Aviation Weather Center, from the ceiling in feet above ground and the
 * visibility in statute miles: the worse of the two. A missing one is ignored; null when both are missing.
 */
export function flightCategory(ceilingFt: number | null, visibilitySm: number | null): FlightCategory | null {
  const found = [
    ceilingFt === null ? null : categoryOfCeiling(ceilingFt),
    visibilitySm === null ? null : categoryOfVisibility(visibilitySm),
  ]
  return WORST_FIRST.find((category) => found.includes(category)) ?? null
}

/** Conversions into the units of the columns, rounded to the precision of a report; null when the value is not a number. */

const rounded = (value: number, digits: number) => (Number.isFinite(value) ? Number(value.toFixed(digits)) : null)

const KNOTS_PER: Record<string, number> = { KT: 1, MPS: 3_600 / 1_852, 'KM/H': 1 / 1.852 }

/** Speed in knots; null for an unknown unit. */
function knots(value: number | undefined, unit: string): number | null {
  const factor = KNOTS_PER[unit]
  return value === undefined || factor === undefined ? null : rounded(value * factor, 1)
}

/** Distance in statute miles. */
function statuteMiles(value: number, unit: 'm' | 'SM'): number | null {
  return rounded(unit === 'm' ? value / 1_609.344 : value, 2)
}

/** Pressure in hectopascal. */
export function hectopascal(value: number, unit: 'inHg' | 'hPa'): number | null {
  return rounded(unit === 'inHg' ? value * 33.8639 : value, 1)
}

/** The number itself, or null when there is none. */
export function finite(value: number | undefined): number | null {
  return value === undefined || !Number.isFinite(value) ? null : value
}
