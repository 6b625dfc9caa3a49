import { z } from 'zod'
import { PlaceKind } from '../../config/vocabulary.ts'
import * as c from './columns.ts'
import { column, defineTable, type Row } from './define.ts'

/** Terminals, lounges and checkpoints from OpenStreetMap, unverified. */
export const places = defineTable({
  name: 'places',
  about:
    'Terminals, lounges and security checkpoints around airports, from OpenStreetMap (© OpenStreetMap contributors, ODbL 1.0): one row a place and fetch.',
  owner: 'pipeline',
  retention: 'rollups',
  columns: {
    source: c.source,
    osm_type: column(z.enum(['node', 'way', 'relation']), 'Kind of map element.'),
    osm_id: column(z.int().positive(), 'Id of the element among those of its kind.', 'BIGINT'),
    iata: c.iata,
    kind: column(
      PlaceKind,
      'terminal (aeroway=terminal), lounge (amenity=lounge) or checkpoint (amenity=security_control).',
    ),
    name: c.maybeText('English name if the map has one, else the local name; null when it has none.'),
    operator: c.maybeText('Operator of the place.'),
    ref: c.maybeText('Number or letter of the place, e.g. 4 of Terminal 4.'),
    latitude: column(z.number().min(-90).max(90), 'Degrees north; of the centre when the element has an extent.'),
    longitude: column(z.number().min(-180).max(180), 'Degrees east; of the centre when the element has an extent.'),
    level: c.maybeText('Storey as mapped; 0 is the ground.'),
    opening_hours: c.maybeText('Opening hours in the syntax of OpenStreetMap.'),
    access: c.maybeText('Who may enter as mapped: yes, customers, members, private and the like.'),
    airside: c.maybeText('Whether it is behind security as mapped: yes, no, international or domestic.'),
    fee: c.maybeText('Whether entry costs: yes, no, or a price.'),
    fetched_at: c.fetched_at,
    available_at: c.available_at,
    capture_id: c.capture_id,
  },
  // Unchanged places land again at each fetch, so the newest answer about an airport is complete and omits places that left the map.
  key: ['source', 'iata', 'osm_type', 'osm_id', 'fetched_at'],
  sort: ['iata', 'kind', 'osm_id'],
  age: 'fetched_at',
})

export type Place = Row<typeof places>
export type ParsedPlace = Omit<Place, 'source' | 'fetched_at' | 'available_at' | 'capture_id'>
