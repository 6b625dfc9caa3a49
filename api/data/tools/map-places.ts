import { z } from 'zod'
import { PlaceKind } from '../../../config/domain.ts'
import { Instant } from '../../../config/facts.ts'
import { sourceById } from '../../../config/sources.ts'
import type { AirportMap, MapPlace } from '../../../warehouse/serving/published/maps.ts'

const tag = z.string().nullable()
const NOTE = 'From the map, not checked; what it lacks may exist.'

/** Rows of the map with the credit that its licence asks for; null where it names none. */
export const MapPlaces = z
  .strictObject({
    note: z.string(),
    credit: z.string(),
    fetched_at: Instant,
    places: z.array(
      z.strictObject({
        kind: PlaceKind,
        name: tag,
        ref: tag,
        operator: tag,
        level: tag,
        opening_hours: tag,
        access: tag,
        airside: tag,
        fee: tag,
        osm: z.string(),
      }),
    ),
  })
  .nullable()
  .describe('What OpenStreetMap has, as tagged there; null: nothing is known of it.')
type MapPlaces = z.input<typeof MapPlaces>

/** Whom to credit for what the map tells. */
export const mapCredit = () => sourceById('openstreetmap').attribution

/** The wanted places of an airport's map with credit, date and caution; null where there is none. */
export function mapPlaces(map: AirportMap | null, wanted: (place: MapPlace) => boolean, limit = 50): MapPlaces {
  const places = map?.places.filter(wanted).slice(0, limit) ?? []
  if (map === null || places.length === 0) return null
  return { note: NOTE, credit: mapCredit(), fetched_at: map.fetched_at, places }
}

const KINDS = { terminal: 'Terminals', lounge: 'Lounges', checkpoint: 'Security checkpoints' } as const

/** The map's places for a person, with credit, date and caution. */
export function mapLines(map: MapPlaces): string[] {
  if (map === null) return []
  const lines = PlaceKind.options.flatMap((kind) => {
    const named = map.places.filter((place) => place.kind === kind).map(placeLine)
    return named.length === 0 ? [] : [`${KINDS[kind]} on the map: ${named.join('; ')}.`]
  })
  return [...lines, `From the map on ${map.fetched_at.slice(0, 10)}, not checked; ${map.credit}.`]
}

function placeLine({ name, ref, operator, opening_hours }: NonNullable<MapPlaces>['places'][number]): string {
  const more = [operator, opening_hours && `hours ${opening_hours}`].filter(Boolean).join(', ')
  return `${name ?? ref}${more === '' ? '' : ` (${more})`}`
}
