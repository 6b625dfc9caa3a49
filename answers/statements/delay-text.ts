import { type Airport, timezoneOf } from '../../config/airports/directory.ts'
import { reasonWords } from '../../config/reference/faa-words.ts'
import type { DelayStatus } from '../../config/vocabulary.ts'
import {
  type Closure,
  type DelayProgram,
  type DelayState,
  ownPrograms,
  statusOf,
} from '../../warehouse/publishing/read/delays.ts'
import type { Sky } from '../../warehouse/publishing/read/weather.ts'
import type { AirportAlerts } from '../../warehouse/publishing/read/weather-alerts.ts'
import { leadingAlert, lesserAlert } from './alert-news.ts'
import { closedToAirlines, closesSoon, closureSentences, closureText, hoursText } from './closure.ts'
import { laterPrograms, programInFull, programSentences, timesText } from './delay-news.ts'
import { agoText, listText, sentenceOf, uncapitalised } from './text.ts'
import { unservedText } from './unserved.ts'
import { isOldReport, presentHazard } from './weather-text.ts'

/** The meaning of the FAA's programs for a traveller, in plain words. */

interface DelayAnswer {
  airport: string
  supported: boolean
  status: string
  summary: string
  programs: DelayProgram[]
  closures: Closure[]
  /** The newest weather report of the airport; null: none, undefined if the question is not about its weather. */
  weather?: (Sky & { age_seconds: number }) | null
  weather_alerts?: AirportAlerts | null
  /** Why no airline flies there; absent if some may. */
  no_flights?: string | undefined
}

/** Advice where airlines may not fly, and where flights are late. */
export const AWAIT_CONFIRMATION = 'do not set out before the airline confirms your flight'
export const ASK_FIRST = 'Ask the airline before you set out.'
export const BE_ON_TIME = 'Be on time: the airline decides for your flight.'
/** Beside a list of airports in several zones. */
export const TIMES_OF_LISTS = 'Times in the list are local to each airport.'

const listsNoDelay = (airport = '') => `The FAA lists no delay${airport} now`
/** What the FAA’s list says where it names nothing. */
export const NO_DELAY = sentenceOf(listsNoDelay())

/** Kinds of delays by the states of flights: groups of a list, and colours of a map. */
export const DELAY_GROUPS: Record<DelayStatus, string> = {
  closed: 'Closed to airlines',
  ground_stop: 'Ground stops',
  ground_delay: 'Ground delays',
  minor_delay: 'Arrival and departure delays',
  normal: 'No delay listed',
  unknown: 'Delays not known',
}

const NO_DELAY_WORDS: Record<string, string> = { normal: 'no delay listed', unknown: 'delays not known here' }

/** Text of a row about flights without a delay; the figure of a closed airport already states it. */
export const noDelayText = (status: string): string => NO_DELAY_WORDS[status] ?? '–'

/** A status in a list of facts: `no delay listed`, `minor delays`, `ground stop`. */
export const delayStatusText = (status: string): string =>
  NO_DELAY_WORDS[status] ?? (status === 'minor_delay' ? 'minor delays' : status.replaceAll('_', ' '))

/** The closure by hours of every day, which the first line of an answer has. */
const closedHours = ({ closures }: DelayAnswer) =>
  closures.find(({ closed_to_airlines, closed_hours_utc }) => closed_to_airlines === true && closed_hours_utc !== null)

/** Advice for the first line of an answer. Daily hours without airlines follow; they lead only if nothing else does. */
function adviceText(answer: DelayAnswer, now: string): string {
  const { airport, closures, status } = answer
  const daily = closedHours(answer)
  const hours = daily
    ? `${airport} is closed to airlines ${hoursText(daily, timezoneOf(airport), Date.parse(now))}.`
    : ''
  if (
    daily &&
    status === 'closed' &&
    closures.every(({ in_force, closed_hours_utc }) => !in_force || closed_hours_utc)
  ) {
    const shut = closedToAirlines(closures, timezoneOf(airport), Date.parse(now))
    const until = shut?.until ? `, ${shut.end}` : ''
    return `${hours} That is now${until}; flights at other hours may go as planned. Ask the airline.`
  }
  const state = stateText(answer, now)
  // A closure that lasts longer says itself when the airport is closed again.
  return status === 'closed' || hours === '' ? state : `${state} ${hours}`
}

function stateText(answer: DelayAnswer, now: string): string {
  const { airport, supported, status, summary, programs, closures, weather, weather_alerts = null, no_flights } = answer
  if (no_flights !== undefined) return sentenceOf(no_flights)
  const outbound = programs.flatMap(({ destination }) => destination ?? [])
  if (!supported && outbound.length > 0)
    return `Flights from ${airport} to ${listText([...new Set(outbound)])} are held by the FAA. Other delays here are not known: ask the airline.`
  const hazard = presentHazard(weather)
  if (!supported && status !== 'closed') {
    const soon = closesSoon(closures, Date.parse(now)) ? `${airport} closes to airlines within a day. ` : ''
    const some = hazard === null ? '' : ` The weather may bring some: ${hazard}.`
    const whom = unservedText(airport) ?? 'Ask the airline, or look at the airport’s departure board'
    return `${soon}Delays at ${airport} are not known: the FAA does not cover it.${some} ${sentenceOf(whom)}`
  }
  const { present } = ownPrograms(programs, Date.parse(now))
  const later = laterPrograms(programs, timezoneOf(airport), Date.parse(now))
  const then = later && ` Later: ${later}.`
  const alert = leadingAlert(weather_alerts, airport, Date.parse(now))
  const more = alert && `${alert.text} ${ASK_FIRST}`
  switch (status) {
    case 'closed': {
      const closure = closedToAirlines(closures, timezoneOf(airport), Date.parse(now))
      return `${airport} is ${closure ? closureText(closure) : 'closed to airlines'}: ${AWAIT_CONFIRMATION}.`
    }
    case 'ground_stop':
    case 'ground_delay':
      return `${programHead(present, status, airport, now)}: flights to ${airport} ${status === 'ground_stop' ? 'are held where they depart' : 'leave late'}. ${more ?? `If you fly from ${airport}, be on time, for your flight may still leave as planned.`}${then ?? ''}`
    case 'minor_delay':
      return `Flights at ${airport} are delayed${reasonOf(present[0])}. ${more ?? BE_ON_TIME}${then ?? ''}`
    case 'normal': {
      const none = listsNoDelay(` at ${airport}`)
      if (closesSoon(closures, Date.parse(now)))
        return `${none}, but it closes to airlines within a day: ${uncapitalised(ASK_FIRST)}`
      if (later !== null) return `${none}, but ${later}: ${uncapitalised(ASK_FIRST)}${more ? ` ${alert.text}` : ''}`
      const causes = [hazard, alert && `${alert.title} ${alert.period}`].filter(Boolean)
      const unserved = unservedText(airport)
      if (unserved !== null) return `${none}. ${sentenceOf(unserved)}`
      if (causes.length > 0) return `${none}, but the weather may bring some: ${causes.join('; ')}. ${ASK_FIRST}`
      // Without a current report or an alert service, the weather may still stop flights.
      if ((weather == null || isOldReport(weather)) && weather_alerts?.unavailable_reason !== null)
        return `${none}; the weather, an airline’s own delays and later ones are not known here.`
      const lesser = lesserAlert(weather_alerts, airport, Date.parse(now))
      const slow = lesser && ` delays are possible: ${uncapitalised(lesser.title)} ${lesser.period};`
      return `${none}. Go as planned;${slow ?? ''} an airline’s own delays and later ones are not known here.`
    }
    default:
      return `Delays at ${airport} are not known: ${summary} That does not mean that there is no delay: ask the airline.`
  }
}

const reasonOf = (program: DelayProgram | undefined) =>
  program?.reason == null ? '' : ` for ${reasonWords(program.reason)}`

/** The program that a status stands for, with the FAA's own reason and its times. */
function programHead(programs: DelayProgram[], status: 'ground_stop' | 'ground_delay', airport: string, now: string) {
  const program = programs.find(({ type }) => type === status)
  const times = program && timesText(program, timezoneOf(airport), Date.parse(now))
  const kind = status === 'ground_stop' ? 'Ground stop' : 'Ground delay'
  return [`${kind} at ${airport}${reasonOf(program)}`, times].filter(Boolean).join(' ')
}

/** The instant from `now` on at which the programs give the status: an answer of an older snapshot has a program that has begun since. */
function instantOfStatus({ status, programs, closures }: DelayAnswer, now: string): string {
  const begins = programs.flatMap(({ start }) => (start !== null && Date.parse(start) > Date.parse(now) ? [start] : []))
  return [now, ...begins.sort()].find((instant) => statusOf(programs, closures, Date.parse(instant)) === status) ?? now
}

/**
 * The delay state of an airport as lines: what to do by all programs (those of `whole`), then each shown program with its
 * meaning, then the other closures.
 */
export function delayLines(answer: DelayAnswer, timestamp: string, whole = answer): string[] {
  const now = instantOfStatus(whole, timestamp)
  const { airport, programs, closures } = answer
  const daily = closedHours(answer)
  const advice = adviceText(whole, now)
  const isExcluded = (closure: Closure) => closure === daily && advice.includes(daily.closed_hours_local ?? '')
  const { now: current, later } = closureSentences(closures, timezoneOf(airport), Date.parse(now), { isExcluded })
  return [
    advice,
    ...programs.map((program) =>
      programInFull(program, { iata: airport, timezone: timezoneOf(airport) }, Date.parse(now)),
    ),
    ...current,
    ...later,
  ]
}

/** When the FAA's feed was read. */
export const feedText = ({ age_seconds }: { age_seconds: number | null }) =>
  age_seconds === null ? '' : `From the FAA’s list, read${agoText(age_seconds)}.`

/** The programs and closures of an airport in one or more sentences, as of an instant (epoch ms); else why they are not known. */
export function delaySummary(
  { programs, closures, unavailable_reason }: DelayState,
  airport: Pick<Airport, 'iata' | 'timezone'>,
  moment: number,
): string {
  const { now, later } = closureSentences(closures, airport.timezone, moment)
  const sentences = [...now, ...programSentences(programs, airport, moment), ...later]
  if (sentences.length > 0) return [...new Set(sentences)].join(' ')
  return unavailable_reason ?? NO_DELAY
}
