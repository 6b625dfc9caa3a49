import { type Airport, airportDirectory } from '../../../config/airports/directory.ts'
import { distanceKm } from '../../../config/airports/distance.ts'
import { isoUtc } from '../../../config/domain.ts'
import { hashOf, uniform } from '../model/noise.ts'
import { json, minuteOf, type Site, type SiteAnswer, text } from './site.ts'

const AROUND = /\(around:(\d+),(-?[\d.]+),(-?[\d.]+)\)/

/** OpenStreetMap's Overpass API: invented terminals, each with a checkpoint and a lounge, at any airport of the directory. */
export const overpass: Site = {
  hosts: ['overpass-api.de'],
  answer: ({ path, query }, { queues, now }) => {
    if (path !== '/api/interpreter') return null
    const [, radius, latitude, longitude] = AROUND.exec(query.get('data') ?? '') ?? []
    if (radius === undefined) return text('Error: line 1: parse error: Unknown query clause', 400)
    const airport = airportAt(Number(latitude), Number(longitude), Number(radius))
    return answer(airport === undefined ? [] : elementsOf(queues.seed, airport), now)
  },
}

function airportAt(latitude: number, longitude: number, radius_m: number): Airport | undefined {
  return airportDirectory().all.find(
    (airport) =>
      distanceKm(latitude, longitude, airport.latitude, airport.longitude) * 1_000 <= radius_m &&
      airport.scheduled_service,
  )
}

function elementsOf(seed: number, { iata, size, latitude, longitude }: Airport): object[] {
  const key = hashOf(`${seed} map ${iata}`)
  const terminals = size === 'large' ? 1 + Math.floor(uniform(key, 0) * 4) : 1
  const id = (step: number) => 1_000_000 + Math.floor(uniform(key, step) * 9e9)
  return Array.from({ length: terminals }, (_, index) => index + 1).flatMap((number) => {
    const east = Number((longitude + number * 0.002).toFixed(7))
    const north = Number((latitude + 0.003).toFixed(7))
    const node = (step: number, tags: object) => ({ type: 'node', id: id(step), lat: north, lon: east, tags })
    return [
      {
        type: 'way',
        id: id(number * 10),
        center: { lat: north, lon: east },
        tags: { aeroway: 'terminal', building: 'yes', name: `Terminal ${number}`, ref: `${number}` },
      },
      node(number * 10 + 1, { amenity: 'security_control', name: `Terminal ${number} security`, level: '1' }),
      node(number * 10 + 2, { amenity: 'lounge', name: `Made-up Lounge ${number}`, airside: 'yes', level: '2' }),
    ]
  })
}

function answer(elements: object[], now: number): SiteAnswer {
  const timestamp_osm_base = isoUtc(minuteOf(now))
  const copyright = 'Of a simulated map; the real one is by OpenStreetMap contributors, under ODbL.'
  return json({ version: 0.6, generator: 'Overpass API', osm3s: { timestamp_osm_base, copyright }, elements })
}
