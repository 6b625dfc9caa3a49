import type { QueryContext } from '../../answers/questions/define.ts'
import { findAirport } from '../../answers/questions/find-airport.ts'
import { getWaitTimes, type WaitTimes } from '../../answers/questions/get-wait-times.ts'
import { granularityOf, queueAt, shownQueueWait } from '../../answers/questions/queue-waits.ts'
import { spreadOf } from '../../answers/statements/spread.ts'
import type { WaitFacts } from '../../answers/statements/wait.ts'
import { QueueWait } from '../../config/answer-schemas.ts'
import { tierCovers } from '../../config/tiers.ts'
import { type AirportRequest, ask } from '../airport/answers.ts'

/** An airport as the caller of a tool sees it: parts of pages then show no more than the tier of the key. */
export function requestOf(iata: string, { snapshot, directory, tier, now }: QueryContext): AirportRequest {
  const airport = findAirport(iata, { directory })
  return { airport, viewer: { isSignedIn: true, tier, currentTier: tier }, snapshot, directory, now }
}

/** The part of a statement's facts that is the wait itself. */
export type Wait = Pick<WaitFacts, 'security' | 'spread' | 'next'>

const NO_NEXT = { low: null, high: null, valid_at: null, status: 'unknown' as const, open_probability: null }

/** The wait at security now, with the terminals and the next hour where the tier sees them. */
export function waitOf(request: AirportRequest): Wait {
  const { airport, snapshot, now } = request
  const { tier } = request.viewer
  const queue = QueueWait.parse(queueAt(snapshot, airport.iata, 'security'))
  const security = shownQueueWait(queue, granularityOf(tier))
  return {
    security,
    spread: spreadOf(queue, airport.timezone, now),
    next: tierCovers(tier, getWaitTimes.tier)
      ? ask<WaitTimes>(getWaitTimes, { iata: airport.iata }, request, tier).predictions
      : NO_NEXT,
  }
}
