import { z } from 'zod'
import { PlaceKind } from '../../../config/vocabulary.ts'
import { definePublished } from './define-published.ts'

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

export const FILE = 'maps.txt'

export const maps = definePublished({
  async decode(files) {
    const lines = (await files.bytes(FILE)).toString('utf8').split('\n').slice(0, -1)
    return { maps: new Map(lines.map((line) => [line.slice(0, 3), line.slice(4)])) }
  },
  index: ({ maps: mapTexts }: MapsContent) => ({ mapTexts }),
  read: ({ mapTexts }: { mapTexts: ReadonlyMap<string, string> }) => ({
    /** The named map places around an airport; null when it was not fetched or has none. */
    map(iata: string) {
      const text = mapTexts.get(iata)
      return text === undefined ? null : (JSON.parse(text) as AirportMap)
    },
  }),
})
