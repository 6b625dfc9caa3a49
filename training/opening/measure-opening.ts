import { DAY_MS, HORIZON_BUCKETS, HORIZON_HOURS, HOUR_MS } from '../../config/domain.ts'
import { type StatusFields, UNKNOWN_STATUS } from '../../config/facts.ts'
import { localClock } from '../../config/time-zones/local-time.ts'
import { type LearnedHours, learnHours, type ObservedOpenHour } from '../../warehouse/publishing/waits/learned-hours.ts'
import { openProbability } from '../../warehouse/publishing/waits/open-probability.ts'

import type { OpenSeries } from './open-series.ts'

/** What is compared: what is served, and rules that need no model. */
export const OPENING_RULES = ['served', 'always_open', 'yesterday', 'last_week', 'same_hour'] as const
export type OpeningRule = (typeof OPENING_RULES)[number]

export interface OpeningScore {
  from_hours: number
  to_hours: number
  /** Forecast hours with a status, of queues that were closed at least once. */
  samples: number
  /** Share of them in which the queue was open. */
  open: number
  /** Mean squared error of the probability of being open; means over queues. */
  brier: Record<OpeningRule, number>
  /** Share in which the likelier of open and closed came true; means over queues. */
  accuracy: Record<OpeningRule, number>
  /** Share of the hours that are called closed, and open; and how many of them are so. */
  called_closed: number
  closed_when_called: number
  called_open: number
  open_when_called: number
}

const LEARNING_DAYS = 28
const EVERY_HOURS = 6
const SCORED_DAYS = 28

interface Forecast {
  ahead: number
  isOpen: boolean
  probability: Record<OpeningRule, number>
}

/** First and last issue, epoch ms; default: the last 28 days that leave a whole horizon of truths. */
interface Span {
  from_ms?: number
  to_ms?: number
}

/**
 * Scores the probability of being open over the issues of a span, every six hours, at queues that were closed at least once; each forecast
 * uses earlier hours only.
 */
export function measureOpening(series: readonly OpenSeries[], span: Span = {}): OpeningScore[] {
  const last = Math.max(...series.map(({ hours }) => hours.at(-1)?.hour ?? 0))
  const to_ms = span.to_ms ?? last - HORIZON_HOURS * HOUR_MS
  const from_ms = span.from_ms ?? to_ms - SCORED_DAYS * DAY_MS
  const queues = series
    .map((each) => forecastsOf(each, from_ms, to_ms))
    .filter((forecasts) => forecasts.some(({ isOpen }) => !isOpen))
  return HORIZON_BUCKETS.map(([from_hours, to_hours]) => {
    const ofBucket = queues
      .map((forecasts) => forecasts.filter(({ ahead }) => ahead >= from_hours && ahead < to_hours))
      .filter(({ length }) => length > 0)
    const all = ofBucket.flat()
    const meanOf = (of: (forecast: Forecast, rule: OpeningRule) => number) => (rule: OpeningRule) =>
      mean(ofBucket.map((forecasts) => mean(forecasts.map((forecast) => of(forecast, rule)))))
    const called = (isCalled: (probability: number) => boolean) =>
      all.filter((each) => isCalled(each.probability.served))
    const closed = called((probability) => probability <= 0.1)
    const open = called((probability) => probability >= 0.9)
    return {
      from_hours,
      to_hours,
      samples: all.length,
      open: mean(all.map(({ isOpen }) => (isOpen ? 1 : 0))),
      brier: byRule(meanOf(({ probability, isOpen }, rule) => (probability[rule] - (isOpen ? 1 : 0)) ** 2)),
      accuracy: byRule(meanOf(({ probability, isOpen }, rule) => (probability[rule] >= 0.5 === isOpen ? 1 : 0))),
      called_closed: closed.length / all.length,
      closed_when_called: mean(closed.map(({ isOpen }) => (isOpen ? 0 : 1))),
      called_open: open.length / all.length,
      open_when_called: mean(open.map(({ isOpen }) => (isOpen ? 1 : 0))),
    }
  })
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

const byRule = (of: (rule: OpeningRule) => number): Record<OpeningRule, number> => ({
  served: of('served'),
  always_open: of('always_open'),
  yesterday: of('yesterday'),
  last_week: of('last_week'),
  same_hour: of('same_hour'),
})

const isMostlyOpen = ({ slots, open_slots }: ObservedOpenHour) => open_slots >= slots / 2

function forecastsOf({ hours, timezone }: OpenSeries, from_ms: number, to_ms: number): Forecast[] {
  const byHour = new Map(hours.map((hour) => [hour.hour, hour]))
  const forecasts: Forecast[] = []
  for (let issued = from_ms; issued <= to_ms; issued += EVERY_HOURS * HOUR_MS) {
    const known = hours.filter(({ hour }) => hour >= issued - LEARNING_DAYS * DAY_MS && hour < issued)
    if (known.length === 0) continue
    const learned = learnHours(known, timezone)
    const last = known.at(-1)!
    const newest = issued - last.hour <= HOUR_MS ? last : null
    const frequency = frequencyByHour(known, timezone)
    for (let ahead = 0; ahead < HORIZON_HOURS; ahead++) {
      const hour = byHour.get(issued + ahead * HOUR_MS)
      if (hour) forecasts.push(forecastOf(hour, ahead, { learned, newest, frequency, byHour, timezone, issued }))
    }
  }
  return forecasts
}

interface Known {
  learned: LearnedHours | null
  newest: ObservedOpenHour | null
  frequency: (hour: number) => number
  byHour: ReadonlyMap<number, ObservedOpenHour>
  timezone: string
  issued: number
}

function forecastOf(hour: ObservedOpenHour, ahead: number, known: Known): Forecast {
  const { learned, newest, frequency, byHour, issued } = known
  const observed = newest && statusOf(newest, issued)
  const before = (days: number) => {
    for (let ago = days; ago <= LEARNING_DAYS; ago += days) {
      const start = hour.hour - ago * DAY_MS
      const found = start < issued ? byHour.get(start) : undefined
      if (found) return isMostlyOpen(found) ? 1 : 0
    }
    return 1
  }
  return {
    ahead,
    isOpen: isMostlyOpen(hour),
    probability: {
      served: openProbability(learned, observed, hour.hour, issued) ?? 1,
      always_open: 1,
      yesterday: before(1),
      last_week: before(7),
      same_hour: frequency(hour.hour),
    },
  }
}

/** The status that an hour before an issue showed, as current waits have it. */
function statusOf(hour: ObservedOpenHour, issued: number): StatusFields {
  return Object.assign({}, UNKNOWN_STATUS, {
    status: isMostlyOpen(hour) ? 'open' : 'closed',
    status_basis: 'measured' as const,
    status_age_seconds: (issued - hour.hour) / 2_000,
  })
}

/** The share of days on which the local hour was open; 1 where it was not observed. */
function frequencyByHour(known: readonly ObservedOpenHour[], timezone: string): (hour: number) => number {
  const shares = Array.from({ length: 24 }, () => ({ open: 0, days: 0 }))
  const clock = localClock(
    timezone,
    known.map(({ hour }) => hour),
  ).hour
  known.forEach((hour, k) => {
    const share = shares[clock[k]!]!
    share.open += hour.open_slots / hour.slots
    share.days += 1
  })
  return (hour) => {
    const { open, days } = shares[localClock(timezone, [hour]).hour[0]!]!
    return days === 0 ? 1 : open / days
  }
}

/** The scores as lines for people. */
export function openingLines(scores: readonly OpeningScore[]): string {
  const figures = (of: Record<OpeningRule, number>, digits: number) =>
    OPENING_RULES.map((rule) => `${rule} ${of[rule].toFixed(digits)}`).join(', ')
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`
  return scores
    .flatMap((score) => [
      `${score.from_hours} to ${score.to_hours} hours ahead: ${score.samples} hours, open ${percent(score.open)}`,
      `  Brier: ${figures(score.brier, 4)}`,
      `  accuracy: ${figures(score.accuracy, 3)}`,
      `  called closed ${percent(score.called_closed)}, of these closed ${percent(score.closed_when_called)}; called open ${percent(score.called_open)}, of these open ${percent(score.open_when_called)}`,
    ])
    .join('\n')
}
