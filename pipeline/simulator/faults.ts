import { HOUR_MS } from '../../config/domain.ts'
import { chance, keyOf } from './model/noise.ts'
import type { SiteAnswer } from './sites/site.ts'

/** Troubles of the simulated internet, switched on for tests and demonstrations. Counts are of answers still to be spoilt. */
export interface Faults {
  /** Hosts concerned; all when left out. robots.txt is never spoilt. */
  hosts?: string[]
  /** Answers with 503. */
  status_503?: number
  /** An HTML error page with status 200. */
  html_page?: number
  /** A body that breaks off in the middle, though it claims to be whole. */
  truncated?: number
  /** The feed shows this instant for ever (epoch milliseconds). */
  frozen_at?: number
  /** The site's clock is this many minutes ahead (negative: behind). */
  clock_off_minutes?: number
  /** The second half of every body comes this many milliseconds late. */
  slow_ms?: number
}

/** Troubles by chance, as live operation meets them: shares of answers that are spoilt; of hours, for `stale`. */
export interface Mishaps {
  status_503: number
  html_page: number
  truncated: number
  slow: number
  /** The site answers 200 all hour with what it said at the hour's beginning. */
  stale: number
  /** Milliseconds that a slow body is late by. */
  slow_ms: number
}

/** Worse than most days of most sites, so that a day shows them all. */
export const ORDINARY_MISHAPS: Mishaps = {
  status_503: 0.03,
  html_page: 0.01,
  truncated: 0.01,
  slow: 0.02,
  stale: 0.03,
  slow_ms: 1_500,
}

const ERROR_PAGE =
  '<!doctype html><html><head><title>Error</title></head><body><h1>Something went wrong</h1><p>Please try again later.</p></body></html>'

/** The faults in force; counts are used up as answers are spoilt. What comes by chance is a function of seed, host and turn. */
export function createFaults(initial: Faults, byChance: { seed: number; mishaps: Mishaps } | null = null) {
  let faults = { ...initial }
  const answered = new Map<string, number>()
  const concerns = (host: string) => faults.hosts === undefined || faults.hosts.includes(host)
  const takes = (name: Spoilt): boolean => {
    const left = faults[name] ?? 0
    if (left > 0) faults[name] = left - 1
    return left > 0
  }
  const happens = (host: string, mishap: keyof Mishaps, step: number): boolean =>
    byChance !== null && chance(keyOf(`${byChance.seed} ${host} ${mishap}`), step) < byChance.mishaps[mishap]

  /** What becomes of a host's next answer: one trouble at most. */
  function fate(host: string): Spoilt | 'slow' | 'whole' {
    const turn = answered.get(host) ?? 0
    answered.set(host, turn + 1)
    const told = concerns(host) ? SPOILT.find(takes) : undefined
    return told ?? [...SPOILT, 'slow' as const].find((mishap) => happens(host, mishap, turn)) ?? 'whole'
  }
  return {
    set: (next: Faults) => {
      faults = { ...next }
    },
    /** The instant a host believes it to be. */
    clockOf: (host: string, now: number): number => {
      const hour = Math.floor(now / HOUR_MS)
      const clock = happens(host, 'stale', hour) ? hour * HOUR_MS : now
      if (!concerns(host)) return clock
      return (faults.frozen_at ?? clock) + (faults.clock_off_minutes ?? 0) * 60_000
    },
    /** The answer as it goes out, how many milliseconds its second half is late, and whether it is what the site said. */
    spoil: (host: string, answer: SiteAnswer): { answer: SiteAnswer; late_ms: number; whole: boolean } => {
      const became = fate(host)
      const late_ms = (concerns(host) ? (faults.slow_ms ?? 0) : 0) + (became === 'slow' ? byChance!.mishaps.slow_ms : 0)
      if (became === 'whole' || became === 'slow') return { answer, late_ms, whole: true }
      return { answer: spoilt(answer, became), late_ms, whole: false }
    },
  }
}

const SPOILT = ['status_503', 'html_page', 'truncated'] as const
type Spoilt = (typeof SPOILT)[number]

function spoilt(answer: SiteAnswer, how: Spoilt): SiteAnswer {
  if (how === 'status_503') return { status: 503, type: 'text/plain; charset=utf-8', body: 'Service Unavailable' }
  if (how === 'html_page') return { status: 200, type: 'text/html; charset=utf-8', body: ERROR_PAGE }
  return { ...answer, body: answer.body.slice(0, Math.floor(answer.body.length / 2)) }
}
