import { getOrCreate } from '../../../config/once.ts'
import { MAX_NAME_CHARACTERS, withLandedTexts } from '../../../config/untrusted-text.ts'
import type { Warehouse } from '../../storage/warehouse.ts'
import { type AirportMap, FILE, type MapPlace, type MapsContent } from '../read/maps.ts'
import { defineGathered } from './define-gathered.ts'

export const gatherMaps = defineGathered({
  gather: async ({ warehouse, now }): Promise<MapsContent> => {
    const airportMaps = await newestMaps(warehouse, now)
    return {
      maps: new Map(
        airportMaps.map((map) => [map.iata, JSON.stringify(withLandedTexts(map, MAX_NAME_CHARACTERS * 4))]),
      ),
    }
  },
  files: {
    keys: ['maps'],
    encode: ({ maps: texts }) => ({
      [FILE]: Buffer.from([...texts].map(([iata, text]) => `${iata} ${text}\n`).join('')),
    }),
  },
})

/**
 * The newest map answer about each airport at `now` (epoch ms), so places that have left the map are absent. Places
 * without name and number are left out. An element found around two airports belongs to the newer answer.
 */
export async function newestMaps(warehouse: Warehouse, now: number): Promise<AirportMap[]> {
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
    getOrCreate(maps, iata, () => ({ iata, fetched_at, places: [] })).places.push(place)
  }
  return [...maps.values()]
}
