import { DAY_MS, HOUR_MS } from '../../../config/domain.ts'
import { chance, keyOf, pick } from './noise.ts'

export type StormKind = 'thunderstorms' | 'snow or ice' | 'low ceilings' | 'wind'

/** A spell of bad weather over one airport. It is what METARs report, what the FAA's programs answer, and what lengthens queues. */
export interface Storm {
  kind: StormKind
  start: number
  end: number
  /** 0 to 1: how bad it gets at its height. */
  peak: number
}

const DAILY_CHANCE = 0.3

/** The storm that begins over an airport on a UTC day, null when none does. */
function stormOfDay(seed: number, iata: string, latitude: number, day: number): Storm | null {
  const key = keyOf(`storm ${seed} ${iata}`)
  if (chance(key, day) > DAILY_CHANCE) return null
  const start = Math.round((day + chance(key ^ 1, day)) * 96) * (DAY_MS / 96)
  const length = (2 + 7 * chance(key ^ 2, day)) * HOUR_MS
  const month = new Date(day * DAY_MS).getUTCMonth()
  const cold = Math.abs(latitude) > 35 && (month < 3 || month > 9)
  const warm = month > 3 && month < 9
  const kinds: StormKind[] = cold
    ? ['snow or ice', 'low ceilings', 'wind']
    : warm
      ? ['thunderstorms', 'thunderstorms', 'low ceilings', 'wind']
      : ['low ceilings', 'wind', 'thunderstorms']
  const end = start + Math.round(length / 900_000) * 900_000
  return { kind: pick(kinds, key ^ 3, day), start, end, peak: 0.25 + 0.75 * chance(key ^ 4, day) }
}

/** The storm over an airport at an instant (the worst, where two overlap), null in fair weather. */
export function stormAt(seed: number, iata: string, latitude: number, ms: number): Storm | null {
  const today = Math.floor(ms / DAY_MS)
  let worst: Storm | null = null
  for (const day of [today - 1, today]) {
    const storm = stormOfDay(seed, iata, latitude, day)
    if (storm && storm.start <= ms && ms < storm.end && (!worst || storm.peak > worst.peak)) worst = storm
  }
  return worst
}

/** The storms that touch a span of time, in order. */
export function stormsBetween(seed: number, iata: string, latitude: number, from: number, to: number): Storm[] {
  const storms: Storm[] = []
  for (let day = Math.floor(from / DAY_MS) - 1; day <= Math.floor(to / DAY_MS); day++) {
    const storm = stormOfDay(seed, iata, latitude, day)
    if (storm && storm.start < to && storm.end > from) storms.push(storm)
  }
  return storms
}

/** How bad a storm is at an instant, 0 to its peak: it grows for a third of its life and dies away. */
export function severity(storm: Storm | null, ms: number): number {
  if (storm === null || ms < storm.start || ms >= storm.end) return 0
  const life = (ms - storm.start) / (storm.end - storm.start)
  return storm.peak * (life < 1 / 3 ? 0.4 + 1.8 * life : 1 - 0.9 * (life - 1 / 3))
}
