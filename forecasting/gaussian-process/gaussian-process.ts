import { memoizeByObject } from '../../config/once.ts'
import { WEEK_HOURS } from '../../config/vocabulary.ts'

/** The days that share a component: all, those of a kind (Monday to Friday, Saturday and Sunday), or those of one weekday. */
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
  const kind = days === 'kind' && weekday > 4 ? 1 : 0
  const group = days === 'weekday' ? weekday : kind
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
  /** Index of its first cell among all cells, and their number. */
  start: number
  cells: number
  /** The cell of each hour of the week, counted from `start`. */
  cellOf: Uint8Array
  /** The covariance of the cells before anything is known: [cells, cells], row by row. */
  prior: Float64Array
}

const FINENESS = { all: 1, kind: 2, weekday: 7 } as const

function blockOf(components: readonly Component[]): Block {
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
  return { decay_hours: components[0]!.decay_hours, start: 0, cells, cellOf: cellOfHour, prior }
}

/** The blocks of each kernel, made once: every process of it shares them. */
const blocksOf = memoizeByObject(({ components }: Kernel): readonly Block[] => {
  const decays = [...new Set(components.map(({ decay_hours }) => decay_hours))]
  const blocks = decays.map((decay) => blockOf(components.filter(({ decay_hours }) => decay_hours === decay)))
  // The largest first: what is known of a cell with the cells before it lies together in memory.
  let start = 0
  for (const block of blocks.toSorted((x, y) => y.cells - x.cells)) {
    block.start = start
    start += block.cells
  }
  return blocks
})

/** Rows of the lower half of a matrix that are stored as wide as the last of them, so that one pass changes them together. */
const ROWS_TOGETHER = 4

/** Start of each row in the lower half of a matrix, and the end. Values right of the diagonal are never read. */
function rowStarts(rows: number): Uint32Array {
  const starts = new Uint32Array(rows + 1)
  for (let row = 0; row < rows; row++)
    starts[row + 1] = starts[row]! + ROWS_TOGETHER * (Math.floor(row / ROWS_TOGETHER) + 1)
  return starts
}

/** The state after the observations so far: it alone determines the mean of every later hour. */
export interface State {
  /** Hours, in the clock of `observe`, of the newest observation. */
  at_hours: number
  /** The expected present value of each cell. */
  mean: Float64Array
}

/** How an observation differs from what was expected, in standard deviations; returns what the process learns of it. */
export type Robust = (innovation: number) => number

/** Observations whose products are added in one pass over the matrix: one at a time, reading and writing it would take twice as long. */
const ADDED_TOGETHER = 4

/** Cells are scaled anew when less than this is left of a value since their block's reference time. */
const MIN_RETAINED = 1e-4

/**
 * A Gaussian process that takes values in order of time and then knows the mean of any later hour. Each component is a Markov
 * process over the hours of its week, so its present values are all that the past says of the future: an observation costs the
 * same however many went before, and the means are exactly those of a Cholesky factor of all observations in order of time.
 * Every cell decays towards its prior. Mean and knowledge are kept as they would have been at a reference time of their block,
 * so that time passing changes none of them, and an observation adds the product of one vector with itself.
 */
export class GaussianProcess {
  readonly #blocks: readonly Block[]
  readonly #noise: number
  readonly #robust: Robust
  /** The mean of each cell at its block's reference time. */
  readonly #mean: Float64Array
  /** The learned reduction of the cells' prior covariance, at the reference times: its lower half. */
  readonly #known: Float64Array
  readonly #rows: Uint32Array
  /** The lessons of the newest observations about each cell, at the reference times, in standard deviations. The first of them are not in `#known` yet. */
  readonly #learned: readonly Float64Array[]
  #unadded = 0
  readonly #reference_hours: Float64Array
  #at_hours = Number.NaN

  /** `robust` limits what the process learns of an innovation; by default it learns everything. */
  constructor(kernel: Kernel, robust: Robust = (innovation) => innovation) {
    this.#blocks = blocksOf(kernel)
    this.#noise = kernel.noise
    this.#robust = robust
    const used = this.#blocks.reduce((sum, block) => sum + block.cells, 0)
    // The last rows that are stored together may be empty ones.
    const cells = Math.ceil(used / ROWS_TOGETHER) * ROWS_TOGETHER
    this.#mean = new Float64Array(cells)
    this.#learned = Array.from({ length: ADDED_TOGETHER }, () => new Float64Array(cells))
    this.#rows = rowStarts(cells)
    this.#known = new Float64Array(this.#rows[cells]!)
    this.#reference_hours = new Float64Array(this.#blocks.length)
  }

  /** Learns the value of an hour of the week at an instant (hours of any clock), which is later than that of each earlier call. */
  observe(at_hours: number, weekHour: number, value: number): void {
    if (Number.isNaN(this.#at_hours)) this.#reference_hours.fill(at_hours)
    this.#at_hours = at_hours
    const retained = this.#blocks.map((block, index) => this.#rescaledShare(block, index))
    const cellsOfHour = this.#blocks.map(({ start, cellOf: cellOfHour }) => start + cellOfHour[weekHour]!)
    const learned = this.#learned[this.#unadded]!
    learned.fill(0)
    let expected = 0
    cellsOfHour.forEach((cell, index) => {
      expected += retained[index]! * this.#mean[cell]!
      this.#subtractKnown(learned, cell, retained[index]!)
    })
    for (let k = 0; k < this.#unadded; k++) {
      const earlier = this.#learned[k]!
      const expectedEarlier = cellsOfHour.reduce((sum, cell, index) => sum + retained[index]! * earlier[cell]!, 0)
      for (let cell = 0; cell < learned.length; cell++) learned[cell]! -= expectedEarlier * earlier[cell]!
    }
    let variance = this.#noise
    this.#blocks.forEach(({ start, cells, prior }, index) => {
      const row = (cellsOfHour[index]! - start) * cells
      for (let cell = 0; cell < cells; cell++) learned[start + cell]! += prior[row + cell]! / retained[index]!
      variance += retained[index]! * learned[cellsOfHour[index]!]!
    })
    const deviation = Math.sqrt(variance)
    const innovation = this.#robust((value - expected) / deviation)
    for (let cell = 0; cell < learned.length; cell++) {
      learned[cell]! /= deviation
      this.#mean[cell]! += learned[cell]! * innovation
    }
    this.#unadded++
    if (this.#unadded === ADDED_TOGETHER) this.#addLearned()
  }

  state(): State {
    const mean = this.#mean.slice()
    // Without an observation there is no expectation.
    if (Number.isNaN(this.#at_hours)) return { at_hours: this.#at_hours, mean }
    this.#blocks.forEach(({ start, cells, decay_hours }, index) => {
      const retained = this.#retainedShare(decay_hours, index)
      for (let cell = start; cell < start + cells; cell++) mean[cell]! *= retained
    })
    return { at_hours: this.#at_hours, mean }
  }

  /** The expected value of an hour of the week at an instant that is not before the state's. */
  expected({ at_hours, mean }: State, later_hours: number, weekHour: number): number {
    const apart = Number.isNaN(at_hours) ? 0 : later_hours - at_hours
    let sum = 0
    for (const { start, cellOf: cellOfHour, decay_hours } of this.#blocks)
      sum += mean[start + cellOfHour[weekHour]!]! * Math.exp(-apart / decay_hours)
    return sum
  }

  /** How much of a block's values at its reference time is left at the newest observation. */
  #retainedShare(decay_hours: number, index: number): number {
    return Math.exp((this.#reference_hours[index]! - this.#at_hours) / decay_hours)
  }

  /** The same share; when little is left, the values are first scaled to now, which becomes the reference time of the block. */
  #rescaledShare({ start, cells, decay_hours }: Block, index: number): number {
    const retained = this.#retainedShare(decay_hours, index)
    if (retained > MIN_RETAINED) return retained
    this.#addLearned()
    this.#reference_hours[index] = this.#at_hours
    const end = start + cells
    for (let row = start; row < this.#mean.length; row++) {
      const ofRow = this.#rows[row]!
      if (row < end) {
        this.#mean[row]! *= retained
        for (let column = 0; column <= row; column++) this.#known[ofRow + column]! *= retained
      }
      for (let column = start; column < end && column <= row; column++) this.#known[ofRow + column]! *= retained
    }
    return 1
  }

  /** Takes what is already known of all cells with one of them from what the present observation teaches. */
  #subtractKnown(learned: Float64Array, cell: number, retained: number): void {
    const known = this.#known
    const rows = this.#rows
    const ofRow = rows[cell]!
    for (let other = 0; other < cell; other++) learned[other]! -= retained * known[ofRow + other]!
    for (let other = cell; other < learned.length; other++) learned[other]! -= retained * known[rows[other]! + cell]!
  }

  /** Adds what the newest observations teach to what is known: the product of each with itself. */
  #addLearned(): void {
    for (let k = this.#unadded; k < ADDED_TOGETHER; k++) this.#learned[k]!.fill(0)
    this.#unadded = 0
    const known = this.#known
    const [a, b, c, d] = this.#learned as [Float64Array, Float64Array, Float64Array, Float64Array]
    for (let row = 0; row < a.length; row += ROWS_TOGETHER) {
      const a0 = a[row]!
      const a1 = a[row + 1]!
      const a2 = a[row + 2]!
      const a3 = a[row + 3]!
      const b0 = b[row]!
      const b1 = b[row + 1]!
      const b2 = b[row + 2]!
      const b3 = b[row + 3]!
      const c0 = c[row]!
      const c1 = c[row + 1]!
      const c2 = c[row + 2]!
      const c3 = c[row + 3]!
      const d0 = d[row]!
      const d1 = d[row + 1]!
      const d2 = d[row + 2]!
      const d3 = d[row + 3]!
      const width = row + ROWS_TOGETHER
      let cell = this.#rows[row]!
      for (let column = 0; column < width; column++, cell++) {
        const ofA = a[column]!
        const ofB = b[column]!
        const ofC = c[column]!
        const ofD = d[column]!
        known[cell]! += a0 * ofA + b0 * ofB + c0 * ofC + d0 * ofD
        known[cell + width]! += a1 * ofA + b1 * ofB + c1 * ofC + d1 * ofD
        known[cell + 2 * width]! += a2 * ofA + b2 * ofB + c2 * ofC + d2 * ofD
        known[cell + 3 * width]! += a3 * ofA + b3 * ofB + c3 * ofC + d3 * ofD
      }
    }
  }
}
