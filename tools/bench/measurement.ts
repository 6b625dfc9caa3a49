/** A measured figure and its target; a figure without a target is reported for information. */
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

/** Runs some work; returns its result and its duration in seconds. */
export async function timed<T>(work: () => T | Promise<T>): Promise<{ result: T; seconds: number }> {
  const start = performance.now()
  const result = await work()
  return { result, seconds: (performance.now() - start) / 1_000 }
}
