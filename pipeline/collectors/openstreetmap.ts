import type { PlaceKind } from '../../config/domain.ts'
import { ParseError } from '../../config/errors.ts'
import type { Notice } from '../../warehouse/tables/notices.ts'
import type { ParsedPlace } from '../../warehouse/tables/places.ts'
import { jsonBody } from '../parsing/body.ts'
import type { AirportCircle, Collector } from '../parsing/collector.ts'
import { Fields, isRow, type UntrustedRow } from '../parsing/fields.ts'

/** Tags as the map's wiki has them (aeroway=terminal, amenity=security_control) or its mappers use them (amenity=lounge). */
const KINDS: Record<string, PlaceKind> = {
  'aeroway=terminal': 'terminal',
  'amenity=lounge': 'lounge',
  'amenity=security_control': 'checkpoint',
}
const ELEMENTS = ['node', 'way', 'relation'] as const
const LONGEST_TEXT = 120

/** The query for what lies around an airport, in Overpass QL: elements with their tags, and of those with an extent the centre. */
function queryFor({ latitude, longitude, radius_m }: AirportCircle): string {
  const around = `(around:${radius_m},${latitude},${longitude})`
  return `[out:json][timeout:25];(nwr["aeroway"="terminal"]${around};nwr["amenity"~"^(lounge|security_control)$"]${around};);out center;`
}

/** One line of text as anybody may have typed it into the map: without control characters, and not endless. */
const plain = (text: string | null) =>
  text
    ?.replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_TEXT)
    .trim() || null

function kindOf({ row }: Fields): PlaceKind | null {
  for (const key of ['aeroway', 'amenity']) {
    const kind = KINDS[`${key}=${row[key]}`]
    if (kind !== undefined) return kind
  }
  return null
}

function placeOf(fields: Fields, iata: string): ParsedPlace | null {
  const { row } = fields
  const leaveOut = (code: string, message: string, value: unknown) => fields.note(code, 'warning', message, value)
  const osm_type = ELEMENTS.find((type) => type === row.type)
  const osm_id = row.id
  if (osm_type === undefined || typeof osm_id !== 'number' || !Number.isSafeInteger(osm_id) || osm_id < 1)
    return leaveOut('row_unreadable', 'is no element of the map; it is left out', `${row.type} ${osm_id}`)
  const tags = isRow(row.tags) ? fields.nested('tags', row.tags) : null
  const kind = tags && kindOf(tags)
  if (tags === null || kind === null)
    return leaveOut('kind_unknown', 'is neither terminal, lounge nor security checkpoint; it is left out', row.tags)
  const [latitude, longitude] = whereIs(osm_type === 'node' ? row : row.center)
  if (latitude === null || longitude === null)
    return leaveOut('row_without_place', 'has no position; it is left out', row.center)
  const text = (name: string) => plain(tags.text(name))
  return {
    osm_type,
    osm_id,
    iata,
    kind,
    name: text('name:en') ?? text('name'),
    operator: text('operator'),
    ref: text('ref'),
    latitude,
    longitude,
    level: text('level'),
    opening_hours: text('opening_hours'),
    access: text('access'),
    airside: text('airside'),
    fee: text('fee'),
  }
}

function whereIs(at: unknown): [number | null, number | null] {
  const { lat, lon }: UntrustedRow = isRow(at) ? at : {}
  const within = (value: unknown, most: number) => (typeof value === 'number' && Math.abs(value) <= most ? value : null)
  return [within(lat, 90), within(lon, 180)]
}

/** The elements of an answer. One that broke off at the server says so in `remark`, with status 200, and is not whole. */
function answerOf(body: string): UntrustedRow & { elements: unknown[] } {
  const answer = jsonBody(body)
  if (!isRow(answer) || !Array.isArray(answer.elements)) throw new ParseError('elements', 'is not a list')
  if (answer.remark !== undefined)
    throw new ParseError('remark', `the server says: ${String(answer.remark).slice(0, 200)}`)
  return { ...answer, elements: answer.elements }
}

/**
 * Terminals, lounges and security checkpoints of OpenStreetMap by the Overpass API: a few airports a run, the one asked about
 * longest ago first. What the map lacks is not known; what it has nobody here has checked.
 */
export const openstreetmap: Collector<'places'> = {
  id: 'openstreetmap',
  lands: 'places',
  transport: 'http',
  airports_per_run: 3,
  request: ({ source, airports_due: in_turn = [] }) =>
    in_turn.map((circle) => ({
      url: `${source.url}?data=${encodeURIComponent(queryFor(circle))}`,
      method: 'GET',
      headers: { Accept: 'application/json' },
      body: null,
      iata: circle.iata,
      timeout_ms: 30_000,
    })),
  parse: (body, { iata }) => {
    if (iata === null) throw new ParseError('$', 'the airport that was asked about is not known')
    const answer = answerOf(body)
    const notices: Notice[] = []
    const found = new Map<string, ParsedPlace>()
    for (const [index, element] of answer.elements.entries()) {
      const fields = new Fields(isRow(element) ? element : {}, `elements[${index}]`, notices)
      fields.iata = iata
      const place = placeOf(fields, iata)
      const key = place && `${place.osm_type}/${place.osm_id}`
      if (key !== null && found.has(key))
        fields.note('duplicate_row', 'warning', 'an element comes twice; the first stays', key)
      else if (place) found.set(key!, place)
    }
    const dataset = new Fields(isRow(answer.osm3s) ? answer.osm3s : {}, 'osm3s', notices)
    return { readings: [...found.values()], notices, observed_at: dataset.instant('timestamp_osm_base') }
  },
}
