import { z } from 'zod'
import type { Airport } from '../../config/airports/directory.ts'
import { noFlightsText } from '../../config/airports/without-flights.ts'
import {
  fraction,
  nullableMinutes,
  provenance,
  type QueueWait,
  SourceFigure,
  statusFields,
  unavailableReason,
} from '../../config/answer-schemas.ts'
import { TIERS } from '../../config/tiers.ts'
import type { QueueKind, Tier } from '../../config/vocabulary.ts'
import { isUnexpired, withoutFigure } from '../../warehouse/publishing/read/read-time.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { AirportClosure, closedToAirlines, closureText } from '../statements/closure.ts'
import { OtherLane, otherLanesOf } from '../statements/other-lanes.ts'
import { spreadOf, WaitSpread } from '../statements/spread.ts'
import { agoText } from '../statements/text.ts'
import type { QueryContext } from './define.ts'
import { type ForecastHour, forecastHourAt } from './forecast-hour.ts'

export const Granularity = z.enum(['airport', 'terminal'])
export type Granularity = z.infer<typeof Granularity>

/** The granularity of waits that a tier sees. */
export const granularityOf = (tier: Tier): Granularity =>
  TIERS[tier].granularity === 'terminal' ? 'terminal' : 'airport'

/**
 * A queue wait as an answer shows it: with terminals where the granularity has them. An expired measurement is withheld,
 * with the reason.
 */
export function shownQueueWait(wait: QueueWait, granularity: Granularity): QueueWait {
  if (wait.freshness !== 'expired') return queueWaitAt(granularity, wait)
  return withoutFigure(`the last measurement, of${agoText(wait.age_seconds)}, is too old to be shown`)
}

/** A queue wait of any age at a granularity, without expired terminals; only for answers that state the age. */
export function queueWaitAt(granularity: Granularity, wait: QueueWait): QueueWait {
  if (granularity === 'airport') return { ...wait, terminals: [] }
  const terminals = wait.terminals
    .filter(isUnexpired)
    .map((terminal) => ({ ...terminal, checkpoints: terminal.checkpoints.filter(isUnexpired) }))
  return { ...wait, terminals }
}

/** The fields beside a security wait that is one figure: its provenance, and its interval where it is a forecast. */
export const securityEstimateFields = {
  ...statusFields,
  ...provenance,
  low: nullableMinutes.describe('Lower end of the 80 % interval of a predicted or typical wait; null when observed.'),
  high: nullableMinutes.describe('Upper end of the interval.'),
  probability: fraction
    .nullable()
    .describe('Probability of being within 5 minutes of a predicted or typical wait; null when observed.'),
  unavailable_reason: unavailableReason,
  spread: WaitSpread.nullable().describe('Null where nothing differs behind the figure.'),
  other_lanes: z
    .array(OtherLane)
    .describe('Lanes for some travellers that are observed, where the wait of everybody is an estimate.'),
  by_source: z
    .array(SourceFigure)
    .describe(
      'What each of several live sources says; empty where fewer than two have a figure, or airlines are shut out.',
    ),
  airport_closure: AirportClosure.nullable().describe(
    'What shuts airlines out now: then nobody waits. Null: they may fly.',
  ),
}

/** The current wait of a queue; none at an airport without passenger flights, and why. */
export function queueAt(snapshot: Snapshot, iata: string, kind: QueueKind): QueueWait {
  const ended = noFlightsText(iata)
  return ended === null ? snapshot.queue(iata, kind) : withoutFigure(ended)
}

/** A queue as one figure shows it: while airlines are shut out nobody waits, whatever is measured or expected. */
const unlessShutOut = (queue: QueueWait, closure: AirportClosure | null): QueueWait =>
  closure === null || queue.average_wait_minutes === null
    ? queue
    : withoutFigure(`the airport is ${closureText(closure)}`)

/** The current security wait of an airport as one figure, with the fields of `securityEstimateFields`. */
export function securityEstimate({ iata, timezone }: Pick<Airport, 'iata' | 'timezone'>, context: QueryContext) {
  const airport_closure = closedToAirlines(context.snapshot.delays(iata).closures, timezone, context.now)
  const queue = unlessShutOut(queueAt(context.snapshot, iata, 'security'), airport_closure)
  const wait = shownQueueWait(queue, 'airport')
  const { average_wait_minutes, terminals: _terminals, ...fields } = wait
  const hour = forecastHourOf(wait, iata, context)
  return {
    wait_minutes: average_wait_minutes,
    ...fields,
    low: hour?.low ?? null,
    high: hour?.high ?? null,
    probability: hour?.confidence ?? null,
    other_lanes: otherLanesOf(queue),
    by_source: airport_closure === null ? context.snapshot.figuresBySource(iata, 'security') : [],
    airport_closure,
    spread: spreadOf(queue, timezone, context.now),
  }
}

/** The forecast hour of a predicted or typical wait: the current hour, or the snapshot's hour until the next snapshot. */
export function forecastHourOf(
  wait: QueueWait,
  iata: string,
  { snapshot, now }: Pick<QueryContext, 'snapshot' | 'now'>,
): ForecastHour | null {
  if (wait.basis !== 'predicted' && wait.basis !== 'typical') return null
  const series = snapshot.forecast(iata)
  if (!series) return null
  const minutes = wait.average_wait_minutes === null ? null : Math.round(wait.average_wait_minutes)
  const hours = [now, snapshot.generated_ms].map((instant) => forecastHourAt(series, instant))
  return hours.find((hour) => hour?.wait_minutes === minutes) ?? null
}
