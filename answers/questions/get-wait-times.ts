import { z } from 'zod'
import type { Airport } from '../../config/airports/directory.ts'
import { noFlightsText } from '../../config/airports/without-flights.ts'
import {
  CLOSED_REASON,
  forecastStatusFields,
  fraction,
  Instant,
  nullableMinutes,
  provenance,
  type QueueWait,
  SourceFigure,
  unavailableReason,
} from '../../config/answer-schemas.ts'
import { HOUR_MS, isoUtc } from '../../config/vocabulary.ts'
import { isOpeningUnknown, UNKNOWN_OPENING_TEXT } from '../statements/closure.ts'
import { adjustmentFields, disagreementNote, shownWaitOf } from './adjustment.ts'
import { defineQuery, type QueryContext } from './define.ts'
import { findAirport } from './find-airport.ts'
import { forecastHourAt } from './forecast-hour.ts'
import { Granularity, granularityOf, queueAt, shownQueueWait } from './queue-waits.ts'
import { iata, notice, simulated, timestamp } from './shared-fields.ts'
import { shownForecast } from './shown-forecast.ts'
import { ShownQueueWait, withProvenanceOnce } from './shown-queue-wait.ts'

const NextHour = z
  .strictObject({
    next_hour: nullableMinutes.describe(
      'Predicted security wait in the coming full hour, in minutes; null when closed.',
    ),
    ...forecastStatusFields,
    confidence: fraction
      .nullable()
      .describe(
        'Calibrated probability that the wait will be within 5 minutes of `next_hour`, measured on the backtest; null without a backtest.',
      ),
    low: nullableMinutes.describe('Lower end of the 80 % interval, in minutes.'),
    high: nullableMinutes.describe('Upper end of the 80 % interval, in minutes.'),
    valid_at: Instant.nullable().describe('Start of the predicted hour (UTC).'),
    ...provenance,
    ...adjustmentFields,
    unavailable_reason: unavailableReason,
  })
  .meta({ id: 'NextHour' })

export const WaitTimes = z
  .strictObject({
    airport: iata,
    timestamp,
    granularity: Granularity,
    security: ShownQueueWait,
    security_by_source: z
      .array(SourceFigure)
      .describe(
        'What each of several live sources of security says, whole airport, the one nearest to the queue first; empty where fewer than two have a figure under an hour old.',
      ),
    check_in: ShownQueueWait,
    immigration: ShownQueueWait,
    predictions: NextHour,
    notice,
    simulated,
  })
  .meta({ id: 'WaitTimes' })
export type WaitTimes = z.output<typeof WaitTimes>

export const getWaitTimes = defineQuery({
  name: 'getWaitTimes',
  tier: 'pro',
  rest: {
    summary: 'Current wait estimates of an airport',
    description:
      'Current security, check-in and immigration waits, each with its basis, age and source, and the prediction for the coming full hour. Pro: airport level. Enterprise: with terminals, checkpoints and lanes, each with its own age and source where these differ from the level above. The wait is the average over the open standard lanes that are shown. If any source has a reading under 1 hour old, the source closest to the queue is used: airport, vendor, authority, airline, an operator’s import, aggregator, travellers’ reports; among equals, the newest. Otherwise readings under 6 hours old are used in the same order. A terminal for which that source has no reading, or only an older one, is filled in from the next source if both name at least one terminal alike, unless the next source is an aggregator or travellers’ reports more than 15 minutes away from it. Readings that a quality check flagged are not used. An airport is `closed` when all its standard lanes are, a terminal when all its lanes are: a terminal where only another lane is open has no minutes, and `unavailable_reason` names the lane. While the FAA lists an airport as closed to airlines, a wait that nobody observes is closed too. A closed queue has no minutes, and `reopens_at` where opening hours are published or learned. Of a closure and a wait by different sources the fresher observation counts. A measurement older than 6 hours is never shown as current: the answer then uses the prediction and says so.',
    method: 'GET',
    path: '/airports/:iata/wait-times',
  },
  input: z.strictObject({ iata }),
  output: WaitTimes,
  answer(input, context) {
    return waitTimesOfAirport(findAirport(input.iata, context), context)
  },
})

/** The waits and the next-hour prediction of an airport in the directory. */
export function waitTimesOfAirport(
  { iata: airport, timezone }: Airport,
  context: QueryContext,
): z.input<typeof WaitTimes> {
  const { snapshot, tier } = context
  const granularity = granularityOf(tier)
  const security = shownQueueWait(queueAt(snapshot, airport, 'security'), granularity)
  return {
    airport,
    timestamp: snapshot.generated_at,
    granularity,
    security: withProvenanceOnce(security),
    security_by_source: snapshot.figuresBySource(airport, 'security'),
    check_in: withProvenanceOnce(shownQueueWait(queueAt(snapshot, airport, 'checkin'), granularity)),
    immigration: withProvenanceOnce(shownQueueWait(queueAt(snapshot, airport, 'immigration'), granularity)),
    predictions: nextHour(airport, timezone, security, context),
    simulated: snapshot.simulated,
  }
}

function nextHour(
  airport: string,
  timezone: string,
  security: QueueWait,
  { snapshot, now }: QueryContext,
): z.input<typeof NextHour> {
  const ended = noFlightsText(airport)
  const series = ended === null ? shownForecast(snapshot, airport) : null
  if (!series) return noNextHour(ended ?? 'no forecast exists for this airport')
  const start = (Math.floor(now / HOUR_MS) + 1) * HOUR_MS
  const hour = forecastHourAt(series, start)
  if (!hour) return noNextHour('the forecast does not reach this hour')
  return {
    next_hour: hour.wait_minutes,
    status: hour.status,
    open_probability: hour.open_probability,
    confidence: hour.confidence,
    low: hour.low,
    high: hour.high,
    valid_at: isoUtc(start),
    basis: series.model.basis,
    source: series.model.version,
    observed_at: null,
    age_seconds: null,
    freshness: null,
    adjusted_to: series.adjusted_to,
    note: isOpeningUnknown(security)
      ? UNKNOWN_OPENING_TEXT
      : disagreementNote(shownWaitOf(security), series, start, timezone),
    unavailable_reason: hour.wait_minutes === null ? CLOSED_REASON : null,
  }
}

function noNextHour(unavailable_reason: string): z.input<typeof NextHour> {
  return {
    next_hour: null,
    status: 'unknown',
    open_probability: null,
    confidence: null,
    low: null,
    high: null,
    valid_at: null,
    basis: null,
    source: null,
    observed_at: null,
    age_seconds: null,
    freshness: null,
    adjusted_to: null,
    note: null,
    unavailable_reason,
  }
}
