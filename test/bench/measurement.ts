/** A figure and what it must reach; a figure without a target is told for information. */
export interface Measurement {
  name: string
  value: number
  unit: string
  target: { at_least: number } | { at_most: number } | null
}

/** Whether a figure reaches its target. */
export function reached({ value, target }: Measurement): boolean {
  if (target === null) return true
  return 'at_least' in target ? value >= target.at_least : value <= target.at_most
}

/** The middle one of some values, so that one disturbed round does not decide. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** Runs some work and tells its result and how many seconds it took. */
export async function timed<T>(work: () => T | Promise<T>): Promise<{ result: T; seconds: number }> {
  const from = performance.now()
  const result = await work()
  return { result, seconds: (performance.now() - from) / 1_000 }
}
