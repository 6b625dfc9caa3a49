import type { PlaceKind } from '../../../config/domain.ts'
import type { Warehouse } from '../../storage/warehouse.ts'

/** A terminal, lounge or checkpoint as a public map has it. */
export interface MapPlace {
  kind: PlaceKind
  name: string | null
  ref: string | null
  operator: string | null
  level: string | null
  opening_hours: string | null
  access: string | null
  airside: string | null
  fee: string | null
  /** Element of OpenStreetMap, e.g. way/123. */
  osm: string
}

/** All that the map's newest answer about an airport names. */
export interface AirportMap {
  iata: string
  fetched_at: string
  places: MapPlace[]
}

/**
 * What the map's newest answer about each airport names, at `now` (epoch ms): what has left the map is left out, and so is what
 * has neither name nor number there. An element that two airports were given is of the newer answer.
 */
export async function airportMaps(warehouse: Warehouse, now: number): Promise<AirportMap[]> {
  const rows = await warehouse.query<MapPlace & Omit<AirportMap, 'places'>>(
    `WITH newest AS (
       SELECT source, iata, max(fetched_at) AS fetched_at FROM places
       WHERE available_at <= $now::TIMESTAMPTZ GROUP BY source, iata
     )
     SELECT iata, fetched_at, kind, name, ref, operator, level, opening_hours, access, airside, fee,
       osm_type || '/' || osm_id AS osm
     FROM newest JOIN places USING (source, iata, fetched_at) WHERE name IS NOT NULL OR ref IS NOT NULL
     QUALIFY row_number() OVER (PARTITION BY osm_type, osm_id ORDER BY fetched_at DESC, iata) = 1
     ORDER BY iata, kind, name, osm`,
    { now: new Date(now).toISOString() },
  )
  const maps = new Map<string, AirportMap>()
  for (const { iata, fetched_at, ...place } of rows) {
    const map = maps.get(iata) ?? { iata, fetched_at, places: [] }
    map.places.push(place)
    maps.set(iata, map)
  }
  return [...maps.values()]
}
