const ORIGIN = performance.timeOrigin

/** Milliseconds on a clock that nobody sets and that never goes back. It begins at the time of day and then only counts. */
export const steadyNow = (): number => ORIGIN + performance.now()

/**
 * A clock for waits and limits. The clock of the machine is replaced by one that nobody sets; another one, as of a test,
 * stands still while it is behind its last value, so that a wait never lasts longer than it should.
 */
export function steadyClock(now: () => number): () => number {
  if (now === Date.now) return steadyNow
  let last = Number.NEGATIVE_INFINITY
  let behind = 0
  return () => {
    const reported = now() + behind
    if (reported < last) behind += last - reported
    last = Math.max(last, reported)
    return last
  }
}

/** The clocks of the machines of an installation may differ by this much. */
export const MAX_CLOCK_SKEW_MS = 60_000

/**
 * Stored instants that count towards a limit at `now`: those from a clock that was ahead are left out, and within the
 * usual difference of clocks they count as now, so that no wait is longer than the window of the limit.
 */
export const pastInstants = (instants: readonly number[], now: number): number[] =>
  instants.filter((instant) => instant <= now + MAX_CLOCK_SKEW_MS).map((instant) => Math.min(instant, now))
