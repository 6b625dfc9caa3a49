import { z } from 'zod'
import { fraction, Instant, minutes, statistic, unavailableReason } from '../../config/answer-schemas.ts'
import { BorderDirection } from '../../config/border-direction.ts'
import { isSchengenAirport } from '../../config/reference/schengen-airports.ts'
import { TIERS } from '../../config/tiers.ts'
import { Basis, HOUR_MS, isoUtc } from '../../config/vocabulary.ts'
import type { BorderForecast, BorderQueue } from '../../warehouse/publishing/read/border-forecasts.ts'
import { localTime } from '../statements/local-time.ts'
import { defineQuery, type QueryContext } from './define.ts'
import { expectedBorder, expectedBorderTerminals, wholeMinutesOf } from './expected-border.ts'
import { findAirport } from './find-airport.ts'
import { granularityOf } from './queue-waits.ts'
import { iata, notice, simulated, timestamp } from './shared-fields.ts'

const ImmigrationQueue = z
  .strictObject({
    terminal: z.string().nullable().describe('Terminal; null for all terminals together.'),
    direction: BorderDirection.nullable().describe(
      'Schengen airports: entry into the area or exit from it; null elsewhere, where the queue is that of arrivals.',
    ),
    basis: Basis.describe('predicted: from the queue’s own hours; typical: from what is named in `note`.'),
    source: z.string().describe('Version of the model, rule or prior.'),
    trained_at: Instant.nullable(),
    backtest: z
      .strictObject({
        mae_minutes: statistic.nullable(),
        baseline_mae_minutes: statistic
          .nullable()
          .describe('The same with the median of the same hour in 28 days; null where it is not compared.'),
        coverage_80: fraction.nullable(),
        samples: z.int().min(0),
      })
      .describe(
        'How it did on hours it had not seen; a terminal has the figures of its airport. Of a typical figure: on the airports that `note` names.',
      ),
    note: z.string().nullable().describe('What a typical figure and its error are taken from; null for a prediction.'),
    hours: z.array(
      z.strictObject({
        time: Instant.describe('Start of the hour (UTC).'),
        local_time: z.string(),
        wait_minutes: minutes,
        low: minutes.describe('Lower end of the 80 % interval.'),
        high: minutes.describe('Upper end of the 80 % interval.'),
        confidence: fraction
          .nullable()
          .describe('Probability of being within 5 minutes of `wait_minutes`; null where it was not measured.'),
      }),
    ),
    unavailable_reason: unavailableReason.describe('Why hours are absent; null when none is.'),
  })
  .meta({ id: 'ImmigrationQueue' })

const output = z
  .strictObject({
    airport: iata,
    timezone: z.string(),
    timestamp,
    horizon_hours: z.int().describe('How far ahead the tier sees.'),
    queues: z.array(ImmigrationQueue).describe('Empty where not even a typical wait may be claimed.'),
    unavailable_reason: unavailableReason.describe('Why there is no queue; null when there is one.'),
    notice,
    simulated,
  })
  .meta({ id: 'Immigration' })
export type Immigration = z.output<typeof output>

const NO_HISTORY =
  'No forecast of passport control exists here: no source of its waits covers this airport, and figures of other countries were not shown to hold here.'
const TOO_YOUNG =
  'No forecast of passport control exists here: its wait is known now (`/wait-times`), but too few hours of it are kept to forecast from, and figures of other countries were not shown to hold here.'
const HOURS_ABSENT =
  'Hours in which passengers hardly ever arrive have no figure: nobody waits, which is not a wait of zero.'

/** The hours of passport control at an airport, by direction in the Schengen area and else by terminal. */
export const getImmigration = defineQuery({
  name: 'getImmigration',
  tier: 'pro',
  rest: {
    summary: 'Passport control waits of an airport, hour by hour',
    description: `Expected waits at passport control, from the current hour on. \`predicted\`: from the queue’s own published hours (US Customs and Border Protection publishes them two or three days late, so that the present wait is not known). \`typical\`: a wide range with the error it had elsewhere and a \`note\` that says where; at Schengen airports the same for all hours, until readings exist. Airports of other countries have no figure. Pro: ${TIERS.pro.prediction_hours} hours of the whole airport; Enterprise: 7 days, with terminals. Waits measured now are in \`/wait-times\`.`,
    method: 'GET',
    path: '/airports/:iata/immigration',
  },
  input: z.strictObject({ iata }),
  output,
  answer(input, context) {
    const airport = findAirport(input.iata, context)
    const { snapshot, tier, now } = context
    const queues = queuesOf(airport, context).flatMap((queue) => {
      const forecast = expectedBorder(snapshot, airport.iata, queue, now)
      return forecast ? [shownQueue(forecast, airport.timezone, context)] : []
    })
    return {
      airport: airport.iata,
      timezone: airport.timezone,
      timestamp: snapshot.generated_at,
      horizon_hours: TIERS[tier].prediction_hours,
      queues,
      unavailable_reason: queues.length === 0 ? reasonWithout(airport, context) : null,
      simulated: snapshot.simulated,
    }
  },
})

function reasonWithout(airport: ReturnType<typeof findAirport>, { snapshot }: QueryContext): string {
  const { status, average_wait_minutes } = snapshot.queue(airport.iata, 'immigration')
  return average_wait_minutes !== null || status === 'closed' ? TOO_YOUNG : NO_HISTORY
}

function queuesOf(airport: ReturnType<typeof findAirport>, { snapshot, tier }: QueryContext): BorderQueue[] {
  if (isSchengenAirport(airport)) return BorderDirection.options.map((direction) => ({ direction }))
  const terminals = granularityOf(tier) === 'terminal' ? expectedBorderTerminals(snapshot, airport.iata) : []
  return [{}, ...terminals.map((terminal) => ({ terminal }))]
}

function shownQueue(
  { terminal, direction, basis, version, trained_at, start_ms, hours, backtest, note }: BorderForecast,
  timezone: string,
  { now, tier }: QueryContext,
): z.input<typeof ImmigrationQueue> {
  const { within_5: _within5, ...errors } = backtest
  const first = Math.max(0, Math.floor((now - start_ms) / HOUR_MS))
  const ahead = hours.slice(first, first + TIERS[tier].prediction_hours)
  return {
    terminal: terminal === '' ? null : terminal,
    direction,
    basis,
    source: version,
    trained_at,
    backtest: errors,
    note,
    hours: ahead.flatMap((hour, index) => {
      if (!hour) return []
      const start = start_ms + (first + index) * HOUR_MS
      return [
        {
          time: isoUtc(start),
          local_time: localTime(start, timezone),
          ...wholeMinutesOf(hour),
          confidence: hour.confidence,
        },
      ]
    }),
    unavailable_reason: ahead.includes(null) || ahead.length < TIERS[tier].prediction_hours ? HOURS_ABSENT : null,
  }
}
