import { HOUR_MS } from '../../../config/vocabulary.ts'
import type { Hall } from '../catalogue/index.ts'
import { holidayFactor } from './holidays.ts'
import { instantOfLocalTime, localTime } from './local-clock.ts'
import { hashOf, smoothNoise, uniform } from './noise.ts'

/** Upper ends, in minutes, of CBP's seven classes of waiting passengers; the last has none. */
const WAIT_CLASSES = [15, 30, 45, 60, 90, 120, Number.POSITIVE_INFINITY]

interface Group {
  passengers: number
  average: number
  longest: number
  classes: number[]
}

/** One hour of one passport hall. */
export interface HallHour {
  /** UTC start of the local hour. */
  start: number
  local_day: number
  local_hour: number
  flights: number
  booths: number
  usa: Group
  other: Group
  excluded: number
  global_entry: number
  average: number
}

/** CBP's figures of a hall for a local hour; null when no flight arrived, or summer time skipped the hour. */
export function hallHour(seed: number, hall: Hall, zone: string, localDay: number, localHour: number): HallHour | null {
  const start = instantOfLocalTime(zone, localDay, localHour)
  if (Math.floor(localTime(zone, start).hour) !== localHour) return null
  const key = hashOf(`${seed} hall ${hall.site_id}`)
  const step = localDay * 24 + localHour
  const weekday = (localDay + 4) % 7
  const demand = holidayFactor('US', localDay) * (0.9 + 0.2 * uniform(key, weekday))
  const wave = hall.waves.reduce((sum, peak) => sum + Math.exp(-(((localHour - peak) / 2.2) ** 2)), 0.08)
  const flights = Math.round(hall.flights * wave * demand * (0.75 + 0.5 * uniform(key ^ 1, step)))
  if (flights < 1) return null
  const days = start / (24 * HOUR_MS)
  const load =
    (flights / hall.flights) * Math.exp(0.15 * smoothNoise(key ^ 2, days / 4) + 0.2 * smoothNoise(key ^ 3, days * 12))
  const total = Math.round(flights * (120 + 130 * uniform(key ^ 4, step)))
  const usa = Math.round(total * (0.42 + 0.25 * uniform(key ^ 5, step)))
  const excludedUsa = Math.round(usa * 0.05 * uniform(key ^ 6, step))
  const excludedOther = Math.round((total - usa) * 0.06 * uniform(key ^ 7, step))
  const wait = hall.scale * load ** 1.5
  const groups = {
    usa: groupOf(usa, usa - excludedUsa, 2.1 * wait * 0.55),
    other: groupOf(total - usa, total - usa - excludedOther, 2.4 * wait),
  }
  const measured = total - excludedUsa - excludedOther
  const waited = groups.usa.average * (usa - excludedUsa) + groups.other.average * (total - usa - excludedOther)
  return {
    start,
    local_day: localDay,
    local_hour: localHour,
    flights,
    booths: Math.max(2, Math.round(4 + flights * (1.6 + uniform(key ^ 8, step)))),
    ...groups,
    excluded: excludedUsa + excludedOther,
    global_entry: Math.floor(usa * (0.1 + 0.15 * uniform(key ^ 9, step))),
    average: measured === 0 ? 0 : Math.round(waited / measured),
  }
}

/** The waits of a group whose passenger at quantile q waits longest × q^1.4: the mean is longest / 2.4, and the classes add up. */
function groupOf(passengers: number, measured: number, longest: number): Group {
  const longestMinutes = measured === 0 ? 0 : Math.max(1, Math.round(longest))
  const below = (edge: number) =>
    edge >= longestMinutes
      ? measured
      : Math.min(measured - 1, Math.floor(measured * (edge / longestMinutes) ** (1 / 1.4)))
  const classes = WAIT_CLASSES.map((edge, index) => below(edge) - (index === 0 ? 0 : below(WAIT_CLASSES[index - 1]!)))
  return { passengers, average: Math.round(longestMinutes / 2.4), longest: longestMinutes, classes }
}
