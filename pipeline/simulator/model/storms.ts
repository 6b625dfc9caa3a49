import { DAY_MS, HOUR_MS } from '../../../config/vocabulary.ts'
import { hashOf, pick, uniform } from './noise.ts'

export type StormKind = 'thunderstorms' | 'snow or ice' | 'low ceilings' | 'wind'

/** A period of bad weather over one airport. METARs report it, FAA programs are caused by it, and it lengthens queues. */
export interface Storm {
  kind: StormKind
  start: number
  end: number
  /** 0 to 1: its greatest severity. */
  peak: number
}

const DAILY_CHANCE = 0.3

/** The storm that begins over an airport on a UTC day, null when none does. */
function stormOfDay(seed: number, iata: string, latitude: number, day: number): Storm | null {
  const key = hashOf(`storm ${seed} ${iata}`)
  if (uniform(key, day) > DAILY_CHANCE) return null
  const start = Math.round((day + uniform(key ^ 1, day)) * 96) * (DAY_MS / 96)
  const length = (2 + 7 * uniform(key ^ 2, day)) * HOUR_MS
  const end = start + Math.round(length / 900_000) * 900_000
  return { kind: pick(kindsIn(latitude, day), key ^ 3, day), start, end, peak: 0.25 + 0.75 * uniform(key ^ 4, day) }
}

/** The kinds of storm at a latitude on a UTC day; a kind that is listed twice is twice as likely. */
function kindsIn(latitude: number, day: number): StormKind[] {
  const month = new Date(day * DAY_MS).getUTCMonth()
  if (Math.abs(latitude) > 35 && (month < 3 || month > 9)) return ['snow or ice', 'low ceilings', 'wind']
  if (month > 3 && month < 9) return ['thunderstorms', 'thunderstorms', 'low ceilings', 'wind']
  return ['low ceilings', 'wind', 'thunderstorms']
}

/** The storm over an airport at an instant (the worse one where two overlap), null in fair weather. */
export function stormAt(seed: number, iata: string, latitude: number, ms: number): Storm | null {
  const today = Math.floor(ms / DAY_MS)
  let worst: Storm | null = null
  for (const day of [today - 1, today]) {
    const storm = stormOfDay(seed, iata, latitude, day)
    if (storm && storm.start <= ms && ms < storm.end && (!worst || storm.peak > worst.peak)) worst = storm
  }
  return worst
}

/** The storms that overlap a span of time, in order. */
export function stormsBetween(seed: number, iata: string, latitude: number, from: number, to: number): Storm[] {
  const storms: Storm[] = []
  for (let day = Math.floor(from / DAY_MS) - 1; day <= Math.floor(to / DAY_MS); day++) {
    const storm = stormOfDay(seed, iata, latitude, day)
    if (storm && storm.start < to && storm.end > from) storms.push(storm)
  }
  return storms
}

/** The severity of a storm at an instant, 0 to its peak: it grows for the first third of its duration, then declines. */
export function severity(storm: Storm | null, ms: number): number {
  if (storm === null || ms < storm.start || ms >= storm.end) return 0
  const life = (ms - storm.start) / (storm.end - storm.start)
  return storm.peak * (life < 1 / 3 ? 0.4 + 1.8 * life : 1 - 0.9 * (life - 1 / 3))
}
