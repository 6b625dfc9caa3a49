import { isObject } from '../../../config/json-object.ts'
import type { FlightCategory } from '../../../config/vocabulary.ts'
import type { ParsedMetar } from '../../../warehouse/tables/weather.ts'
import { asList, type FieldReader } from '../../parsing/fields.ts'

/** Wind, visibility, ceiling and weather: the columns that a METAR and a period of a TAF share. */
export type Sky = Pick<
  ParsedMetar,
  | 'wind_direction_deg'
  | 'wind_kt'
  | 'wind_gust_kt'
  | 'visibility_sm'
  | 'visibility_bound'
  | 'ceiling_ft'
  | 'ceiling_known'
  | 'weather'
  | 'flight_category'
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

/** Covers that the service names when there is no ceiling, or none that matters. */
const NO_CEILING = new Set(['SKC', 'CLR', 'NSC', 'NCD', 'CAVOK', 'FEW', 'SCT'])

type Ceiling = Pick<Sky, 'ceiling_ft' | 'ceiling_known'>

/** The ceiling of the payload's layers, else of the decoded text; a vertical visibility always comes from the text. */
function ceilingOf(fields: FieldReader, decoded: Ceiling | null): Ceiling {
  const layers: Layer[] = asList(fields.row.clouds).filter(isObject)
  const lowest = lowestCeiling(layers)
  if (lowest !== null) return { ceiling_ft: lowest, ceiling_known: true }
  if (decoded?.ceiling_known) return { ceiling_ft: decoded.ceiling_ft, ceiling_known: true }
  const covers = layers.map(({ cover }) => cover)
  const isClear = covers.length > 0 && covers.every((cover) => NO_CEILING.has(String(cover)))
  return { ceiling_ft: null, ceiling_known: isClear && decoded === null }
}

type Visibility = Pick<Sky, 'visibility_sm' | 'visibility_bound'>

/** Visibility in statute miles: a number, or a text that says "or more" (`10+`, `6+`). The text of the report knows of P6SM and M1/4SM. */
function visibilityOf(fields: FieldReader, decoded: Visibility | null): Visibility {
  const none = { visibility_sm: null, visibility_bound: null }
  if (!fields.has('visib')) return decoded ?? none
  const text = fields.row.visib
  const isOpen = typeof text === 'string' && /^\d+(?:\.\d+)?\+$/.test(text.trim())
  const visibility_sm = isOpen ? Number(text.trim().slice(0, -1)) : fields.number('visib', [0, 100])
  if (visibility_sm === null) return decoded ?? none
  const isSame =
    decoded !== null && decoded.visibility_sm !== null && Math.abs(decoded.visibility_sm - visibility_sm) < 0.02
  const bound = isSame ? decoded.visibility_bound : null
  return { visibility_sm, visibility_bound: bound ?? (isOpen ? 'at_least' : null) }
}

/** Beyond the strongest gust that was ever measured. */
const WINDS_KT = [0, 250] as const

function directionOf(fields: FieldReader): number | null {
  return fields.row.wdir === 'VRB' ? null : fields.number('wdir', [0, 360])
}

/**
 * Wind and sky of a report as aviationweather.gov decoded it. A field that it leaves out comes from `decoded`, our own
 * decoding of the text.
 */
export function skyOfPayload(fields: FieldReader, decoded: Sky | null): Sky {
  return skyOf({
    wind: {
      wind_direction_deg: fields.has('wdir') ? directionOf(fields) : (decoded?.wind_direction_deg ?? null),
      wind_kt: fields.has('wspd') ? fields.number('wspd', WINDS_KT) : (decoded?.wind_kt ?? null),
      wind_gust_kt: fields.has('wgst') ? fields.number('wgst', WINDS_KT) : (decoded?.wind_gust_kt ?? null),
    },
    visibility: visibilityOf(fields, decoded),
    ceiling: ceilingOf(fields, decoded),
    weather: fields.has('wxString') ? fields.text('wxString') : (decoded?.weather ?? null),
  })
}

interface SkyParts {
  wind: Pick<Sky, 'wind_direction_deg' | 'wind_kt' | 'wind_gust_kt'>
  visibility: Visibility
  ceiling: Ceiling
  weather: string | null
}

/** A sky of its parts, with the flight category that they make. */
export function skyOf({ wind, visibility, ceiling, weather }: SkyParts): Sky {
  return {
    wind_direction_deg: wind.wind_direction_deg,
    wind_kt: wind.wind_kt,
    wind_gust_kt: wind.wind_gust_kt,
    visibility_sm: visibility.visibility_sm,
    visibility_bound: visibility.visibility_bound,
    ceiling_ft: ceiling.ceiling_ft,
    ceiling_known: ceiling.ceiling_known,
    weather,
    flight_category: flightCategory(ceiling, visibility),
  }
}

const WORST_FIRST: FlightCategory[] = ['LIFR', 'IFR', 'MVFR', 'VFR']

function categoryOfCeiling({ ceiling_ft: feet, ceiling_known }: Ceiling): FlightCategory | null {
  if (!ceiling_known) return null
  if (feet === null) return 'VFR'
  if (feet < 500) return 'LIFR'
  if (feet < 1_000) return 'IFR'
  return feet <= 3_000 ? 'MVFR' : 'VFR'
}

/** How far a bounded visibility lies at least beyond its figure. */
const MILES_BEYOND: Record<NonNullable<Visibility['visibility_bound']>, number> = {
  less_than: -0.001,
  at_least: 0,
  more_than: 0.001,
}

function categoryOfVisibility({ visibility_sm: miles, visibility_bound: bound }: Visibility): FlightCategory | null {
  if (miles === null) return null
  // "Less than 1" is below the threshold, "more than 5" above it; "at least 4" may be anything above 4.
  const value = miles + (bound === null ? 0 : MILES_BEYOND[bound])
  if ((bound === 'more_than' || bound === 'at_least') && value <= 5) return null
  if (value < 1) return 'LIFR'
  if (value < 3) return 'IFR'
  return value <= 5 ? 'MVFR' : 'VFR'
}

/**
 * Flight category by the table of the Aviation Weather Center: the worse of ceiling and visibility. When only one of them is
 * known, it counts if it is worse than VFR; VFR needs both. Null when neither decides.
 */
export function flightCategory(stated: Ceiling, prevailing: Visibility): FlightCategory | null {
  const ceiling = categoryOfCeiling(stated)
  const visibility = categoryOfVisibility(prevailing)
  const worst = WORST_FIRST.find((category) => category === ceiling || category === visibility) ?? null
  const isProven = worst !== 'VFR' || (ceiling !== null && visibility !== null)
  return isProven ? worst : null
}
