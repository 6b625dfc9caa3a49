import { z } from 'zod'
import { ParseError } from '../../config/errors.ts'
import { isObject } from '../../config/json-object.ts'
import type { PlaceKind } from '../../config/vocabulary.ts'
import type { Notice } from '../../warehouse/tables/notices.ts'
import type { ParsedPlace } from '../../warehouse/tables/places.ts'
import type { AirportCircle, Collector } from '../parsing/collector.ts'
import { FieldReader } from '../parsing/fields.ts'
import { Anything, readJson } from '../parsing/json.ts'

/** Tags as documented in the map's wiki (aeroway=terminal, amenity=security_control) or used by its mappers (amenity=lounge). */
const KINDS = new Map<string, PlaceKind>([
  ['aeroway=terminal', 'terminal'],
  ['amenity=lounge', 'lounge'],
  ['amenity=security_control', 'checkpoint'],
])
const ELEMENTS = ['node', 'way', 'relation'] as const
const MAX_TEXT_LENGTH = 120

/** The query for the places around an airport, in Overpass QL: elements with their tags, and the centre of those with an extent. */
function queryFor({ latitude, longitude, radius_m }: AirportCircle): string {
  const around = `(around:${radius_m},${latitude},${longitude})`
  return `[out:json][timeout:25];(nwr["aeroway"="terminal"]${around};nwr["amenity"~"^(lounge|security_control)$"]${around};);out center;`
}

/** One line of a text that anybody may have typed into the map: without control characters, and of limited length. */
function oneLine(text: string | null): string | null {
  const words = text?.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()
  return words?.slice(0, MAX_TEXT_LENGTH).trim() || null
}

function kindOf({ row }: FieldReader): PlaceKind | null {
  return KINDS.get(`aeroway=${row.aeroway}`) ?? KINDS.get(`amenity=${row.amenity}`) ?? null
}

function placeOf(fields: FieldReader, iata: string): ParsedPlace | null {
  const { row } = fields
  const osm_type = ELEMENTS.find((type) => type === row.type)
  const osm_id = row.id
  if (osm_type === undefined || typeof osm_id !== 'number' || !Number.isSafeInteger(osm_id) || osm_id < 1)
    return fields.warning('row_unreadable', 'The row is not an element of the map.', `${row.type} ${osm_id}`)
  const tags = isObject(row.tags) ? fields.nested('tags', row.tags) : null
  const kind = tags === null ? null : kindOf(tags)
  if (tags === null || kind === null)
    return fields.warning(
      'kind_unknown',
      'The element is neither terminal, lounge nor security checkpoint; it is left out.',
      row.tags,
    )
  const position = Position.safeParse(osm_type === 'node' ? row : row.center).data
  if (position === undefined)
    return fields.warning('row_without_place', 'The element has no position; it is left out.', row.center)
  const text = (name: string) => oneLine(tags.text(name))
  return {
    osm_type,
    osm_id,
    iata,
    kind,
    name: text('name:en') ?? text('name'),
    operator: text('operator'),
    ref: text('ref'),
    latitude: position.lat,
    longitude: position.lon,
    level: text('level'),
    opening_hours: text('opening_hours'),
    access: text('access'),
    airside: text('airside'),
    fee: text('fee'),
  }
}

const Position = z.object({ lat: z.number().min(-90).max(90), lon: z.number().min(-180).max(180) })
const Answer = z.object({ elements: z.array(z.unknown()), remark: Anything, osm3s: Anything })

/**
 * Terminals, lounges and security checkpoints of OpenStreetMap by the Overpass API: a few airports per run, those
 * requested longest ago first. What the map lacks is unknown; what it holds has not been checked by us.
 */
export const openstreetmap: Collector<'places'> = {
  id: 'openstreetmap',
  lands: 'places',
  transport: 'http',
  rotation: { airports_per_run: 3, includes: ({ scheduled_service, size }) => scheduled_service && size !== 'small' },
  request: ({ source, airports_due = [] }) =>
    airports_due.map((circle) => ({
      url: `${source.url}?data=${encodeURIComponent(queryFor(circle))}`,
      method: 'GET',
      headers: { Accept: 'application/json' },
      body: null,
      iata: circle.iata,
      timeout_ms: 30_000,
    })),
  parse: (body, { iata }) => {
    if (iata === null) throw new ParseError('$', 'the airport of the request is not known')
    const answer = readJson(body, Answer)
    // An answer that broke off at the server says so in `remark`, with status 200.
    if (answer.remark !== undefined)
      throw new ParseError('remark', `the server says: ${String(answer.remark).slice(0, 200)}`)
    const notices: Notice[] = []
    const places = new Map<string, ParsedPlace>()
    for (const [index, element] of answer.elements.entries()) {
      const fields = new FieldReader(isObject(element) ? element : {}, `elements[${index}]`, iata, notices)
      const place = placeOf(fields, iata)
      if (place === null) continue
      const key = `${place.osm_type}/${place.osm_id}`
      if (places.has(key)) fields.warning('duplicate_row', 'The element comes twice; the first is used.', key)
      else places.set(key, place)
    }
    const dataset = new FieldReader(isObject(answer.osm3s) ? answer.osm3s : {}, 'osm3s', null, notices)
    return { readings: [...places.values()], notices, observed_at: dataset.instant('timestamp_osm_base') }
  },
}
