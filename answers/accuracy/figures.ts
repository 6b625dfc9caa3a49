import { z } from 'zod'
import { fraction, statistic } from '../../config/answer-schemas.ts'
import { HORIZON_BUCKETS } from '../../config/vocabulary.ts'
import type { Skill as SkillFigures } from '../../forecasting/skill/skill.ts'
import {
  type BucketRecord,
  type QueueRecord,
  type ReliabilitySums,
  type ScoreSums,
  SUM_NAMES,
} from '../../warehouse/publishing/read/accuracy.ts'

/** The record of forecasts in the form that REST, MCP and the page share. */

const count = z.int().min(0)

/** The buckets of hours ahead as people count them: the hour of the issue is the first. */
export const HORIZON_NAMES: Record<number, string> = Object.fromEntries(
  HORIZON_BUCKETS.map(([from, to]) => [from, to - from === 1 ? `${to} h` : `${from + 1}–${to} h`]),
)

/** The name of a bucket. */
export const horizon = z.string().describe('Hours ahead; `1 h` is the hour in which the forecast was issued.')

const VERDICTS = ['better', 'worse', 'undecided'] as const

export const Skill = z
  .strictObject({
    skill: statistic.describe('1 − loss ÷ loss of the baseline on the same hours; positive is better.'),
    low: statistic.nullable().describe('Lower end of its 95 % interval; null with fewer than five days.'),
    high: statistic.nullable().describe('Upper end.'),
    verdict: z
      .enum(VERDICTS)
      .describe('better or worse than the baseline when the whole interval is on one side of zero; else undecided.'),
  })
  .meta({
    id: 'ForecastSkill',
    description:
      'Skill against the trailing 28-day median of the same local hour, as it was known when the forecast was issued. The interval is a bootstrap over whole days.',
  })

export const ForecastFigures = z
  .strictObject({
    samples: count.describe('Forecast hours that were observed; an hour counts once for each vintage.'),
    mae_minutes: statistic.describe('Mean absolute error of the median.'),
    pinball_minutes: statistic.describe('Mean pinball loss over the quantiles 0.1, 0.5 and 0.9.'),
    coverage_80: fraction.describe('Fraction of hours inside `low` to `high`; 0.8 is right.'),
    below: fraction.describe('Fraction of hours below `low`; 0.1 is right.'),
    above: fraction.describe('Fraction of hours above `high`; 0.1 is right.'),
    width_minutes: statistic.describe('Mean width of the interval.'),
    within_5: fraction.describe('Fraction of hours within 5 minutes of the median.'),
    confidence: fraction.nullable().describe('Mean claimed probability of that; null where none was claimed.'),
    brier: statistic.nullable().describe('Brier score of `confidence`: 0 is perfect.'),
    brier_constant: statistic
      .nullable()
      .describe('Brier score of always claiming the rate that came true: the score to stay below.'),
    baseline_mae_minutes: statistic.nullable().describe('The baseline on the same hours; null where none is known.'),
    baseline_pinball_minutes: statistic
      .nullable()
      .describe('The pinball loss of the baseline; null where none is known.'),
    compared: count.describe('Samples for which the baseline is known; the skill is of these.'),
    skill_mae: Skill.nullable(),
    skill_pinball: Skill.nullable(),
    opposed: count.describe(
      'Samples for which two rules from elsewhere were known at the issue; the next three figures are of these.',
    ),
    opposed_mae_minutes: statistic.nullable().describe('Mean absolute error of the median on these hours.'),
    persistence_mae_minutes: statistic
      .nullable()
      .describe('Of persistence on the same hours: the newest hourly mean known at the issue.'),
    trend_mae_minutes: statistic
      .nullable()
      .describe(
        'Of the trend rule of an open project of this field on the same hours: the mean of the hour of the week in 21 days, and up to 150 minutes ahead the newest hourly mean with the slope of the last three hours, weighted by 1 − lead ÷ 150.',
      ),
  })
  .meta({ id: 'ForecastFigures', description: 'How forecasts did on hours that came true.' })
export type ForecastFigures = z.infer<typeof ForecastFigures>

export const Reliability = z
  .strictObject({
    confidence: fraction.describe('Mean claimed probability in this tenth.'),
    observed: fraction.describe('Fraction that came true: hours within 5 minutes of the median.'),
    samples: count.describe('Forecast hours that claimed it: the histogram of what was issued.'),
  })
  .meta({ id: 'ForecastReliability' })

/** The verdict of a skill. */
function verdictOf({ low, high }: Pick<SkillFigures, 'low' | 'high'>): (typeof VERDICTS)[number] {
  if (low !== null && low > 0) return 'better'
  return high !== null && high < 0 ? 'worse' : 'undecided'
}

export const skillOf = (skill: SkillFigures | null) => (skill ? { ...skill, verdict: verdictOf(skill) } : null)

/** The figures of a bucket; null without a sample. */
export function figuresOf(bucket: BucketRecord | undefined): ForecastFigures | null {
  if (!bucket || bucket.samples === 0) return null
  const { samples, claimed, compared, opposed } = bucket
  const rate = bucket.claimed_within_5 / claimed
  const perOpposed = (sum: number) => (opposed === 0 ? null : sum / opposed)
  const perCompared = (sum: number) => (compared === 0 ? null : sum / compared)
  return {
    samples,
    mae_minutes: bucket.error_minutes / samples,
    pinball_minutes: bucket.pinball_minutes / samples,
    coverage_80: 1 - (bucket.below + bucket.above) / samples,
    below: bucket.below / samples,
    above: bucket.above / samples,
    width_minutes: bucket.width_minutes / samples,
    within_5: bucket.within_5 / samples,
    confidence: claimed === 0 ? null : bucket.confidence / claimed,
    brier: claimed === 0 ? null : bucket.brier / claimed,
    brier_constant: claimed === 0 ? null : rate * (1 - rate),
    baseline_mae_minutes: perCompared(bucket.baseline_error_minutes),
    baseline_pinball_minutes: perCompared(bucket.baseline_pinball_minutes),
    compared,
    skill_mae: skillOf(bucket.skill_mae),
    skill_pinball: skillOf(bucket.skill_pinball),
    opposed,
    opposed_mae_minutes: perOpposed(bucket.opposed_error_minutes),
    persistence_mae_minutes: perOpposed(bucket.persistence_error_minutes),
    trend_mae_minutes: perOpposed(bucket.trend_error_minutes),
  }
}

export const reliabilityOf = (bins: readonly ReliabilitySums[]) =>
  bins.map(({ claimed, confidence, claimed_within_5 }) => ({
    confidence: confidence / claimed,
    observed: claimed_within_5 / claimed,
    samples: claimed,
  }))

/** Expected calibration error: the mean distance of claimed and observed probability; null without a claim. */
export function calibrationError(bins: readonly ReliabilitySums[]): number | null {
  const claimed = bins.reduce((sum, bin) => sum + bin.claimed, 0)
  if (claimed === 0) return null
  return bins.reduce((sum, bin) => sum + Math.abs(bin.confidence - bin.claimed_within_5), 0) / claimed
}

/** Several records as one: every forecast hour counts alike. The skill of all together is found elsewhere. */
export function addedUp(records: readonly QueueRecord[]): QueueRecord {
  const buckets = HORIZON_BUCKETS.map(([from_hours]) => {
    const all = records.flatMap((record) => record.buckets.filter((bucket) => bucket.from_hours === from_hours))
    const sums = Object.fromEntries(
      SUM_NAMES.map((name) => [name, all.reduce((sum, bucket) => sum + bucket[name], 0)]),
    ) as unknown as ScoreSums
    return { from_hours, ...sums, skill_mae: null, skill_pinball: null }
  })
  const reliability = Array.from({ length: 10 }, (_, tenth) => {
    const all = records.flatMap((record) => record.reliability.filter((bin) => bin.tenth === tenth))
    const sum = (figureOf: (bin: ReliabilitySums) => number) => all.reduce((total, bin) => total + figureOf(bin), 0)
    return {
      tenth,
      claimed: sum((bin) => bin.claimed),
      confidence: sum((bin) => bin.confidence),
      claimed_within_5: sum((bin) => bin.claimed_within_5),
    }
  })
  return { buckets, reliability: reliability.filter(({ claimed }) => claimed > 0) }
}

/** The hours that are not scored, and why: the same sentences wherever the record is shown. */
export const EXCLUSIONS = [
  'Hours without a usable reading have no truth, so they are not scored; nothing is filled in.',
  'Readings that a check flagged as implausible, and readings of closed queues, are not used. A frozen or stale feed counts by the time it states for itself.',
  'Hours that only travellers reported are not scored.',
  'Each forecast is scored as it was issued, before the newest reading adjusted its next hours. An hour counts once for each forecast of it.',
  'The comparisons with the simple rule, and with rules from elsewhere, count only forecasts that were stored together with those of the rules.',
  'An hour that is corrected later is scored again. When old forecasts are deleted, their scores stay.',
]

export const days = z
  .literal([7, 30, 90])
  .default(30)
  .describe('UTC days back from now: 7, 30 or 90.')
  .meta({ examples: [30] })
