import { CLOSED_WORDS, closureWords, reasonWords } from '../../../config/reference/faa-words.ts'
import { hoursText, lengthText } from '../../../warehouse/publishing/gather/delays.ts'
import type { Closure, DelayProgram } from '../../../warehouse/publishing/read/delays.ts'
import { clockText } from './local-clock.ts'
import { ageText } from './text.ts'

/** What the FAA's programs mean for a traveller, in plain words. */

interface DelayAnswer {
  airport: string
  supported: boolean
  status: string
  summary: string
  programs: DelayProgram[]
  closures: Closure[]
}

const NAMES = {
  ground_stop: 'Ground stop',
  ground_delay: 'Ground delay',
  arrival_delay: 'Arrival delays',
  departure_delay: 'Departure delays',
  airspace_flow: 'Airspace limit',
}

/** What a program means for who departs from the airport and who flies to it. */
const MEANINGS = {
  ground_stop:
    'flights to here do not take off until it ends; a departure from here is late if its aircraft has yet to come',
  ground_delay:
    'flights to here wait at their departure airport; a departure from here is late if its aircraft has yet to come',
  arrival_delay: 'flights to here arrive late; a departure from here is late if its aircraft has yet to come',
  departure_delay: 'departures from here leave late',
  airspace_flow: 'flights through this airspace wait before take-off',
}

/** A status behind the word "delays": `delays minor`. */
export const delayStatusText = (status: string) => (status === 'minor_delay' ? 'minor' : status.replaceAll('_', ' '))

/** What to do, for the first line of an answer. */
function adviceText({ airport, supported, status, summary, programs, closures }: DelayAnswer): string {
  const outbound = programs.flatMap(({ destination }) => destination ?? [])
  if (!supported && outbound.length > 0)
    return `${airport}: flights from here to ${[...new Set(outbound)].join(', ')} are held by the FAA. Other delays here are not known: ask the airline.`
  if (!supported) return `${airport}: not known. ${summary} Ask the airline or look at the airport’s departure board.`
  switch (status) {
    case 'closed':
      if (closures.every(({ in_force, closed_hours_utc }) => !in_force || closed_hours_utc !== null))
        return `${airport} is closed to airlines at this hour, as at the same hours of other days; flights at other hours may go as planned. Ask the airline.`
      return `${airport} is closed to airlines: do not set out before the airline confirms your flight.`
    case 'ground_stop':
      return `${airport}: ground stop. If you fly to ${airport}, expect to be held before take-off; if you fly from ${airport}, be on time, for your flight may still leave as planned.`
    case 'ground_delay':
      return `${airport}: ground delay. If you fly to ${airport}, expect to leave late; if you fly from ${airport}, be on time, for your flight may still leave as planned.`
    case 'minor_delay':
      return `${airport}: delays. Be on time: the airline decides for your flight.`
    case 'normal':
      return `${airport}: the FAA lists no delay now. Go as planned; an airline’s own delays and later ones are not known here.`
    default:
      return `${airport}: not known. ${summary} That does not mean that there is no delay: ask the airline.`
  }
}

/** The length, reason, end and meaning of a program, where known. */
export function programText(program: DelayProgram, airport: string, now: string): string {
  const { type, reason, max_minutes, trend, end, destination } = program
  const name = destination === null ? NAMES[type] : `${NAMES[type]} of ${destination}`
  const meaning = destination === null ? MEANINGS[type] : `departures from here to ${destination} wait`
  const length = lengthText(program)
  const most = max_minutes !== null && length?.includes('average') ? `up to ${Math.round(max_minutes)} min` : null
  const parts = [
    length,
    most,
    reason && `reason: ${reasonWords(reason)}`,
    trend,
    end === null ? 'end not stated' : `until ${clockText(end, airport, now)}`,
  ]
  return `${name}: ${parts.filter(Boolean).join(', ')}. Meaning: ${meaning}.`
}

function closureText(closure: Closure, airport: string, now: string): string {
  const { closed_to_airlines, in_force, start, end, reason } = closure
  const period = [
    start && `from ${clockText(start, airport, now)}`,
    end && `until ${clockText(end, airport, now)}`,
    hoursText(closure),
  ]
  const who =
    closed_to_airlines === null
      ? 'not clear whether for airlines'
      : closed_to_airlines
        ? 'for airlines'
        : 'not for airlines'
  const now_ = in_force ? 'in force now' : closed_to_airlines === true ? 'not in force now' : null
  return `Closure, ${[who, now_, ...period].filter(Boolean).join(', ')}${reason === null || closureWords(reason) === CLOSED_WORDS ? '' : `: ${closureWords(reason)}`}.`
}

/**
 * The delay state of an airport as lines: what to do by all programs (those of `whole`), then each shown program with its
 * meaning, then closures.
 */
export function delayLines(answer: DelayAnswer, now: string, whole = answer): string[] {
  const { airport, programs, closures } = answer
  return [
    adviceText(whole),
    ...programs.map((program) => programText(program, airport, now)),
    ...closures.map((closure) => closureText(closure, airport, now)),
  ]
}

/** When the FAA's feed was read. */
export function feedText({
  observed_at,
  age_seconds,
  source,
}: {
  observed_at: string | null
  age_seconds: number | null
  source: string | null
}): string {
  if (observed_at === null || age_seconds === null) return ''
  return `As of ${observed_at.slice(0, 10)} ${observed_at.slice(11, 16)} UTC, read ${ageText(age_seconds)} ago, source ${source}.`
}
