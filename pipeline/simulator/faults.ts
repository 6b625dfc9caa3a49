import { HOUR_MS } from '../../config/vocabulary.ts'
import { hashOf, uniform } from './model/noise.ts'
import type { SiteAnswer } from './sites/site.ts'

/** Faults of the simulated sites, switched on for tests and demonstrations. Counts are numbers of answers still to be damaged. */
export interface Faults {
  /** Hosts concerned; all hosts by default. A robots.txt is never damaged. */
  hosts?: string[]
  status_503?: number
  /** HTML error pages with status 200. */
  html_page?: number
  /** Bodies that end in the middle, with a matching Content-Length. */
  truncated?: number
  /** The feed always shows this instant (epoch milliseconds). */
  frozen_at?: number
  /** The site's clock is this many minutes ahead (negative: behind). */
  clock_off_minutes?: number
  /** The second half of every body arrives this many milliseconds late. */
  slow_ms?: number
}

/** Random faults, as in live operation: shares of answers that are damaged (of hours, for `stale`). */
export interface RandomFaults {
  status_503: number
  html_page: number
  truncated: number
  slow: number
  /** For an hour the site answers 200 with the content of the beginning of the hour. */
  stale: number
  /** Milliseconds by which a slow body is late. */
  slow_ms: number
}

/** More than on most days of most sites, so that one day has every kind of fault. */
export const USUAL_RANDOM_FAULTS: RandomFaults = {
  status_503: 0.03,
  html_page: 0.01,
  truncated: 0.01,
  slow: 0.02,
  stale: 0.03,
  slow_ms: 1_500,
}

/** An answer as it is sent. */
export interface FaultyAnswer {
  answer: SiteAnswer
  /** How late the second half of the body is, in milliseconds. */
  late_ms: number
  /** Whether the answer is undamaged. */
  whole: boolean
}

const ERROR_PAGE =
  '<!doctype html><html><head><title>Error</title></head><body><h1>Something went wrong</h1><p>Please try again later.</p></body></html>'

const DAMAGES = ['status_503', 'html_page', 'truncated'] as const
type Damage = (typeof DAMAGES)[number]

/**
 * Creates the faults in force. Counted faults are used up as answers are damaged; a random fault depends only on the seed, the host
 * and the number of answers of the host so far.
 */
export function createFaults(initial: Faults, random: { seed: number; faults: RandomFaults } | null = null) {
  let faults = { ...initial }
  const answerCounts = new Map<string, number>()
  const concerns = (host: string) => faults.hosts === undefined || faults.hosts.includes(host)
  const useUp = (damage: Damage): boolean => {
    const left = faults[damage] ?? 0
    if (left > 0) faults[damage] = left - 1
    return left > 0
  }
  const happens = (host: string, fault: keyof RandomFaults, step: number): boolean =>
    random !== null && uniform(hashOf(`${random.seed} ${host} ${fault}`), step) < random.faults[fault]

  /** The fault of a host's next answer: one at most. */
  function nextFault(host: string): Damage | 'slow' | 'none' {
    const count = answerCounts.get(host) ?? 0
    answerCounts.set(host, count + 1)
    const counted = concerns(host) ? DAMAGES.find(useUp) : undefined
    return counted ?? [...DAMAGES, 'slow' as const].find((fault) => happens(host, fault, count)) ?? 'none'
  }
  return {
    set: (next: Faults) => {
      faults = { ...next }
    },
    /** The instant that the clock of a host shows. */
    clockOf: (host: string, now: number): number => {
      const hour = Math.floor(now / HOUR_MS)
      const clock = happens(host, 'stale', hour) ? hour * HOUR_MS : now
      if (!concerns(host)) return clock
      return (faults.frozen_at ?? clock) + (faults.clock_off_minutes ?? 0) * 60_000
    },
    /** The answer with the fault of this turn. */
    apply: (host: string, answer: SiteAnswer): FaultyAnswer => {
      const fault = nextFault(host)
      const slow_ms = fault === 'slow' ? random!.faults.slow_ms : 0
      const late_ms = (concerns(host) ? (faults.slow_ms ?? 0) : 0) + slow_ms
      if (fault === 'none' || fault === 'slow') return { answer, late_ms, whole: true }
      return { answer: damaged(answer, fault), late_ms, whole: false }
    },
  }
}

function damaged(answer: SiteAnswer, damage: Damage): SiteAnswer {
  if (damage === 'status_503') return { status: 503, type: 'text/plain; charset=utf-8', body: 'Service Unavailable' }
  if (damage === 'html_page') return { status: 200, type: 'text/html; charset=utf-8', body: ERROR_PAGE }
  return { ...answer, body: answer.body.slice(0, Math.floor(answer.body.length / 2)) }
}
