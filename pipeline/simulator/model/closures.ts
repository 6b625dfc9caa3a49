import { HOUR_MS } from '../../../config/vocabulary.ts'
import { faaAirports } from './programs.ts'
import { severity, stormAt } from './storms.ts'

/** A closure as a NOTAM. */
export interface Closure {
  faa_id: string
  number: number
  /** The text between `CLSD` and the period of time. */
  condition: string
  start: number
  end: number
  /** `full`, on some hours of each day, or `partial`: some aircraft are excluded, but not the airlines. */
  extent: 'full' | 'daily' | 'partial'
}

/** Every closure listed at an instant: those of whole airports first. */
export function closuresAt(seed: number, ms: number): Closure[] {
  const now = new Date(ms)
  const year = now.getUTCFullYear()
  const month = now.getUTCMonth()
  const opened = ms < Date.UTC(year, 4, 27, 18, 26) ? year - 1 : year
  const standing: Closure[] = [
    {
      faa_id: 'ASE',
      number: 21,
      condition: 'DLY 0600-1330',
      start: Date.UTC(year, month, 1, 6),
      end: Date.UTC(year, month + 1, 0, 13, 30),
      extent: 'daily',
    },
    {
      faa_id: 'LAX',
      number: 277,
      // It reopens in May of the next year: the text of the feed has no year, only the period has.
      condition: 'TO NON SKED TRANSIENT GA ACFT EXC 24HR PPR 310-555-0100',
      start: Date.UTC(opened, 4, 27, 18, 26),
      end: Date.UTC(opened + 1, 4, 28, 16),
      extent: 'partial',
    },
    {
      faa_id: 'PHL',
      number: 263,
      condition: 'TO NON SKED ACFT WINGSPAN MORE THAN 214FT AND TAIL HGT MORE THAN 66FT.',
      start: Date.UTC(year, month, 1, 18, 6),
      end: Date.UTC(year, month + 1, 1, 12),
      extent: 'partial',
    },
  ]
  return [...snowClosures(seed, ms), ...standing.filter(({ start, end }) => start <= ms && ms < end)]
}

/** In the worst hours of the worst snowstorms an airport closes completely. */
function snowClosures(seed: number, ms: number): Closure[] {
  return faaAirports().flatMap(({ id, place }) => {
    const storm = stormAt(seed, place.iata, place.latitude, ms)
    if (storm?.kind !== 'snow or ice' || storm.peak < 0.95 || severity(storm, ms) < 0.85) return []
    const start = Math.round((storm.start + (storm.end - storm.start) * 0.25) / 60_000) * 60_000
    const number = 100 + (Math.floor(storm.start / HOUR_MS) % 300)
    return [{ faa_id: id, number, condition: 'EXC EMERG ACFT AND HEL', start, end: storm.end, extent: 'full' }]
  })
}
