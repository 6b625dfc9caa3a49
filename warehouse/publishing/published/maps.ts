import { z } from 'zod'
import { PlaceKind } from '../../../config/domain.ts'
import { MAX_NAME_CHARACTERS, withCleanTexts } from '../../../config/outside-text.ts'
import type { Warehouse } from '../../storage/warehouse.ts'
import { definePublished } from './define.ts'

const tag = z.string().nullable()

/** A terminal, lounge or checkpoint from OpenStreetMap; `osm` is its element there, e.g. way/123. */
export const MapPlace = z.strictObject({
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
})
export type MapPlace = z.infer<typeof MapPlace>

/** All named places of the newest map answer about an airport. */
export interface AirportMap {
  iata: string
  fetched_at: string
  places: MapPlace[]
}

/** Maps are published as JSON text by airport: there are thousands and few are read, so each is parsed when it is read. */
export interface MapsContent {
  maps: Map<string, string>
}

export interface MapsReader {
  /** The named map places around an airport; null when it was not fetched or has none. */
  map: (iata: string) => AirportMap | null
}

const FILE = 'maps.txt'

export const maps = definePublished({
  gather: async ({ warehouse, now }): Promise<MapsContent> => {
    const airportMaps = await newestMaps(warehouse, now)
    return {
      maps: new Map(airportMaps.map((map) => [map.iata, JSON.stringify(withCleanTexts(map, MAX_NAME_CHARACTERS * 4))])),
    }
  },
  files: {
    keys: ['maps'],
    encode: ({ maps: texts }) => ({
      [FILE]: Buffer.from([...texts].map(([iata, text]) => `${iata} ${text}\n`).join('')),
    }),
    async decode(files) {
      // Snapshots from before 2026-11-22 have no maps.
      if (!files.has(FILE)) return { maps: new Map() }
      const lines = (await files.bytes(FILE)).toString('utf8').split('\n').slice(0, -1)
      return { maps: new Map(lines.map((line) => [line.slice(0, 3), line.slice(4)])) }
    },
  },
  index: ({ maps: mapTexts }) => ({ mapTexts }),
  read: ({ mapTexts }: { mapTexts: ReadonlyMap<string, string> }): MapsReader => ({
    map(iata) {
      const text = mapTexts.get(iata)
      return text === undefined ? null : (JSON.parse(text) as AirportMap)
    },
  }),
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
    const map = maps.get(iata) ?? { iata, fetched_at, places: [] }
    map.places.push(place)
    maps.set(iata, map)
  }
  return [...maps.values()]
}
