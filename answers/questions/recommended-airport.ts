import { noFlightsText } from '../../config/airports/without-flights.ts'
import { groupBy } from '../../config/group-by.ts'
import type { DelayStatus } from '../../config/vocabulary.ts'
import { isGrave } from '../statements/alert-news.ts'
import { closureText } from '../statements/closure.ts'
import { limitedText } from '../statements/spread.ts'
import { ifOpenText, listText, sentenceOf } from '../statements/text.ts'
import { unservedText } from '../statements/unserved.ts'
import type { Compared } from './compared-airport.ts'
import { alikeWithFirst, hasOwnWait, isObserved, knownByWait } from './compared-waits.ts'
import { closedText, figure, typicalText, unequalText, unknownAt, unknownWaits, verdict } from './comparison-words.ts'

/** How much a delay status speaks against an airport; a status outweighs any queue of a lower one. */
const DELAY_WEIGHTS: Record<DelayStatus, number> = {
  closed: 3,
  ground_stop: 2,
  ground_delay: 1,
  minor_delay: 0,
  normal: 0,
  unknown: 0,
}
/** Nobody flies from there, whatever the FAA says. */
const WITHOUT_FLIGHTS = 4

/** Whether a weather alert holds now for which flights may stop. It weighs as much as a ground delay. */
const mayStop = ({ weather_alert: alert }: Compared, now: string) =>
  alert !== null && isGrave(alert) && (alert.onset ?? now) <= now

/** Why nobody flies from an airport, or none by schedule; null if some do, or its own wait is known. */
const withoutFlights = ({ airport, security }: Compared) =>
  noFlightsText(airport) ?? (security.wait_minutes === null ? unservedText(airport) : null)

const weightOf = (compared: Compared, now: string) =>
  withoutFlights(compared) === null
    ? Math.max(DELAY_WEIGHTS[compared.delays.status], mayStop(compared, now) ? DELAY_WEIGHTS.ground_delay : 0)
    : WITHOUT_FLIGHTS

/** Text for airports whose security is closed, or open only to some, while airlines may fly. */
function securityClosed(airports: Compared[]): string[] {
  const shut = airports.filter(isShut)
  const limited = shut.flatMap(({ airport, security }) => limitedText(security.spread, ` at ${airport}`) ?? [])
  const closed = shut.filter(({ security }) => security.spread === null).map(({ airport }) => airport)
  return closed.length > 0 ? [`security is closed at ${listText(closed)}`, ...limited] : limited
}

/** Why nobody flies from an airport, now or at all; null if delays or the weather alone speak against it. */
function closedReason(compared: Compared): string | null {
  const { airport, delays, security } = compared
  const ended = withoutFlights(compared)
  if (ended !== null || delays.status !== 'closed') return ended
  return `${airport} is ${security.airport_closure ? closureText(security.airport_closure) : 'closed to flights'}`
}

/** `a ground stop and a weather alert (Blizzard warning until 18:00)` */
function burdenText(compared: Compared, now: string): string {
  const { delays, weather_alert } = compared
  const parts = [
    DELAY_WEIGHTS[delays.status] > 0 && `a ${delays.status.replaceAll('_', ' ')}`,
    mayStop(compared, now) && `a weather alert (${weather_alert?.text})`,
  ]
  return listText(parts.filter((part) => part !== false))
}

/** Why other airports than these are preferred; what several have is said once. */
function reasonsAgainst(airports: readonly Compared[], now: string): string[] {
  const delayed = groupBy(
    airports.filter((airport) => closedReason(airport) === null),
    (airport) => burdenText(airport, now),
  )
  const burdens = [...delayed].map(
    ([burden, held]) =>
      `${listText(held.map(({ airport }) => airport))} ${held.length === 1 ? 'has' : 'have'} ${burden}`,
  )
  return [...burdens, ...airports.flatMap((airport) => closedReason(airport) ?? [])]
}

/** Reasons as a list; parts of a reason are none of their own. */
const reasonsText = (reasons: readonly string[]) =>
  reasons.some((reason) => /[;,]/.test(reason)) ? reasons.join('; ') : listText(reasons)

/** Recommends an airport with the reason: first by delays that outweigh a queue, then by the wait. */
export function recommendationOf(
  airports: Compared[],
  now: string,
): { recommended: string | null; recommendation: string } {
  const open = airports.filter(({ security }) => security.status !== 'closed')
  if (open.length === 0) return { recommended: null, recommendation: closedText(airports) }
  const lightest = Math.min(...open.map((airport) => weightOf(airport, now)))
  if (lightest >= DELAY_WEIGHTS.closed)
    return {
      recommended: null,
      recommendation: `None can be preferred now: ${reasonsText([...securityClosed(airports), ...reasonsAgainst(open, now)])}.`,
    }
  const usable = open.filter((airport) => weightOf(airport, now) === lightest)
  const avoided = airports.filter((airport) => !usable.includes(airport))
  const known = knownByWait(usable)
  const held = avoided.filter((airport) => !isShut(airport))
  const reasons = [...securityClosed(avoided), ...reasonsAgainst(held, now)]
  const warned = usable.filter((airport) => mayStop(airport, now)).map(({ airport }) => airport)
  const because = [
    reasons.length > 0 && ` ${sentenceOf(reasonsText(reasons))}`,
    warned.length > 0 && ` The weather may stop flights at ${listText(warned)}.`,
  ]
    .filter(Boolean)
    .join('')
  const [best] = known
  const [only, ...others] = usable
  if (only && others.length === 0 && airports.length > 1)
    return {
      recommended: only.airport,
      recommendation: `Prefer ${only.airport}${best ? `: ${figure(only)}${isObserved(only) ? '' : ifOpenText(only.security, only.timezone, now)}` : ''}.${because}${best ? '' : ` ${sentenceOf(unknownAt([only.airport]))}`}`,
    }
  if (!best) return { recommended: null, recommendation: `${unknownWaits(usable, avoided)}${because}` }
  if (!known.some(hasOwnWait)) return { recommended: null, recommendation: `${typicalText(usable)}${because}` }
  if (!usable.every(hasOwnWait)) return { recommended: null, recommendation: `${unequalText(usable)}${because}` }
  return {
    recommended: alikeWithFirst(known).length > 0 ? null : best.airport,
    recommendation: `${verdict(best, known)}${because}`,
  }
}

/** Whether security is closed while airlines may fly: a closure to airlines is reported as such. */
const isShut = ({ security }: Compared) => security.status === 'closed' && security.airport_closure === null
