import type { LeaveBy } from '../../answers/departure/leave-by-answer.ts'
import type { QueryContext } from '../../answers/questions/define.ts'
import { findAirport } from '../../answers/questions/find-airport.ts'
import { getPredictions, type Predictions } from '../../answers/questions/get-predictions.ts'
import { securityEstimate } from '../../answers/questions/queue-waits.ts'
import { type AirportClosure, closureText } from '../../answers/statements/closure.ts'
import { localTime } from '../../answers/statements/local-time.ts'
import { basisText, type WaitFigure } from '../../answers/statements/text.ts'
import { spreadText, type WaitSpread } from '../../answers/statements/wait.ts'
import { HoldshortError } from '../../config/errors.ts'

/** What pictures show beyond a tool's default answer: run by the same queries, with the caller's tier. */

/** The fields of an hour that the picture draws. */
const drawnHour = ({ local_time, status, wait_minutes, low, high }: Predictions['hours'][number]) => ({
  local_time,
  status,
  wait_minutes,
  low,
  high,
})

const opensLocal = (reopens_at: string | null, timezone: string) =>
  reopens_at === null ? null : localTime(Date.parse(reopens_at), timezone)

/** The words of a wait as the tools say it: `5–19 min`, and what differs behind it; or what shuts airlines out. */
function wordsOf(
  wait_minutes: number | null,
  spread: WaitSpread | null,
  closure: AirportClosure | null,
  timezone: string,
  now: number,
) {
  if (wait_minutes === null) return { figure: null, rest: closure === null ? null : closureText(closure) }
  return spread === null ? { figure: null, rest: null } : spreadText(Math.round(wait_minutes), spread, timezone, now)
}

/** Where a wait comes from: `measured 2 min ago by the airport`; null where there is none. */
const originOf = ({ basis, age_seconds, source }: Pick<WaitFigure, 'basis' | 'age_seconds' | 'source'>) =>
  basis === null ? null : basisText({ basis, age_seconds, source })

/** The security wait now. */
function now(iata: string, timezone: string, context: QueryContext) {
  const estimate = securityEstimate({ iata, timezone }, context)
  const { wait_minutes, status, reopens_at, unavailable_reason } = estimate
  const opens_local = opensLocal(reopens_at, timezone)
  const words = wordsOf(wait_minutes, estimate.spread, estimate.airport_closure, timezone, context.now)
  return { wait_minutes, status, opens_local, origin: originOf(estimate), unavailable_reason, ...words }
}

/** The next 24 hours where the tier sees them; otherwise the reason in words. */
async function nextHours(iata: string, context: QueryContext) {
  try {
    const { hours, unavailable_reason } = (await getPredictions.run({ iata, days: 1 }, context)) as Predictions
    return { hours: hours.map(drawnHour), hours_missing: unavailable_reason }
  } catch (error) {
    if (!(error instanceof HoldshortError) || error.code !== 'PREMIUM_REQUIRED') throw error
    return { hours: [], hours_missing: `The hours ahead: ${error.message}.` }
  }
}

/** Beside a requested wait: the wait itself is in the answer. */
export async function hoursBesideWait({ airport }: { airport: string }, context: QueryContext) {
  const { name, timezone } = findAirport(airport, context)
  return { name, now: now(airport, timezone, context), ...(await nextHours(airport, context)) }
}

/** Beside a wait that was just fetched from a source, of any queue. */
export async function hoursBesideLive(
  answer: {
    airport: string
    kind: string
    wait: (Parameters<typeof originOf>[0] & { reopens_at: string | null }) | null
  },
  context: QueryContext,
) {
  const { name, timezone } = findAirport(answer.airport, context)
  const opens_local = opensLocal(answer.wait?.reopens_at ?? null, timezone)
  const beside = { name, opens_local, origin: answer.wait && originOf(answer.wait) }
  if (answer.kind !== 'security')
    return { ...beside, hours: [], hours_missing: 'Forecasts of this queue are not drawn.' }
  return { ...beside, ...(await nextHours(answer.airport, context)) }
}

/** Beside predictions: all their hours, and the wait now unless they are of the past. */
export function waitBesideHours({ airport, hours, unavailable_reason }: Predictions, context: QueryContext) {
  const { name, timezone } = findAirport(airport, context)
  return {
    name,
    now: now(airport, timezone, context),
    hours: hours.map(drawnHour),
    hours_missing: unavailable_reason,
  }
}

/** Beside a time of leaving: the whole curve, and the requested probability. */
export const curveOfLeaving = ({ curve, confidence }: LeaveBy) => ({
  curve: curve.map(({ leave_at_local, probability }) => ({ leave_at_local, probability })),
  confidence,
})

/** Beside a comparison: when closed airports open, in their own time, and their waits and where they come from in words. */
export function openingTimes(
  { airports }: { airports: Compared[] },
  { now }: QueryContext,
): {
  opens_local: Record<string, string | null>
  words: Record<string, ReturnType<typeof wordsOf> & { origin: string | null }>
} {
  const opens = airports.map(({ airport, timezone, security }) => [airport, opensLocal(security.reopens_at, timezone)])
  const words = airports.map(({ airport, timezone, security }) => {
    const { wait_minutes, spread, airport_closure } = security
    return [airport, { ...wordsOf(wait_minutes, spread, airport_closure, timezone, now), origin: originOf(security) }]
  })
  return { opens_local: Object.fromEntries(opens), words: Object.fromEntries(words) }
}

interface Compared {
  airport: string
  timezone: string
  security: Parameters<typeof originOf>[0] & {
    reopens_at: string | null
    wait_minutes: number | null
    spread: WaitSpread | null
    airport_closure: AirportClosure | null
  }
}
