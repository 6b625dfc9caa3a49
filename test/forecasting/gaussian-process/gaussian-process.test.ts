import { expect, test } from 'vitest'
import { covariance, GaussianProcess, type Kernel } from '../../../forecasting/gaussian-process/gaussian-process.ts'
import { WAIT_KERNEL } from '../../../forecasting/gaussian-process/log-waits.ts'
import { solvePositiveDefinite } from '../../../forecasting/statistics/linear-system.ts'
import { seededRandom } from '../../../forecasting/statistics/statistics.ts'

interface Value {
  at_hours: number
  weekHour: number
  value: number
}

/** Values at irregular hours of some weeks. */
function values(count: number, seed: number): Value[] {
  const random = seededRandom(seed)
  let at_hours = 1_000
  return Array.from({ length: count }, () => {
    at_hours += 1 + Math.floor(9 * random() ** 2)
    return { at_hours, weekHour: at_hours % 168, value: Math.sin(at_hours / 4) + 2 * random() - 1 }
  })
}

const TARGETS = [0, 1, 5, 30, 167, 1_000]

function covariances(kernel: Kernel, past: readonly Value[]): Float64Array {
  const matrix = new Float64Array(past.length ** 2)
  for (const [row, a] of past.entries())
    for (const [column, b] of past.entries())
      matrix[row * past.length + column] =
        covariance(kernel, a.weekHour, b.weekHour, Math.abs(a.at_hours - b.at_hours)) +
        (row === column ? kernel.noise : 0)
  return matrix
}

/** The means of later hours by the textbook: k*ᵀ (K + noise)⁻¹ z. */
function denseMeans(kernel: Kernel, past: readonly Value[], later: readonly number[]): number[] {
  const weights = solvePositiveDefinite(
    covariances(kernel, past),
    Float64Array.from(past, ({ value }) => value),
  )
  return later.map((hour) =>
    past.reduce(
      (sum, { at_hours, weekHour }, k) => sum + weights[k]! * covariance(kernel, hour % 168, weekHour, hour - at_hours),
      0,
    ),
  )
}

/** The same from a Cholesky factor in order of time, whose innovations are bounded: k*ᵀ L⁻ᵀ b. */
function boundedMeans(kernel: Kernel, past: readonly Value[], later: readonly number[], bound: number): number[] {
  const count = past.length
  const factor = covariances(kernel, past)
  for (let k = 0; k < count; k++)
    for (let row = k; row < count; row++) {
      let sum = factor[row * count + k]!
      for (let j = 0; j < k; j++) sum -= factor[row * count + j]! * factor[k * count + j]!
      factor[row * count + k] = row === k ? Math.sqrt(sum) : sum / factor[k * count + k]!
    }
  const solved = (right: readonly number[], limit = Number.POSITIVE_INFINITY) => {
    const solution: number[] = []
    for (let row = 0; row < count; row++) {
      let sum = right[row]!
      for (let k = 0; k < row; k++) sum -= factor[row * count + k]! * solution[k]!
      solution.push(Math.max(-limit, Math.min(limit, sum / factor[row * count + row]!)))
    }
    return solution
  }
  const innovations = solved(
    past.map(({ value }) => value),
    bound,
  )
  return later.map((hour) =>
    solved(past.map(({ at_hours, weekHour }) => covariance(kernel, hour % 168, weekHour, hour - at_hours))).reduce(
      (sum, weight, k) => sum + weight * innovations[k]!,
      0,
    ),
  )
}

function means(process: GaussianProcess, past: readonly Value[], later: readonly number[]): number[] {
  for (const { at_hours, weekHour, value } of past) process.observe(at_hours, weekHour, value)
  const state = process.state()
  return later.map((hour) => process.expected(state, hour, hour % 168))
}

const laterThan = (past: readonly Value[]) => TARGETS.map((hours) => past.at(-1)!.at_hours + hours)

test.each([1, 2, 20, 150])('equals a dense solve of %i observations', (count) => {
  const past = values(count, count)
  const later = laterThan(past)
  const dense = denseMeans(WAIT_KERNEL, past, later)
  for (const [k, mean] of means(new GaussianProcess(WAIT_KERNEL), past, later).entries())
    expect(mean).toBeCloseTo(dense[k]!, 8)
})

test('equals a Cholesky factor in order of time whose innovations are bounded', () => {
  const past = values(120, 7)
  const later = laterThan(past)
  const bounded = new GaussianProcess(WAIT_KERNEL, (innovation) => Math.max(-0.6, Math.min(0.6, innovation)))
  const expected = boundedMeans(WAIT_KERNEL, past, later, 0.6)
  for (const [k, mean] of means(bounded, past, later).entries()) expect(mean).toBeCloseTo(expected[k]!, 8)
  expect(expected[0]).not.toBeCloseTo(denseMeans(WAIT_KERNEL, past, later)[0]!, 2)
})

test('components of one decay are one process', () => {
  const kernel: Kernel = {
    components: [
      { variance: 0.5, clock_hours: 1, days: 'weekday', decay_hours: 300 },
      { variance: 0.3, clock_hours: 2, days: 'kind', decay_hours: 300 },
      { variance: 0.2, days: 'all', decay_hours: 300 },
      { variance: 0.4, days: 'all', decay_hours: 5 },
    ],
    noise: 0.3,
  }
  const past = values(80, 3)
  const later = laterThan(past)
  const dense = denseMeans(kernel, past, later)
  for (const [k, mean] of means(new GaussianProcess(kernel), past, later).entries())
    expect(mean).toBeCloseTo(dense[k]!, 8)
})

test('a state does not change when the process learns more', () => {
  const past = values(40, 5)
  const process = new GaussianProcess(WAIT_KERNEL)
  const [before] = means(process, past.slice(0, 20), [past[30]!.at_hours])
  const state = process.state()
  for (const { at_hours, weekHour, value } of past.slice(20, 30)) process.observe(at_hours, weekHour, value)
  expect(process.expected(state, past[30]!.at_hours, past[30]!.at_hours % 168)).toBe(before)
})

test('stays exact after many hours', () => {
  const process = new GaussianProcess(WAIT_KERNEL)
  for (let hour = 0; hour < 2_016; hour++) process.observe(hour, hour % 168, hour % 24 < 6 ? -1 : 0.5)
  const state = process.state()
  expect(process.expected(state, 2_016, 2_016 % 168)).toBeCloseTo(-1, 1)
  expect(process.expected(state, 2_028, 2_028 % 168)).toBeCloseTo(0.5, 1)
})
