import { HORIZON_BUCKETS } from '../../config/vocabulary.ts'
import {
  type Accuracy,
  type AirportRecord,
  type BucketRecord,
  RECORD_DAYS,
} from '../../warehouse/publishing/read/accuracy.ts'
import { NO_ACCURACY } from '../warehouse/snapshot-content.ts'

/** A bucket of 200 forecast hours with an error of `mae` minutes, where the rule had `baseline`. */
function bucket(from_hours: number, mae: number, baseline: number): BucketRecord {
  const skill = 1 - mae / baseline
  return {
    from_hours,
    samples: 200,
    error_minutes: 200 * mae,
    pinball_minutes: 80 * mae,
    below: 18,
    above: 24,
    width_minutes: 1_600,
    within_5: 170,
    claimed: 200,
    confidence: 168,
    brier: 22,
    claimed_within_5: 170,
    compared: 200,
    compared_error_minutes: 200 * mae,
    compared_pinball_minutes: 80 * mae,
    baseline_error_minutes: 200 * baseline,
    baseline_pinball_minutes: 80 * baseline,
    opposed: 160,
    opposed_error_minutes: 160 * mae,
    persistence_error_minutes: 160 * (baseline + 2),
    trend_error_minutes: 160 * (baseline + 1),
    skill_mae: { skill, low: skill - 0.05, high: skill + 0.04 },
    skill_pinball: { skill, low: null, high: null },
  }
}

const RELIABILITY = [
  { tenth: 5, claimed: 100, confidence: 56, claimed_within_5: 54 },
  { tenth: 7, claimed: 300, confidence: 228, claimed_within_5: 231 },
  { tenth: 9, claimed: 400, confidence: 380, claimed_within_5: 383 },
]

const buckets = (mae: number, baseline: number) =>
  HORIZON_BUCKETS.map(([from], k) => bucket(from, mae + k / 10, baseline))

const record = (over: Partial<AirportRecord>): AirportRecord => ({
  kind: 'security',
  iata: 'JFK',
  direction: null,
  basis: 'predicted',
  days: 30,
  buckets: buckets(3, 4),
  reliability: RELIABILITY,
  ...over,
})

/** A record of JFK, which is better than the rule, of LGA, which is worse and drifts, and of XSM on the prior; GRU has a backtest alone. */
export const ACCURACY: Accuracy = {
  ...NO_ACCURACY,
  recorded_since: '2026-11-01T00:00:00Z',
  until: '2026-11-21T14:20:00Z',
  records: RECORD_DAYS.flatMap((days) => [
    record({ days }),
    record({ days, iata: 'LGA', buckets: buckets(5, 4) }),
    record({
      days,
      iata: 'XSM',
      basis: 'typical',
      buckets: buckets(6, 7).map((bucket) => ({ ...bucket, compared: 0, skill_mae: null, skill_pinball: null })),
    }),
    record({ days, kind: 'immigration', direction: 'entry', buckets: buckets(8, 9) }),
  ]),
  backtests: ['JFK', 'GRU'].map((iata) => ({
    iata,
    model: `model:${iata}@2026-11-20T04Z`,
    evaluated_from: '2026-10-23T04:00:00Z',
    evaluated_to: '2026-11-19T22:00:00Z',
    buckets: buckets(2.8, 3.5),
    reliability: RELIABILITY,
  })),
  overall: [null, ...RECORD_DAYS].flatMap((days) =>
    HORIZON_BUCKETS.map(([from_hours], k) => ({
      days,
      from_hours,
      airports: 2,
      skill_mae: { skill: 0.1 - k / 100, low: k === 3 ? -0.02 : 0.04, high: 0.14 },
      skill_pinball: { skill: 0.11, low: 0.05, high: 0.15 },
    })),
  ),
  misses: [
    {
      iata: 'JFK',
      hour: '2026-11-18T21:00:00Z',
      issued_at: '2026-11-18T20:00:07Z',
      model: 'model:JFK@2026-11-18T04Z',
      p10: 5,
      p50: 9.4,
      p90: 16,
      wait_minutes: 48.2,
      samples: 11,
      program: 'ground stop: <b>thunderstorms</b>',
      closed_share: 0.25,
      same_side_share: 0.9,
    },
    {
      iata: 'LGA',
      hour: '2026-11-17T21:00:00Z',
      issued_at: '2026-11-17T20:00:07Z',
      model: 'model:LGA@2026-11-17T04Z',
      p10: 5,
      p50: 9.4,
      p90: 16,
      wait_minutes: 41,
      samples: 1,
      program: null,
      closed_share: null,
      same_side_share: 0.4,
    },
  ],
  drifting: [
    {
      iata: 'LGA',
      state: 'on_rule',
      since: '2026-11-19T08:00:00Z',
      reason: 'The model has lately been worse than tested, so the simple rule is used until that is over.',
    },
  ],
}
