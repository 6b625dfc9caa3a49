import { clamp, median } from '../statistics/statistics.ts'
import { type Component, GaussianProcess, type Kernel, type State } from './gaussian-process.ts'

const DAY = 24

/** How waits change over weeks, on weekdays, and in the last days and hours. */
const CHANGING: readonly Component[] = [
  { variance: 0.05, clock_hours: 1.2, days: 'all', decay_hours: 54 * DAY },
  { variance: 0.02, clock_hours: 2.4, days: 'kind', decay_hours: 144 * DAY },
  { variance: 0.18, clock_hours: 1.25, days: 'weekday', decay_hours: 144 * DAY },
  { variance: 0.22, days: 'all', decay_hours: 72 * DAY },
  { variance: 0.047, days: 'all', decay_hours: 38 },
  { variance: 0.157, days: 'all', decay_hours: 2.5 },
]
const NOISE = 0.49
/** How near local hours of one shape of the day are to each other. */
const SHAPE_HOURS = 0.91
const SEASON_HOURS = 350 * DAY

/** Knows the level and the shape of the day of a queue, and how its waits change. */
export const WAIT_KERNEL: Kernel = {
  components: [
    { variance: 10, days: 'all', decay_hours: Number.POSITIVE_INFINITY },
    { variance: 1.2, clock_hours: SHAPE_HOURS, days: 'all', decay_hours: SEASON_HOURS },
    ...CHANGING,
  ],
  noise: NOISE,
}

/** Variances of how the queue of one airport lies around what is usual of all: its level, its times of day and its hours. */
export interface AroundUsual {
  level: number
  time_of_day: number
  hour: number
  /** Hours in which what was learned of them falls to 1/e; a season by default. */
  decay_hours?: number
}

/** Knows how a queue lies around what is usual, and how its waits change. */
export const kernelAroundUsual = ({ level, time_of_day, hour, decay_hours = SEASON_HOURS }: AroundUsual): Kernel => ({
  components: [
    { variance: level, days: 'all', decay_hours },
    { variance: time_of_day, clock_hours: 4, days: 'all', decay_hours },
    { variance: hour, clock_hours: SHAPE_HOURS, days: 'all', decay_hours },
    ...CHANGING,
  ],
  noise: NOISE,
})

/** Knows the last days and hours alone. */
export const RECENT_KERNEL: Kernel = {
  components: CHANGING.filter(({ decay_hours }) => decay_hours < 2 * DAY),
  noise: NOISE,
}

/** Waits enter as logarithms of this many minutes more: a minute counts for more where waits are short. */
export const ADDED_MINUTES = 2
/** The median and the deviation of this many first hours are the unit of all; with fewer, those of all hours. */
const UNIT_HOURS = 100
const MIN_DEVIATION = 0.1

/** Limits of what one wait teaches, in typical innovations. */
const MIN_INNOVATION = -1.75
const MAX_INNOVATION = 1.56
/** A typical innovation before any is known, and the least. */
const FIRST_TYPICAL = 0.7
const MIN_TYPICAL = 0.3
/** Innovations before the typical one is learned from them, and from when on each counts alike. */
const SETTLING_HOURS = 20
const SETTLED_HOURS = 100
/** The mean of absolute values of a normal distribution is its deviation ÷ 1.25. */
const DEVIATION_OF_MEAN = 1.25
const MAX_TYPICAL = 3

/** Bounds innovations by a typical one that follows them, so that a spike teaches little. */
class BoundedInnovations {
  #typical = FIRST_TYPICAL
  #count = 0

  next(innovation: number): number {
    const bounded = clamp(innovation, MIN_INNOVATION * this.#typical, MAX_INNOVATION * this.#typical)
    const rate = this.#count < SETTLED_HOURS ? 1 / (this.#count + 5) : 0.01
    if (this.#count >= SETTLING_HOURS) {
      const size = Math.min(Math.abs(innovation), MAX_TYPICAL * this.#typical)
      this.#typical = Math.max(MIN_TYPICAL, this.#typical + rate * (DEVIATION_OF_MEAN * size - this.#typical))
    }
    this.#count++
    return bounded
  }
}

interface Reading {
  at_hours: number
  weekHour: number
  minutes: number
}

/** Half-lives, in hours, of the means of what the last hours taught. */
export const INNOVATION_HALF_LIVES = [6, 24, 96] as const

/** The mean wait of any later hour (minutes), as of the last hour that was learned from. */
export interface WaitForecast {
  expected: (at_hours: number, weekHour: number) => number
  /** The mean innovation of the hours before an instant, weighted by age with each half-life and shrunk towards 0. */
  innovations: (at_hours: number) => number[]
}

/** The usual waits in each hour of the week before any observation of a queue (minutes), and their spread. */
export interface UsualWeek {
  minutes: readonly number[]
  kernel: Kernel
  /** The unit of the kernel: a deviation of logarithms. */
  deviation: number
}

/** A Gaussian process of the logarithms of hourly waits: of the waits themselves, or of how they lie around what is usual. */
export class WaitProcess {
  /** The first hours, until they are enough for a unit. */
  #first: Reading[] | null = []
  #run: UnitProcess | null = null

  constructor(usual?: UsualWeek) {
    if (!usual) return
    const middles = Float64Array.from(usual.minutes, logOf)
    this.#run = new UnitProcess({ ...usual, middleOf: (weekHour) => middles[weekHour]! })
    this.#first = null
  }

  /** Learns the wait of an hour, which is later than that of each earlier call. */
  observe(reading: Reading): void {
    if (!this.#first) {
      this.#run!.observe(reading)
      return
    }
    this.#first.push(reading)
    this.#run = null
    if (this.#first.length < UNIT_HOURS) return
    this.#run = this.#ofFirst()
    this.#first = null
  }

  forecast(): WaitForecast {
    this.#run ??= this.#ofFirst()
    return this.#run.forecast()
  }

  #ofFirst(): UnitProcess {
    const run = new UnitProcess(unitOf(this.#first!))
    for (const reading of this.#first!) run.observe(reading)
    return run
  }
}

const logOf = (minutes: number) => Math.log(minutes + ADDED_MINUTES)

/** The reference of a logarithm, and the deviation that is 1 for the kernel. */
interface Unit {
  kernel: Kernel
  middleOf: (weekHour: number) => number
  deviation: number
}

/** The median and the deviation of some hours as the unit. */
function unitOf(hours: readonly Reading[]): Unit {
  const logs = hours.map(({ minutes }) => logOf(minutes))
  const middle = hours.length === 0 ? 0 : median(logs)
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length
  const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / logs.length
  const deviation = hours.length === 0 ? 1 : Math.max(MIN_DEVIATION, Math.sqrt(variance))
  return { kernel: WAIT_KERNEL, middleOf: () => middle, deviation }
}

class UnitProcess {
  readonly #unit: Unit
  readonly #process: GaussianProcess
  readonly #sums = INNOVATION_HALF_LIVES.map(() => ({ sum: 0, total: 0 }))
  #last_hours = 0
  #last_innovation = 0

  constructor(unit: Unit) {
    this.#unit = unit
    const innovations = new BoundedInnovations()
    this.#process = new GaussianProcess(unit.kernel, (innovation) => {
      this.#last_innovation = innovations.next(innovation)
      return this.#last_innovation
    })
  }

  observe({ at_hours, weekHour, minutes }: Reading): void {
    const { middleOf, deviation } = this.#unit
    this.#process.observe(at_hours, weekHour, (logOf(minutes) - middleOf(weekHour)) / deviation)
    const age = at_hours - this.#last_hours
    this.#last_hours = at_hours
    for (const [k, half_life] of INNOVATION_HALF_LIVES.entries()) {
      const sums = this.#sums[k]!
      const fade = 0.5 ** (age / half_life)
      sums.sum = sums.sum * fade + this.#last_innovation
      sums.total = sums.total * fade + 1
    }
  }

  forecast(): WaitForecast {
    const state: State = this.#process.state()
    const { middleOf, deviation } = this.#unit
    const last_hours = this.#last_hours
    const sums = this.#sums.map((sums) => ({ ...sums }))
    return {
      expected: (at_hours, weekHour) => {
        const log = middleOf(weekHour) + deviation * this.#process.expected(state, at_hours, weekHour)
        return Math.max(0, Math.exp(log) - ADDED_MINUTES)
      },
      innovations: (at_hours) =>
        sums.map(({ sum, total }, k) => {
          const fade = 0.5 ** ((at_hours - last_hours - 1) / INNOVATION_HALF_LIVES[k]!)
          return (sum * fade) / (total * fade + 1)
        }),
    }
  }
}
