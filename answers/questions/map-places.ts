import { z } from 'zod'
import { Instant } from '../../config/answer-schemas.ts'
import { quoted } from '../../config/untrusted-text.ts'
import { PlaceKind } from '../../config/vocabulary.ts'
import { type AirportMap, MapPlace } from '../../warehouse/publishing/read/maps.ts'
import { fromMapText } from '../statements/places.ts'
import { partText, sentenceOf } from '../statements/text.ts'
import { mapCredit } from './airport-terminals.ts'

const NOTE = sentenceOf(`${fromMapText()}; places that the map lacks may exist`)

/** Places of the map with the credit that its licence requires; null if the map names none. */
export const MapPlaces = z
  .strictObject({
    note: z.string(),
    credit: z.string(),
    fetched_at: Instant,
    places: z.array(MapPlace),
  })
  .nullable()
  .describe('OpenStreetMap’s places, as tagged there; null: none known.')
type MapPlaces = z.input<typeof MapPlaces>

/** At most `limit` selected places of an airport's map with credit, date and note; null if there is none. */
export function mapPlaces(map: AirportMap | null, isSelected: (place: MapPlace) => boolean, limit = 50): MapPlaces {
  const places = map?.places.filter(isSelected).slice(0, limit) ?? []
  if (map === null || places.length === 0) return null
  return { note: NOTE, credit: mapCredit(), fetched_at: map.fetched_at, places }
}

const KIND_TITLES = { terminal: 'Terminals', lounge: 'Lounges', checkpoint: 'Security checkpoints' } as const

/** The map's places as text lines for people, with credit and date: those of `map`, counted by `whole`. */
export function mapLines(map: MapPlaces, whole: MapPlaces): string[] {
  if (map === null || whole === null) return []
  const lines = PlaceKind.options.flatMap((kind) => {
    const placesOfKind = ({ places }: NonNullable<MapPlaces>) => places.filter((place) => place.kind === kind)
    const total = placesOfKind(whole).length
    return total === 0
      ? []
      : [`${KIND_TITLES[kind]} on the map: ${partText(placesOfKind(map).map(placeText), total, '; ')}.`]
  })
  return [...lines, sentenceOf(`${fromMapText(map.fetched_at.slice(0, 10))}; ${map.credit}`)]
}

function placeText({ name, ref, operator, opening_hours }: MapPlace): string {
  const details = [operator && quoted(operator), opening_hours && `hours ${quoted(opening_hours)}`]
    .filter(Boolean)
    .join(', ')
  return `${quoted(name ?? ref ?? '')}${details === '' ? '' : ` (${details})`}`
}
