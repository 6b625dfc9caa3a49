import { WEEK_HOURS } from '../../config/domain.ts'

/** Which days share a component: all, those of a kind (Monday to Friday, Saturday and Sunday), or those of one weekday. */
type Days = 'all' | 'kind' | 'weekday'

/** A part of a kernel: its covariance falls with the distance of two local hours on the clock, and with the hours between them. */
export interface Component {
  variance: number
  /** Standard deviation, in hours, of the fall with the distance on the clock; without one all local hours are alike. */
  clock_hours?: number
  days: Days
  /** Hours in which the covariance falls to 1/e; infinite where it never does. */
  decay_hours: number
}

/** A Gaussian process of hourly values: the sum of its components, and the variance of what each value has for itself. */
export interface Kernel {
  components: readonly Component[]
  noise: number
}

const cellOf = (days: Days, weekHour: number): number => {
  const weekday = Math.floor(weekHour / 24)
  const group = days === 'weekday' ? weekday : days === 'kind' && weekday > 4 ? 1 : 0
  return group * 24 + (weekHour % 24)
}

const circularHours = (a: number, b: number) => {
  const apart = Math.abs(a - b) % 24
  return Math.min(apart, 24 - apart)
}

/** The covariance of a component between two hours of the week at one instant. */
function covarianceNow({ variance, clock_hours, days }: Component, a: number, b: number): number {
  if (Math.floor(cellOf(days, a) / 24) !== Math.floor(cellOf(days, b) / 24)) return 0
  return clock_hours === undefined ? variance : variance * Math.exp(-0.5 * (circularHours(a, b) / clock_hours) ** 2)
}

/** The covariance of the values of two hours, `apart` hours from each other, without noise. */
export function covariance({ components }: Kernel, a: number, b: number, apart: number): number {
  return components.reduce((sum, part) => sum + covarianceNow(part, a, b) * Math.exp(-apart / part.decay_hours), 0)
}

/** Components of one decay, which together are one Markov process: what is known of it is the present value of each of its cells. */
interface Block {
  decay_hours: number
  /** Where its cells begin among all, and how many they are. */
  start: number
  cells: number
  /** The cell of each hour of the week, counted from `start`. */
  cellOf: Uint8Array
  /** The covariance of the cells before anything is known: [cells, cells], row by row. */
  prior: Float64Array
}

const FINENESS = { all: 1, kind: 2, weekday: 7 } as const

function blockOf(components: readonly Component[], start: number): Block {
  const hasClock = components.some(({ clock_hours }) => clock_hours !== undefined)
  const days = components.reduce<Days>(
    (finest, part) => (FINENESS[part.days] > FINENESS[finest] ? part.days : finest),
    'all',
  )
  const cellOfHour = Uint8Array.from({ length: WEEK_HOURS }, (_, hour) => (hasClock ? cellOf(days, hour) : 0))
  const cells = hasClock ? FINENESS[days] * 24 : 1
  const prior = new Float64Array(cells * cells)
  for (let a = 0; a < WEEK_HOURS; a++)
    for (let b = 0; b < WEEK_HOURS; b++)
      prior[cellOfHour[a]! * cells + cellOfHour[b]!] = components.reduce(
        (sum, part) => sum + covarianceNow(part, a, b),
        0,
      )
  return { decay_hours: components[0]!.decay_hours, start, cells, cellOf: cellOfHour, prior }
}

/** The blocks of each kernel, made once: every process of it shares them. */
const BLOCKS = new WeakMap<Kernel, readonly Block[]>()

function blocksOf(kernel: Kernel): readonly Block[] {
  const made = BLOCKS.get(kernel) ?? makeBlocks(kernel)
  BLOCKS.set(kernel, made)
  return made
}

function makeBlocks({ components }: Kernel): Block[] {
  const blocks: Block[] = []
  for (const decay of new Set(components.map(({ decay_hours }) => decay_hours))) {
    const last = blocks.at(-1)
    const alike = components.filter(({ decay_hours }) => decay_hours === decay)
    blocks.push(blockOf(alike, last ? last.start + last.cells : 0))
  }
  return blocks
}

/** Where a row begins in the lower half of a matrix. */
const rowOf = (row: number) => (row * (row + 1)) / 2

/** What is known after the observations so far: the mean of every later hour follows from it alone. */
export interface State {
  /** Hours, in the clock of `observe`, of the newest observation. */
  at_hours: number
  /** The expected present value of each cell. */
  mean: Float64Array
}

/** How an observation differs from what was expected, in standard deviations; returns what the process learns of it. */
export type Robust = (innovation: number) => number

/**
 * A Gaussian process that is told values in order of time and then knows the mean of any later hour. Each component is a Markov
 * process over the hours of its week, so its present values are all that the past says of the future: an observation costs the same
 * however many went before, and the means are exactly those of a Cholesky factor of all observations in order of time.
 */
export class GaussianProcess {
  readonly #blocks: readonly Block[]
  readonly #noise: number
  readonly #robust: Robust
  readonly #mean: Float64Array
  /** The covariance of the cells before the last observation was learned from: its lower half, row by row. */
  readonly #covariance: Float64Array
  /** What the last observation takes from the covariance: the product of this vector with itself. It is taken off at the next one. */
  readonly #learned: Float64Array
  #at_hours = Number.NaN

  /** `robust` limits what the process learns of an innovation; by default it learns everything. */
  constructor(kernel: Kernel, robust: Robust = (innovation) => innovation) {
    this.#blocks = blocksOf(kernel)
    this.#noise = kernel.noise
    this.#robust = robust
    const cells = this.#blocks.reduce((sum, block) => sum + block.cells, 0)
    this.#mean = new Float64Array(cells)
    this.#learned = new Float64Array(cells)
    this.#covariance = new Float64Array((cells * (cells + 1)) / 2)
    for (const { start, cells: own, prior } of this.#blocks)
      for (let row = 0; row < own; row++)
        this.#covariance.set(prior.subarray(row * own, row * own + row + 1), rowOf(start + row) + start)
  }

  /** Learns the value of an hour of the week at an instant (hours of any clock), which is later than that of each earlier call. */
  observe(at_hours: number, weekHour: number, value: number): void {
    this.#advance(Number.isNaN(this.#at_hours) ? 0 : at_hours - this.#at_hours)
    this.#at_hours = at_hours
    const learned = this.#learned
    learned.fill(0)
    let expected = 0
    for (const { start, cellOf: cellOfHour } of this.#blocks) {
      const cell = start + cellOfHour[weekHour]!
      expected += this.#mean[cell]!
      this.#addColumn(cell)
    }
    let variance = this.#noise
    for (const { start, cellOf: cellOfHour } of this.#blocks) variance += learned[start + cellOfHour[weekHour]!]!
    const deviation = Math.sqrt(variance)
    const learnedInnovation = this.#robust((value - expected) / deviation)
    for (let cell = 0; cell < learned.length; cell++) {
      learned[cell]! /= deviation
      this.#mean[cell]! += learned[cell]! * learnedInnovation
    }
  }

  state(): State {
    return { at_hours: this.#at_hours, mean: this.#mean.slice() }
  }

  /** The expected value of an hour of the week at an instant that is not before the state's. */
  expected({ at_hours, mean }: State, later_hours: number, weekHour: number): number {
    const apart = Number.isNaN(at_hours) ? 0 : later_hours - at_hours
    let sum = 0
    for (const { start, cellOf: cellOfHour, decay_hours } of this.#blocks)
      sum += mean[start + cellOfHour[weekHour]!]! * Math.exp(-apart / decay_hours)
    return sum
  }

  /** Takes off what the last observation taught, and lets some hours pass: each cell draws nearer to its prior. */
  #advance(hours: number): void {
    const matrix = this.#covariance
    const learned = this.#learned
    const blocks = this.#blocks
    const decays = blocks.map(({ decay_hours }) => Math.exp(-hours / decay_hours))
    let at = 0
    for (let own = 0; own < blocks.length; own++) {
      const { start, cells, prior } = blocks[own]!
      const kept = decays[own]! ** 2
      const renewed = 1 - kept
      for (let row = 0; row < cells; row++) {
        const ofRow = learned[start + row]!
        this.#mean[start + row]! *= decays[own]!
        let column = 0
        for (let other = 0; other < own; other++) {
          const both = decays[own]! * decays[other]!
          for (const end = column + blocks[other]!.cells; column < end; column++, at++)
            matrix[at] = (matrix[at]! - ofRow * learned[column]!) * both
        }
        const first = row * cells
        for (let k = 0; k <= row; k++, at++)
          matrix[at] = (matrix[at]! - ofRow * learned[start + k]!) * kept + renewed * prior[first + k]!
      }
    }
  }

  /** Adds the covariance of all cells with one of them to what the present observation teaches. */
  #addColumn(cell: number): void {
    const matrix = this.#covariance
    const learned = this.#learned
    const ofRow = rowOf(cell)
    for (let other = 0; other < cell; other++) learned[other]! += matrix[ofRow + other]!
    let at = ofRow + cell
    for (let other = cell; other < learned.length; other++) {
      learned[other]! += matrix[at]!
      at += other + 1
    }
  }
}
