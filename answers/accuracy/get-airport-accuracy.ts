import { z } from 'zod'
import { Instant } from '../../config/answer-schemas.ts'
import { BorderDirection } from '../../config/border-direction.ts'
import { HORIZON_BUCKETS } from '../../config/vocabulary.ts'
import type { AirportBacktest, AirportRecord, QueueRecord } from '../../warehouse/publishing/read/accuracy.ts'
import { defineQuery } from '../questions/define.ts'
import { findAirport } from '../questions/find-airport.ts'
import { iata, notice, simulated, timestamp } from '../questions/shared-fields.ts'
import {
  days,
  EXCLUSIONS,
  ForecastFigures,
  figuresOf,
  HORIZON_NAMES,
  horizon,
  Reliability,
  reliabilityOf,
} from './figures.ts'

const Horizon = z.strictObject({
  horizon,
  live: ForecastFigures.nullable().describe('What was published; null while nothing of it has come true.'),
  backtest: ForecastFigures.nullable().describe(
    'What would have been published in the backtest of the newest model; null where there is none.',
  ),
})

const QueueAccuracy = z
  .strictObject({
    horizons: z.array(Horizon),
    reliability: z.array(Reliability).describe('Of the live record: how often a claimed confidence came true.'),
    backtest_reliability: z.array(Reliability),
  })
  .meta({ id: 'QueueAccuracy' })

const output = z
  .strictObject({
    airport: iata,
    days: z.int(),
    generated_at: timestamp,
    recorded_since: Instant.nullable().describe(
      'The first day of the record of this installation; null before the first forecast has come true.',
    ),
    note: z.string().nullable().describe('Why there is no live record, where there is none.'),
    security: QueueAccuracy.describe('Forecasts from the airport’s own history, beside their backtest.'),
    typical: QueueAccuracy.nullable().describe(
      'The typical waits of airports of its size, for hours without an own forecast; null where none were needed.',
    ),
    immigration: z.array(z.strictObject({ direction: BorderDirection.nullable(), ...QueueAccuracy.shape })),
    backtest: z
      .strictObject({ model: z.string(), evaluated_from: Instant, evaluated_to: Instant })
      .nullable()
      .describe('The model and the origins of the backtest.'),
    drift: z
      .strictObject({
        state: z
          .enum(['steady', 'drifting', 'on_rule'])
          .describe(
            'drifting: the last seven days clearly differ from the backtest; on_rule: so the rule serves in place of the model (`rule:…` in `source`).',
          ),
        since: Instant.nullable(),
        reason: z.string().nullable(),
      })
      .describe('Whether the live forecasts are as good as their backtest.'),
    excluded: z.array(z.string()).describe('What is not scored.'),
    notice,
    simulated,
  })
  .meta({ id: 'AirportAccuracy' })
export type AirportAccuracy = z.output<typeof output>

const EMPTY: QueueRecord = { buckets: [], reliability: [] }

export const getAirportAccuracy = defineQuery({
  name: 'getAirportAccuracy',
  rest: {
    summary: 'How good the forecasts of an airport were',
    description:
      'The live record of the forecasts of an airport over the last 7, 30 or 90 days: every vintage that was issued, scored against the hours that came true, by hours ahead, beside the backtest of its model and beside the baseline (the median of the same local hour in the 28 days before, as known at the issue). With the reliability of `confidence`. The table of all airports: `/accuracy`.',
    method: 'GET',
    path: '/airports/:iata/accuracy',
  },
  input: z.strictObject({ iata, days }),
  output,
  answer(input, context) {
    const { iata: airport } = findAirport(input.iata, context)
    const { snapshot } = context
    const { recorded_since, drifting } = snapshot.accuracy()
    const records = snapshot.accuracyOf(airport).filter((record) => record.days === input.days)
    const backtest = snapshot.backtestOf(airport)
    const security = records.find(({ kind, basis }) => kind === 'security' && basis === 'predicted')
    const typical = records.find(({ kind, basis }) => kind === 'security' && basis === 'typical')
    const drift = drifting.find((drifted) => drifted.iata === airport)
    return {
      airport,
      days: input.days,
      generated_at: snapshot.generated_at,
      recorded_since,
      note: noteOf(recorded_since, records, backtest, input.days),
      security: accuracyOf(security ?? EMPTY, backtest ?? EMPTY),
      typical: typical ? accuracyOf(typical, EMPTY) : null,
      immigration: records
        .filter(({ kind }) => kind === 'immigration')
        .map((record) => ({ direction: record.direction, ...accuracyOf(record, EMPTY) })),
      backtest: backtest
        ? { model: backtest.model, evaluated_from: backtest.evaluated_from, evaluated_to: backtest.evaluated_to }
        : null,
      drift: {
        state: drift?.state ?? ('steady' as const),
        since: drift?.since ?? null,
        reason: drift?.reason ?? null,
      },
      excluded: EXCLUSIONS,
      simulated: snapshot.simulated,
    }
  },
})

function noteOf(
  since: string | null,
  records: readonly AirportRecord[],
  backtest: AirportBacktest | null,
  period: number,
): string | null {
  if (records.length > 0) return null
  const also = backtest ? '; the backtest is all that is known' : ', and there is no backtest'
  if (since === null) return `No forecast has come true yet${also}.`
  return `No forecast of this airport has come true in the last ${period} days${also}.`
}

function accuracyOf(live: QueueRecord, backtest: QueueRecord) {
  const bucketOf = ({ buckets }: QueueRecord, from: number) =>
    figuresOf(buckets.find((bucket) => bucket.from_hours === from))
  return {
    horizons: HORIZON_BUCKETS.map(([from]) => ({
      horizon: HORIZON_NAMES[from]!,
      live: bucketOf(live, from),
      backtest: bucketOf(backtest, from),
    })),
    reliability: reliabilityOf(live.reliability),
    backtest_reliability: reliabilityOf(backtest.reliability),
  }
}
