import { readFileSync } from 'node:fs'
import { projectFile } from '../../config/paths.ts'
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

const CONTENT: Pick<Accuracy, 'misses' | 'drifting'> & Pick<AirportRecord, 'reliability'> = JSON.parse(
  readFileSync(projectFile('test/api/accuracy-content.json'), 'utf8'),
)
const RELIABILITY = CONTENT.reliability

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
  misses: CONTENT.misses,
  drifting: CONTENT.drifting,
}
