import { DAY_MS, HOUR_MS } from '../../../config/domain.ts'
import { severity, stormAt } from '../model/storms.ts'
import { faaAirports } from './airports.ts'

/** A closure as a NOTAM. A `partial` one excludes some aircraft, but not the airlines. */
export interface Closure {
  faa_id: string
  number: number
  /** The text between `CLSD` and the period of time. */
  condition: string
  start: number
  end: number
  issued: number
  partial: boolean
}

/** Every closure listed at an instant. */
export function closuresAt(seed: number, ms: number): Closure[] {
  const now = new Date(ms)
  const year = now.getUTCFullYear()
  const month = now.getUTCMonth()
  const opened = ms < Date.UTC(year, 4, 27, 18, 26) ? year - 1 : year
  const standing: Closure[] = [
    {
      faa_id: 'LAX',
      number: 277,
      // It reopens in May of the next year: the text of the feed has no year, only the period has.
      condition: 'TO NON SKED TRANSIENT GA ACFT EXC 24HR PPR 310-555-0100',
      start: Date.UTC(opened, 4, 27, 18, 26),
      end: Date.UTC(opened + 1, 4, 28, 16),
      issued: Date.UTC(opened, 4, 27, 18, 20),
      partial: true,
    },
    {
      faa_id: 'PHL',
      number: 263,
      condition: 'TO NON SKED ACFT WINGSPAN MORE THAN 214FT AND TAIL HGT MORE THAN 66FT.',
      start: Date.UTC(year, month, 1, 18, 6),
      end: Date.UTC(year, month + 1, 1, 12),
      issued: Date.UTC(year, month, 1, 17, 50),
      partial: true,
    },
    {
      faa_id: 'ASE',
      number: 21,
      condition: 'DLY 0600-1330',
      start: Date.UTC(year, month, 1, 6),
      end: Date.UTC(year, month + 1, 0, 13, 30),
      issued: Date.UTC(year, month, 1) - DAY_MS,
      partial: false,
    },
  ]
  return [...standing.filter((closure) => closure.start <= ms && ms < closure.end), ...snowClosures(seed, ms)]
}

/** In the worst hours of the worst snowstorms an airport closes completely. */
function snowClosures(seed: number, ms: number): Closure[] {
  return faaAirports().flatMap((airport) => {
    const storm = stormAt(seed, airport.place.iata, airport.place.latitude, ms)
    if (storm?.kind !== 'snow or ice' || storm.peak < 0.95 || severity(storm, ms) < 0.85) return []
    const start = storm.start + (storm.end - storm.start) * 0.25
    const whole = Math.round(start / 60_000) * 60_000
    const number = 100 + (Math.floor(storm.start / HOUR_MS) % 300)
    return [
      {
        faa_id: airport.id,
        number,
        condition: 'EXC EMERG ACFT AND HEL',
        start: whole,
        end: storm.end,
        issued: whole,
        partial: false,
      },
    ]
  })
}

const two = (value: number) => String(value).padStart(2, '0')

/** `2605271826`: the time of a NOTAM. */
function stamp(ms: number): string {
  const at = new Date(ms)
  return [at.getUTCFullYear() % 100, at.getUTCMonth() + 1, at.getUTCDate(), at.getUTCHours(), at.getUTCMinutes()]
    .map(two)
    .join('')
}

/** The closure as the text of its NOTAM. */
export function notamOf(closure: Closure): string {
  const { faa_id, number, condition, start, end } = closure
  const month = two(new Date(closure.issued).getUTCMonth() + 1)
  return `!${faa_id} ${month}/${String(number).padStart(3, '0')} ${faa_id} AD AP CLSD ${condition} ${stamp(start)}-${stamp(end)}`
}
