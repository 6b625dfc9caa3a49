import { HOUR_MS } from '../../../config/domain.ts'

/** A point of a line that is drawn in runs. */
export interface RunPoint<T> {
  at: number
  hour: T
  run: number
}

/**
 * The hours that have a value as points in their middles, in runs of hours that follow each other. A run reaches from the
 * start of its first hour to the end of its last, so that a single hour can be seen too, and nothing is drawn across a gap.
 */
export function runsOf<T extends { time: string }>(hours: readonly T[], hasValue: (hour: T) => boolean): RunPoint<T>[] {
  const points: RunPoint<T>[] = []
  let run = 0
  hours.forEach((hour, index) => {
    if (!hasValue(hour)) return
    const start = Date.parse(hour.time)
    const follows = (other: T | undefined, distance: number) =>
      other !== undefined && hasValue(other) && Date.parse(other.time) === start + distance
    if (!follows(hours[index - 1], -HOUR_MS)) points.push({ at: start, hour, run: ++run })
    points.push({ at: start + HOUR_MS / 2, hour, run })
    if (!follows(hours[index + 1], HOUR_MS)) points.push({ at: start + HOUR_MS, hour, run })
  })
  return points
}
