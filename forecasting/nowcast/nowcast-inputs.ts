import { DAY_MS, MINUTE_MS } from '../../config/vocabulary.ts'
import { lowerBound } from '../statistics/statistics.ts'
import { MEDIAN_INPUTS, NOWCAST_LEADS, WIDTH_INPUTS } from './coefficients.ts'
import type { NowcastSeries } from './series.ts'
import { type Level, levelAt, meanAround, type UsualWaits, usualWaitsAt } from './usual-waits.ts'

/** Scans whose gaps give how often a feed is read. */
const CADENCE_SCANS = 40
/** A single scan says nothing of how often a feed is read. */
const UNKNOWN_CADENCE_MINUTES = 15
/** A feed that is read at least this often is dense, one that is read at most this often is sparse. */
const DENSE_MINUTES = 15
const SPARSE_MINUTES = 120
/** The coefficients were learned with waits up to this age; an older one counts as if the instant were further ahead. */
export const FITTED_AGE_MINUTES = 30
/** The recent spread is that of the scans of this time. */
const RECENT_MS = 80 * MINUTE_MS

/** The newest scans of a queue at an instant of issue. */
export interface Recent {
  issued_ms: number
  observed_ms: number
  last: number
  /** Means over the minutes up to the issue: 10, 20, 40; from 80 to 20 before; from 150 to 40 before. */
  means: [number, number, number, number, number]
  /** Standard deviation of the waits of the last 80 minutes. */
  spread: number
  cadence_minutes: number
  level: Level
  /** The usual waits at the time of the newest scan. */
  usual: UsualWaits
  /** Deviation of the hour around this time yesterday from its usual wait, minutes; NaN if it is not known. */
  yesterday: number
}

/** The knowledge about a queue at an instant of issue; null when it was never observed before. */
export function recentAt(series: NowcastSeries, issued_ms: number): Recent | null {
  const { scans } = series
  let newest = lowerBound(scans.observed_ms, issued_ms + 1) - 1
  while (newest >= 0 && scans.available_ms[newest]! > issued_ms) newest--
  if (newest < 0) return null
  const last = scans.minutes[newest]!
  const observed_ms = scans.observed_ms[newest]!
  const mean = (from: number, to: number, otherwise: number) => {
    const { average } = meanBetween(series, issued_ms - from * MINUTE_MS, issued_ms - to * MINUTE_MS, issued_ms)
    return Number.isNaN(average) ? otherwise : average
  }
  const m10 = mean(10, 0, last)
  const m20 = mean(20, 0, last)
  const m40 = mean(40, 0, m20)
  const m80 = mean(80, 20, m40)
  const m150 = mean(150, 40, m80)
  const usual = usualWaitsAt(series, issued_ms, observed_ms)
  const cadence_minutes = cadenceAt(series, newest, issued_ms)
  return {
    issued_ms,
    observed_ms,
    last,
    means: [m10, m20, m40, m80, m150],
    spread: meanBetween(series, issued_ms - RECENT_MS, issued_ms, issued_ms).deviation,
    cadence_minutes,
    level: levelAt(series, issued_ms),
    usual,
    yesterday:
      meanAround(series, issued_ms - DAY_MS, 20 * MINUTE_MS + halfCadence(cadence_minutes), issued_ms) - usual.p50,
  }
}

const halfCadence = (cadence_minutes: number) => Math.max(1.5, cadence_minutes / 2) * MINUTE_MS

/** Mean and standard deviation of the scans after `from` up to `to`; NaN and 0 without one. */
function meanBetween({ scans }: NowcastSeries, from: number, to: number, issued_ms: number) {
  let sum = 0
  let squares = 0
  let count = 0
  for (let k = lowerBound(scans.observed_ms, from + 1); k < scans.observed_ms.length; k++) {
    if (scans.observed_ms[k]! > to) break
    if (scans.available_ms[k]! > issued_ms) continue
    sum += scans.minutes[k]!
    squares += scans.minutes[k]! ** 2
    count += 1
  }
  const average = sum / count
  return { average, deviation: count < 2 ? 0 : Math.sqrt(Math.max(0, squares / count - average ** 2)) }
}

/** Median minutes between the last scans. */
function cadenceAt({ scans }: NowcastSeries, newest: number, issued_ms: number): number {
  const gaps: number[] = []
  for (let k = newest; k > Math.max(0, newest - CADENCE_SCANS); k--)
    if (scans.available_ms[k]! <= issued_ms) gaps.push((scans.observed_ms[k]! - scans.observed_ms[k - 1]!) / MINUTE_MS)
  if (gaps.length === 0) return UNKNOWN_CADENCE_MINUTES
  return gaps.sort((a, b) => a - b)[gaps.length >> 1]!
}

/** 0 for a feed that is read every few minutes, 1 for one that is read every two hours or less often. */
export function sparsityOf(cadence_minutes: number): number {
  const share = Math.log(cadence_minutes / DENSE_MINUTES) / Math.log(SPARSE_MINUTES / DENSE_MINUTES)
  return Math.min(1, Math.max(0, share))
}

/** The inputs of a nowcast of one instant. Differences of minutes are in units of `scale`. */
export interface NowcastInputs {
  /** The usual wait at the instant, minutes. */
  centre: number
  scale: number
  /** Ordered like MEDIAN_INPUTS and WIDTH_INPUTS. */
  median: Float64Array
  width: Float64Array
}

const clipped = (value: number, limit = 25) => (Number.isNaN(value) ? 0 : Math.min(limit, Math.max(-limit, value)))

/** The inputs for an instant after the issue. */
export function nowcastInputs(series: NowcastSeries, recent: Recent, valid_ms: number): NowcastInputs {
  const { issued_ms, observed_ms, last, means, level, usual: now } = recent
  const { scale, slots } = level
  const then = usualWaitsAt(series, issued_ms, valid_ms)
  const half = halfCadence(recent.cadence_minutes) + 5 * MINUTE_MS
  const centre = then.p50
  // How little is known of the airport: 1 at the start, one half after ten hours of slots.
  const unknown = 1 / (1 + slots / 60)
  const spreads = (then.p90 - then.p10 + scale / 2) / (now.p90 - now.p10 + scale / 2)
  const ratio = Math.sqrt(Math.min(4, Math.max(0.2, spreads)))
  const deviation = clipped((last - now.p50) / scale)
  const scaled = deviation * ratio
  const change = clipped((centre - now.p50) / scale)
  const past = (days: number) => (meanAround(series, valid_ms - days * DAY_MS, half, issued_ms) - centre) / scale
  const moved = (mean: number) => clipped(((mean - last) / scale) * ratio)
  const other = (kernel: number) => clipped((then.medians[kernel]! - centre) / scale)
  const [m10, m20, m40, m80, m150] = means
  // The age of the newest wait in units of the shortest lead.
  const age = Math.min((issued_ms - observed_ms) / MINUTE_MS, FITTED_AGE_MINUTES) / NOWCAST_LEADS[0]
  const median: Record<(typeof MEDIAN_INPUTS)[number], number> = {
    deviation_scaled: clipped(scaled),
    deviation,
    deviation_unknown: deviation * unknown,
    last_10: clipped((m10 - last) / scale),
    last_20: moved(m20),
    last_40: moved(m40),
    last_80: moved(m80),
    last_150: moved(m150),
    deviation_size: clipped(Math.abs(scaled)),
    change,
    change_unknown: change * unknown,
    yesterday: clipped(past(1), 6),
    last_week: clipped(past(7), 6),
    yesterday_now: clipped(recent.yesterday / scale, 6),
    narrow: other(0),
    short_memory: other(4),
    wide: other(2),
    widest: other(3),
    constant: 1,
    typical_change: clipped((then.typical.p50 - now.typical.p50) / scale, 4) * unknown,
    deviation_age: clipped(scaled * age),
    change_age: clipped(change * age),
  }
  const width: Record<(typeof WIDTH_INPUTS)[number], number> = {
    constant: 1,
    usual_below: clipped((centre - then.p10) / scale),
    usual_above: clipped((then.p90 - centre) / scale),
    deviation_size: clipped(Math.abs(scaled)),
    recent_spread: clipped(recent.spread / scale),
    level: clipped(last / scale),
    unknown,
  }
  return {
    centre,
    scale,
    median: Float64Array.from(MEDIAN_INPUTS, (name) => median[name]),
    width: Float64Array.from(WIDTH_INPUTS, (name) => width[name]),
  }
}
