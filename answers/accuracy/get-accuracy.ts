import { z } from 'zod'
import { Instant, minutes, statistic } from '../../config/answer-schemas.ts'
import { HORIZON_BUCKETS } from '../../config/vocabulary.ts'
import type { AirportRecord, BucketRecord, Drifting, OverallSkill } from '../../warehouse/publishing/read/accuracy.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { type CsvRow, defineQuery } from '../questions/define.ts'
import { iata, simulated, timestamp } from '../questions/shared-fields.ts'
import {
  addedUp,
  calibrationError,
  days,
  EXCLUSIONS,
  ForecastFigures,
  figuresOf,
  HORIZON_NAMES,
  horizon,
  Reliability,
  reliabilityOf,
  Skill,
  skillOf,
} from './figures.ts'

const count = z.int().min(0)

/** The command that makes the scores again from the stored vintages. */
export const REPRODUCE =
  "npx holdshort run record && npx holdshort query \"SELECT iata, from_hours, sum(error_minutes) / sum(samples) AS mae FROM scores WHERE kind = 'security' AND terminal = '' GROUP BY ALL ORDER BY ALL\""

export const Horizon = z.strictObject({
  horizon,
  airports: count.describe('Airports in the skill, each counted alike.'),
  figures: ForecastFigures.nullable().describe('All forecast hours of all airports together, each counted alike.'),
  skill_mae: Skill.nullable().describe(
    'Of all hours that have a baseline, each counted alike: one less the mean error divided by the mean error of the baseline, with 0.01 min added to both.',
  ),
  skill_pinball: Skill.nullable().describe('The skill by the pinball loss.'),
})

export const AirportRow = z.strictObject({
  airport: iata,
  basis: z.enum(['predicted', 'typical']).describe('predicted: its own forecast; typical: the worldwide prior.'),
  horizons: z.array(
    z.strictObject({ horizon, live: ForecastFigures.nullable(), backtest: ForecastFigures.nullable() }),
  ),
  drift: z.enum(['steady', 'drifting', 'on_rule']).describe('Whether the last week is as the backtest said.'),
})

export const Miss = z.strictObject({
  airport: iata,
  hour: Instant.describe('Start of the hour (UTC).'),
  issued_at: Instant.describe('When the forecast was issued: one to five hours before.'),
  model: z.string().describe('The version that made it.'),
  low: minutes.describe('Lower end of the 80 % interval.'),
  wait_minutes: minutes.describe('The median that was forecast.'),
  high: minutes.describe('Upper end.'),
  observed_minutes: minutes.describe('Mean wait that was observed.'),
  samples: count.describe('Readings of the hour.'),
  known: z.array(z.string()).describe('What else is known about the hour; empty when nothing is.'),
})

const OutsideRow = z.strictObject({
  forecaster: z.string(),
  airport: iata,
  hours: count.describe('Observed hours of the last 28 days that both forecast.'),
  mae_minutes: statistic.nullable().describe('Null before the first such hour.'),
  model_mae_minutes: statistic.nullable().describe('Of the airport’s own model on the same forecast hours.'),
  serves: z.boolean().describe('Whether its forecasts are published now.'),
  open_forecasts: count.describe('Its forecasts of hours that had not begun when the record was made.'),
})

const output = z
  .strictObject({
    days: z.int(),
    generated_at: timestamp,
    recorded_since: Instant.nullable(),
    horizons: z.array(Horizon).describe('Security forecasts from own history.'),
    reliability: z.array(Reliability),
    calibration_error: statistic
      .nullable()
      .describe('Mean distance of claimed confidence and what came true, over its tenths.'),
    backtest: z.strictObject({ horizons: z.array(Horizon), reliability: z.array(Reliability), airports: count }),
    airports: z.array(AirportRow),
    misses: z.array(Miss).describe('The worst hours of the last 30 days.'),
    outside: z
      .array(OutsideRow)
      .describe('Forecasts made elsewhere, which serve only where they are clearly better than the own model.'),
    excluded: z.array(z.string()),
    reproduce: z.string().describe('The command that makes these figures from the stored forecasts.'),
    simulated,
  })
  .meta({ id: 'Accuracy' })
export type Accuracy = z.output<typeof output>

export const getAccuracy = defineQuery({
  name: 'getAccuracy',
  rest: {
    summary: 'How good all forecasts were',
    description:
      'The live record of all security forecasts over the last 7, 30 or 90 days, by hours ahead and by airport, beside the backtests, the baseline and two rules from elsewhere on the same hours; the reliability of `confidence`; the worst misses with what is known about their cause; what is not scored. As CSV: one row for each airport and bucket of hours ahead. The page `/accuracy` shows the same.',
    method: 'GET',
    path: '/accuracy',
    csv: {
      columns: [
        'airport',
        'basis',
        'horizon',
        'samples',
        'mae_minutes',
        'pinball_minutes',
        'coverage_80',
        'below',
        'above',
        'width_minutes',
        'within_5',
        'confidence',
        'brier',
        'baseline_mae_minutes',
        'baseline_pinball_minutes',
        'compared',
        'skill',
        'skill_low',
        'skill_high',
        'verdict',
        'opposed',
        'opposed_mae_minutes',
        'persistence_mae_minutes',
        'trend_mae_minutes',
      ],
      rows: ({ airports }: Accuracy): CsvRow[] =>
        airports.flatMap(({ airport, basis, horizons }) =>
          horizons.flatMap(({ horizon, live }) => {
            if (!live) return []
            const { skill_mae, skill_pinball: _, brier_constant: __, ...figures } = live
            return [
              {
                airport,
                basis,
                horizon,
                ...figures,
                skill: skill_mae?.skill,
                skill_low: skill_mae?.low,
                skill_high: skill_mae?.high,
                verdict: skill_mae?.verdict,
              },
            ]
          }),
        ),
    },
  },
  input: z.strictObject({ days }),
  output,
  answer: (input, { snapshot }) => accuracyOver(snapshot, input.days),
})

/** The record of all airports over a period. */
export function accuracyOver(snapshot: Snapshot, period: 7 | 30 | 90): Accuracy {
  const { recorded_since, records, backtests, overall, misses, drifting, outside = [] } = snapshot.accuracy()
  const security = records.filter(({ kind, days: recordedDays }) => kind === 'security' && recordedDays === period)
  const predicted = addedUp(security.filter(({ basis }) => basis === 'predicted'))
  const expected = addedUp(backtests)
  const drifts = new Map(drifting.map(({ iata: airport, state }) => [airport, state]))
  return {
    days: period,
    generated_at: snapshot.generated_at,
    recorded_since,
    horizons: horizonsOf(
      predicted.buckets,
      overall.filter((score) => score.days === period),
    ),
    reliability: reliabilityOf(predicted.reliability),
    calibration_error: calibrationError(predicted.reliability),
    backtest: {
      horizons: horizonsOf(
        expected.buckets,
        overall.filter((score) => score.days === null),
      ),
      reliability: reliabilityOf(expected.reliability),
      airports: backtests.length,
    },
    airports: airportRows(snapshot, security, drifts),
    misses: misses.map(({ iata: airport, hour, issued_at, model, p10, p50, p90, ...miss }) => ({
      airport,
      hour,
      issued_at,
      model,
      low: p10,
      wait_minutes: p50,
      high: p90,
      observed_minutes: miss.wait_minutes,
      samples: miss.samples,
      known: knownCauses(miss),
    })),
    outside: outside.map(({ iata: airport, ...row }) => ({ airport, ...row })),
    excluded: EXCLUSIONS,
    reproduce: REPRODUCE,
    simulated: snapshot.simulated,
  }
}

function horizonsOf(buckets: readonly BucketRecord[], skills: readonly OverallSkill[]) {
  return HORIZON_BUCKETS.map(([from]) => {
    const skill = skills.find(({ from_hours }) => from_hours === from)
    return {
      horizon: HORIZON_NAMES[from]!,
      airports: skill?.airports ?? 0,
      figures: figuresOf(buckets.find(({ from_hours }) => from_hours === from)),
      skill_mae: skillOf(skill?.skill_mae ?? null),
      skill_pinball: skillOf(skill?.skill_pinball ?? null),
    }
  })
}

/** A row for each airport with a record or a backtest. */
function airportRows(snapshot: Snapshot, security: readonly AirportRecord[], drifts: ReadonlyMap<string, Drifting>) {
  const recorded = new Set(security.map(({ iata: airport }) => airport))
  const unrecorded = snapshot.accuracy().backtests.filter(({ iata: airport }) => !recorded.has(airport))
  const rows = [
    ...security.map(({ iata: airport, basis, buckets }) => ({ airport, basis, buckets })),
    ...unrecorded.map(({ iata: airport }) => ({ airport, basis: 'predicted' as const, buckets: [] })),
  ]
  rows.sort((a, b) => (a.airport + a.basis < b.airport + b.basis ? -1 : 1))
  return rows.map(({ airport, basis, buckets }) => {
    const backtest = basis === 'predicted' ? snapshot.backtestOf(airport) : null
    const bucketOf = (list: readonly BucketRecord[], from: number) =>
      figuresOf(list.find(({ from_hours }) => from_hours === from))
    return {
      airport,
      basis,
      horizons: HORIZON_BUCKETS.map(([from]) => ({
        horizon: HORIZON_NAMES[from]!,
        live: bucketOf(buckets, from),
        backtest: bucketOf(backtest?.buckets ?? [], from),
      })),
      drift: drifts.get(airport) ?? ('steady' as const),
    }
  })
}

/** From this share on, the other hours of the day show that the level had shifted. */
const SHIFTED_SHARE = 0.8

interface knownCausesProps {
  program: string | null
  closed_share: number | null
  same_side_share: number | null
}

/** The known causes of a missed hour, in words; nothing is guessed. */
function knownCauses({ program, closed_share, same_side_share }: knownCausesProps): string[] {
  const causes: string[] = []
  if (program !== null) causes.push(`FAA: ${program}`)
  if (closed_share !== null && closed_share > 0)
    causes.push(`closed for ${Math.round(100 * closed_share)} % of the observed time`)
  if (same_side_share !== null && same_side_share >= SHIFTED_SHARE)
    causes.push(
      `level shift: ${Math.round(100 * same_side_share)} % of the other hours of the day missed to the same side`,
    )
  return causes
}
