import type { ParsedMetar } from '../../../warehouse/tables/weather.ts'
import { asList, type Fields, isRow } from '../../parsing/fields.ts'
import { flightCategory } from './flight-category.ts'

/** Wind, visibility, ceiling and weather: what a METAR and a period of a TAF have in common. */
export type Sky = Pick<
  ParsedMetar,
  'wind_direction_deg' | 'wind_kt' | 'wind_gust_kt' | 'visibility_sm' | 'ceiling_ft' | 'weather' | 'flight_category'
>

const CEILINGS = new Set(['BKN', 'OVC', 'OVX'])

/** A cloud layer: its cover code (OVX: sky obscured, base = vertical visibility) and its base in feet, both untrusted. */
export interface Layer {
  cover?: unknown
  base?: unknown
}

/** The lowest of broken and overcast layers in feet above ground; null when there is none. */
export function lowestCeiling(layers: Layer[]): number | null {
  const bases = layers
    .filter(({ cover }) => typeof cover === 'string' && CEILINGS.has(cover))
    .flatMap(({ base }) => (typeof base === 'number' && Number.isFinite(base) && base >= 0 ? [base] : []))
  return bases.length > 0 ? Math.min(...bases) : null
}

/** Visibility in statute miles: a number, or a text that says "or more" (`10+`, `6+`). */
function visibilityOf(fields: Fields): number | null {
  const text = fields.row.visib
  if (typeof text === 'string' && /^\d+(?:\.\d+)?\+$/.test(text.trim())) return Number(text.trim().slice(0, -1))
  return fields.number('visib')
}

function directionOf(fields: Fields): number | null {
  return fields.row.wdir === 'VRB' ? null : fields.number('wdir')
}

/**
 * Wind and sky of a report as aviationweather.gov decoded it. A field it leaves out is taken from `raw`, our own
 * decoding of the text. Vertical visibility is always ours: the unit of `vertVis` is not documented.
 */
export function skyOf(fields: Fields, raw: Sky | null): Sky {
  const ceiling = lowestCeiling(asList(fields.row.clouds).filter(isRow)) ?? raw?.ceiling_ft ?? null
  const visibility = fields.has('visib') ? visibilityOf(fields) : (raw?.visibility_sm ?? null)
  return {
    wind_direction_deg: fields.has('wdir') ? directionOf(fields) : (raw?.wind_direction_deg ?? null),
    wind_kt: fields.has('wspd') ? fields.number('wspd') : (raw?.wind_kt ?? null),
    wind_gust_kt: fields.has('wgst') ? fields.number('wgst') : (raw?.wind_gust_kt ?? null),
    visibility_sm: visibility,
    ceiling_ft: ceiling,
    weather: fields.has('wxString') ? fields.text('wxString') : (raw?.weather ?? null),
    flight_category: flightCategory(ceiling, visibility),
  }
}
