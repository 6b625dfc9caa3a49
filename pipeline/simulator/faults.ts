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

const ERROR_PAGE =
  '<!doctype html><html><head><title>Error</title></head><body><h1>Something went wrong</h1><p>Please try again later.</p></body></html>'

/** The faults in force; counts are used up as answers are spoilt. */
export function createFaults(initial: Faults) {
  let faults = { ...initial }
  const concerns = (host: string) => faults.hosts === undefined || faults.hosts.includes(host)
  const takes = (name: 'status_503' | 'html_page' | 'truncated'): boolean => {
    const left = faults[name] ?? 0
    if (left > 0) faults[name] = left - 1
    return left > 0
  }
  return {
    set: (next: Faults) => {
      faults = { ...next }
    },
    /** The instant a host believes it to be. */
    clockOf: (host: string, now: number): number => {
      if (!concerns(host)) return now
      return (faults.frozen_at ?? now) + (faults.clock_off_minutes ?? 0) * 60_000
    },
    delayOf: (host: string): number => (concerns(host) ? (faults.slow_ms ?? 0) : 0),
    /** The answer as it goes out. */
    spoil: (host: string, answer: SiteAnswer): SiteAnswer => {
      if (!concerns(host)) return answer
      if (takes('status_503')) return { status: 503, type: 'text/plain; charset=utf-8', body: 'Service Unavailable' }
      if (takes('html_page')) return { status: 200, type: 'text/html; charset=utf-8', body: ERROR_PAGE }
      if (takes('truncated')) return { ...answer, body: answer.body.slice(0, Math.floor(answer.body.length / 2)) }
      return answer
    },
  }
}
