import { airportDirectory } from '../../../config/airports/directory.ts'
import { distanceKm } from '../../../config/airports/distance.ts'
import { hashOf, uniform } from '../model/noise.ts'
import { filled, timeSlots } from './feed.ts'
import { minuteOf, type Site, text } from './site.ts'

const AROUND = /\(around:(\d+),(-?[\d.]+),(-?[\d.]+)\)/

/** OpenStreetMap's Overpass API: invented terminals, each with a checkpoint and a lounge, at any airport of the directory. */
export const overpass: Site = {
  hosts: ['overpass-api.de'],
  answer: ({ path, query }, { queues, now }) => {
    if (path !== '/api/interpreter') return null
    const [radius_m, latitude, longitude] = (AROUND.exec(query.get('data') ?? '') ?? []).slice(1).map(Number)
    if (radius_m === undefined) return text('Error: line 1: parse error: Unknown query clause', 400)
    const airport = airportDirectory().all.find(
      (airport) =>
        distanceKm({ latitude: latitude!, longitude: longitude! }, airport) * 1_000 <= radius_m &&
        airport.scheduled_service,
    )
    const key = hashOf(`${queues.seed} map ${airport?.iata}`)
    const count = airport?.size === 'large' ? 1 + Math.floor(uniform(key, 0) * 4) : 1
    const terminals = Array.from({ length: airport === undefined ? 0 : count }, (_, index) => ({
      number: index + 1,
      number_text: String(index + 1),
      north: Number((airport!.latitude + 0.003).toFixed(7)),
      east: Number((airport!.longitude + (index + 1) * 0.002).toFixed(7)),
      id: (part: string) => 1_000_000 + Math.floor(uniform(key, 10 * (index + 1) + Number(part)) * 9e9),
    }))
    return filled('overpass.json', { ...timeSlots(minuteOf(now)), terminals })
  },
}
