import { DAY_MS } from '../../config/vocabulary.ts'
import type { OwnNowcast, SharedNowcast } from '../../forecasting/nowcast/coefficients.ts'
import { type Nowcast, nowcastsAt } from '../../forecasting/nowcast/nowcast.ts'
import type { NowcastSeries } from '../../forecasting/nowcast/series.ts'
import { type NowcastExample, nowcastExamples } from './examples.ts'
import { learnOwn } from './learn.ts'

/** An airport learns from the issues of this many days. */
export const OWN_DAYS = 60
/** It learns anew when its examples have grown by this share, or after a week. */
const GROWTH = 1.1
const MAX_AGE_MS = 7 * DAY_MS

/** Nowcasts of a queue at ascending instants of issue, its own part learned anew on the way from what was known then. */
export class NowcastWalk {
  series: NowcastSeries
  private readonly shared: SharedNowcast
  private examples: NowcastExample[] = []
  private examplesUntil = Number.NEGATIVE_INFINITY
  private learned = { at_ms: Number.NEGATIVE_INFINITY, samples: 0, own: null as OwnNowcast | null }

  constructor(series: NowcastSeries, shared: SharedNowcast) {
    this.series = series
    this.shared = shared
  }

  nowcastsAt(issued_ms: number, valid_ms: readonly number[]): Nowcast[] | null {
    return nowcastsAt(this.series, issued_ms, valid_ms, this.shared, this.ownAt(issued_ms))
  }

  private ownAt(issued_ms: number): OwnNowcast | null {
    const from = Math.max(this.examplesUntil, issued_ms - OWN_DAYS * DAY_MS)
    if (from < issued_ms) {
      this.examples = this.examples.filter((example) => example.issued_ms >= issued_ms - OWN_DAYS * DAY_MS)
      this.examples.push(...nowcastExamples(this.series, from, issued_ms))
      this.examplesUntil = issued_ms
    }
    const known = this.examples.reduce((count, { known_ms }) => count + (known_ms <= issued_ms ? 1 : 0), 0)
    const isDue = known > GROWTH * this.learned.samples || issued_ms - this.learned.at_ms > MAX_AGE_MS
    if (isDue && known > 0) {
      const own = learnOwn(
        this.examples.filter(({ known_ms }) => known_ms <= issued_ms),
        this.shared,
      )
      this.learned = { at_ms: issued_ms, samples: known, own }
    }
    return this.learned.own
  }
}
