import { uniform } from './noise.ts'

/** Waves of departures: local hour, half-width in hours, usual height. */
const BANKS = [
  { hour: 5.6, width: 1.1, height: 1 },
  { hour: 8.1, width: 1.3, height: 0.72 },
  { hour: 11.6, width: 1.6, height: 0.55 },
  { hour: 15.2, width: 1.7, height: 0.82 },
  { hour: 18, width: 1.5, height: 0.68 },
  { hour: 21, width: 1.4, height: 0.32 },
]
/** Sunday to Saturday. */
const WEEKDAYS = [1.08, 1.06, 0.92, 0.94, 1.06, 1.12, 0.86]
const STEPS_PER_DAY = 96

/** A week of demand, one value each quarter of an hour from Sunday midnight, about 1 at a usual peak. */
export type WeekProfile = Float64Array

/** The usual week of a queue: its waves of departures differ a little in time and height from those of its neighbours. */
export function weekProfile(airportKey: number, queueKey: number): WeekProfile {
  const profile = new Float64Array(7 * STEPS_PER_DAY)
  for (let weekday = 0; weekday < 7; weekday++) {
    const banks = BANKS.map((bank, index) => ({
      hour:
        bank.hour +
        1.2 * (uniform(airportKey, index) - 0.5) +
        0.8 * (uniform(queueKey, index) - 0.5) +
        (weekday % 6 === 0 ? 0.6 : 0),
      width: bank.width,
      height:
        bank.height *
        (0.8 + 0.4 * uniform(airportKey, 20 + index)) *
        (0.7 + 0.6 * uniform(queueKey, 20 + index)) *
        (0.85 + 0.3 * uniform(airportKey, 100 + 10 * index + weekday)),
    }))
    const level = WEEKDAYS[weekday]! * (0.92 + 0.16 * uniform(airportKey, 200 + weekday))
    for (let step = 0; step < STEPS_PER_DAY; step++) {
      const hour = (24 * step) / STEPS_PER_DAY
      let demand = 0.12
      for (const bank of banks) demand += bank.height * Math.exp(-(((hour - bank.hour) / bank.width) ** 2))
      profile[weekday * STEPS_PER_DAY + step] = level * demand
    }
  }
  return profile
}

/** The demand at a weekday (0 Sunday) and an hour with its fraction. */
export function demandAt(profile: WeekProfile, weekday: number, hour: number): number {
  const position = weekday * STEPS_PER_DAY + (hour / 24) * STEPS_PER_DAY
  const step = Math.floor(position)
  const here = profile[step] ?? 0
  return here + ((profile[(step + 1) % profile.length] ?? 0) - here) * (position - step)
}
