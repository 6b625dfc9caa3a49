import { z } from 'zod'
import { noFlightsText } from '../../config/airports/without-flights.ts'
import { Instant, provenance } from '../../config/answer-schemas.ts'
import { ParameterError } from '../../config/errors.ts'
import { groupBy } from '../../config/group-by.ts'
import { type DelayStatus, FlightCategory } from '../../config/vocabulary.ts'
import { WeatherAlert } from '../../warehouse/publishing/read/weather-alerts.ts'
import { alertNews, isGrave, nearAlerts } from '../statements/alert-news.ts'
import { closureText } from '../statements/closure.ts'
import { laterPrograms } from '../statements/delay-news.ts'
import { clockOf, localTime } from '../statements/local-time.ts'
import { limitedText, placedText, spreadRange } from '../statements/spread.ts'
import { ifOpenText, listText, sentenceOf } from '../statements/text.ts'
import { unservedText } from '../statements/unserved.ts'
import { estimateText } from '../statements/wait.ts'
import { worstText } from '../statements/weather-text.ts'
import { BriefSecurity } from './brief-security.ts'
import { defineQuery, type QueryContext } from './define.ts'
import { findAirport } from './find-airport.ts'
import { delayFields, delaysAt } from './get-delays.ts'
import { securityEstimate } from './queue-waits.ts'
import { iata, notice, simulated, timestamp } from './shared-fields.ts'

export const { supported, status, summary } = delayFields

const ComparedAirport = z.strictObject({
  airport: iata,
  name: z.string(),
  timezone: z.string(),
  security: BriefSecurity,
  delays: z.strictObject({
    supported,
    status,
    later: z
      .string()
      .optional()
      .describe('Only where the FAA lists programs that begin later: `a ground delay from 19:00 to 22:59`.'),
    summary,
    ...provenance,
  }),
  weather_alert: z
    .strictObject({
      ...WeatherAlert.pick({ event: true, effect: true, onset: true, ends: true }).shape,
      text: z.string().describe('What it is and when, like `Blizzard warning until 18:00`.'),
    })
    .nullable()
    .describe('The US weather alert that changes plans most, now or within a day; null: none, or not known.'),
  flight_category: FlightCategory.nullable().describe('From the newest METAR; null: not known.'),
  flight_category_at: Instant.nullable().describe('When that METAR was observed.'),
  hazard: z
    .string()
    .nullable()
    .describe('What delays flights most in the weather of that METAR, in words; null: nothing, or not known.'),
})

export type Compared = z.output<typeof ComparedAirport>

const output = z.strictObject({
  recommended: iata
    .nullable()
    .describe('The airport to prefer for its delays and security now; null when nothing speaks for one.'),
  recommendation: z.string().describe('The reason in a sentence, with what is not certain.'),
  timestamp,
  airports: z.array(ComparedAirport).describe('In the requested order.'),
  shortest_wait: iata
    .nullable()
    .describe('The airport with the shortest security wait; null unless all waits are comparable and one is shortest.'),
  comparable: z
    .boolean()
    .describe(
      'Whether all waits are the airports’ own: measured, reported or forecast from their past. A typical wait is not; airports whose security is closed are left out.',
    ),
  notice,
  simulated,
})

export type Comparison = z.output<typeof output>

export const compareAirports = defineQuery({
  name: 'compareAirports',
  input: z.strictObject({
    airports: z.array(iata).min(2).max(5),
  }),
  output,
  answer({ airports: codes }, context) {
    if (new Set(codes).size < codes.length)
      throw ParameterError.of('airports', 'must name each airport once, at least two')
    const airports = codes.map((code) => ComparedAirport.parse(comparedAirport(code, context)))
    const open = airports.filter(({ security }) => security.status !== 'closed' && security.airport_closure === null)
    const comparable = open.length > 0 && open.every(hasOwnWait)
    return {
      ...recommendationOf(airports, context.snapshot.generated_at),
      timestamp: context.snapshot.generated_at,
      airports,
      comparable,
      shortest_wait: comparable ? shortestWait(airports) : null,
      simulated: context.snapshot.simulated,
    }
  },
})

function comparedAirport(code: string, context: QueryContext): z.input<typeof ComparedAirport> {
  const { iata: airport, icao, name, timezone } = findAirport(code, context)
  const { snapshot } = context
  const { programs, closures: _closures, ...delays } = delaysAt(code, context)
  const later = laterPrograms(programs, timezone, context.now)
  const weather = snapshot.weather(icao)
  return {
    airport,
    name,
    timezone,
    security: securityEstimate({ iata: airport, timezone }, context),
    delays: { ...delays, ...(later !== null && { later }) },
    weather_alert: weatherAlertOf({ iata: airport, timezone }, context),
    flight_category: weather?.flight_category ?? null,
    flight_category_at: weather?.observed_at ?? null,
    hazard: weather && worstText(weather),
  }
}

function weatherAlertOf({ iata: code, timezone }: { iata: string; timezone: string }, { snapshot, now }: QueryContext) {
  const [alert] = nearAlerts(snapshot.weatherAlerts(code)?.alerts ?? [], now)
  if (alert === undefined) return null
  const { event, effect, onset, ends } = alert
  const { title, period } = alertNews(alert, { timezone }, now)
  return { event, effect, onset, ends, text: `${title} ${period}` }
}

/** Whether a wait is known of the airport itself: waits are compared where all are. */
const hasOwnWait = ({ security }: Compared) => security.wait_minutes !== null && security.basis !== 'typical'

const waitOf = ({ security }: Compared) => security.wait_minutes ?? Number.POSITIVE_INFINITY

/** Waits that differ by less than this are alike for a traveller: feeds publish whole minutes and round them. */
const ALIKE_MINUTES = 3

/** The shortest and the longest wait of an airport: one figure twice where its terminals are alike. */
function rangeOf({ security: { wait_minutes, spread } }: Compared): { low: number; high: number } {
  if (spread?.standard_lanes)
    return { low: spread.standard_lanes.shortest_minutes, high: spread.standard_lanes.longest_minutes }
  return { low: wait_minutes ?? Number.POSITIVE_INFINITY, high: wait_minutes ?? Number.POSITIVE_INFINITY }
}

/** Whether both ends of the ranges of two airports are alike. */
function isAlike(first: Compared, other: Compared): boolean {
  const [a, b] = [rangeOf(first), rangeOf(other)]
  return Math.abs(a.low - b.low) < ALIKE_MINUTES && Math.abs(a.high - b.high) < ALIKE_MINUTES
}

/** Whether an airport with the shorter average has a notably longer wait at some terminal. */
const dependsOnTerminal = (best: Compared, other: Compared) => rangeOf(best).high - rangeOf(other).low >= ALIKE_MINUTES

/** The airports whose wait is alike with that of the first, or shorter at some terminal. The list has the known waits, the shortest first. */
const alikeWithFirst = ([best, ...others]: Compared[]): Compared[] =>
  others.filter((other) => best && (isAlike(best, other) || dependsOnTerminal(best, other)))

const knownByWait = (airports: Compared[]) =>
  airports.filter(({ security }) => security.wait_minutes !== null).sort((a, b) => waitOf(a) - waitOf(b))

/** The airport with the shortest wait; null when another waits as long or none is known. */
function shortestWait(airports: Compared[]): string | null {
  const [first, second] = knownByWait(airports)
  return first && (!second || waitOf(first) < waitOf(second)) ? first.airport : null
}

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
function recommendationOf(airports: Compared[], now: string): Pick<Comparison, 'recommended' | 'recommendation'> {
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
      recommendation: `Prefer ${only.airport}${best ? `: ${figure(only)}${ifOpenText(only.security, only.timezone, now)}` : ''}.${because}${best ? '' : ` The wait at ${only.airport} is not known.`}`,
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

/** Text if only some queues are known, so that none can be called shorter. */
function unequalText(usable: Compared[]): string {
  const own = usable.filter(hasOwnWait)
  const typical = usable.filter((airport) => !hasOwnWait(airport) && airport.security.wait_minutes !== null)
  const unknown = usable.filter(({ security }) => security.wait_minutes === null).map(({ airport }) => airport)
  const known =
    own.length === 1
      ? own.map((compared) => `that at ${compared.airport} is known, ${figure(compared)}`).join()
      : `those at ${listText(own.map((compared) => `${compared.airport} (${figure(compared)})`))} are known`
  const sentences = [
    `The queues cannot ${own.length === 1 ? '' : 'all '}be compared: only ${known}.`,
    typical.length > 0 &&
      `At ${listText(typical.map(placedEstimate))} ${typical.length === 1 ? 'is' : 'are'} typical of airports of that size, not measured.`,
    unknown.length > 0 && `The wait at ${listText(unknown)} is not known.`,
  ]
  return sentences.filter((part) => part !== false).join(' ')
}

/** Text if the queues do not decide: no wait is known, or none of an airport that is not avoided. */
function unknownWaits(usable: Compared[], avoided: Compared[]): string {
  const isKnown = avoided.some(({ security }) => security.wait_minutes !== null)
  if (!isKnown) return 'No wait is known, so none can be preferred for its queue.'
  return `The waits at ${listText(usable.map(({ airport }) => airport))} are not known, so none can be preferred for its queue.`
}

/** Text for typical waits: airports of one size share them, so they do not distinguish airports. */
function typicalText(usable: Compared[]): string {
  const known = usable.filter(({ security }) => security.wait_minutes !== null)
  const unknown = usable.filter((airport) => !known.includes(airport)).map(({ airport }) => airport)
  const given =
    known.length === 1
      ? `At ${placedEstimate(known[0]!)} is typical of airports of that size; the wait at ${listText(unknown)} is not known`
      : `Those given are typical of airports of their size: ${listText(known.map(placedEstimate))}${unknown.length === 0 ? '' : `; the wait at ${listText(unknown)} is not known`}`
  return `Which queue is shorter at ${listText(usable.map(({ airport }) => airport))} is not known: no wait is measured or forecast there. ${given}.`
}

const isObserved = ({ security }: Compared) => security.basis === 'measured' || security.basis === 'reported'

const BASIS_WORDS: Record<string, string> = { predicted: 'forecast', typical: 'estimated' }

const basisWord = ({ security: { basis } }: Compared) => BASIS_WORDS[basis ?? ''] ?? basis

const minutesText = (compared: Compared) =>
  isObserved(compared)
    ? placedText(compared.security.wait_minutes, compared.security.spread)
    : estimateText(waitOf(compared), compared.security)

const placedEstimate = (compared: Compared) => `${compared.airport} ${minutesText(compared)}`

/** `7 min measured`, `3–18 min by terminal, measured`, `about 2–12 min forecast`: the wait and where it is from. */
function figure(compared: Compared): string {
  const minutes = minutesText(compared)
  return `${minutes}${minutes.endsWith(' min') ? '' : ','} ${basisWord(compared)}`
}

/** The shortest of known waits against the others, with what is not certain about it. */
function verdict(best: Compared, known: Compared[]): string {
  const others = known.slice(1)
  const alike = alikeWithFirst(known)
  // A basis that all share is said once, at the end.
  const isShared = known.length > 1 && known.every((other) => isObserved(other) && basisWord(other) === basisWord(best))
  const wait = isShared ? minutesText : figure
  const end = `${isShared ? ` ${known.length === 2 ? 'Both' : 'All'} ${basisWord(best)}.` : ''}${certainty(known)}`
  if (alike.length > 0) {
    const names = listText([best, ...alike].map(({ airport }) => airport))
    const figures = listText([best, ...alike].map((compared) => `${compared.airport} ${wait(compared)}`))
    const longer = others.filter((other) => !alike.includes(other))
    // Of three ranges the last may be longer than the first and overlap the second.
    const isOfAll = longer.every((other) => !alike.some((middle) => dependsOnTerminal(middle, other)))
    const slower =
      longer.length > 0
        ? ` It is longer at ${listText(longer.map((other) => `${other.airport} (${wait(other)})`))}${isOfAll ? '' : ` than at ${best.airport}`}.`
        : ''
    const depends = alike.some((other) => dependsOnTerminal(best, other))
    const parts = new Set([best, ...alike].flatMap(({ security }) => spreadRange(security.spread)?.by ?? []))
    const reason = depends
      ? `Which queue is shorter depends on the ${[...parts].sort().reverse().join(' or ')}: ${figures}.`
      : `Security makes no difference between ${names} (${figures}): choose by travel time and fare.`
    return `${reason}${slower}${end}`
  }
  const rest = listText(others.map((other) => `${other.airport} ${wait(other)}`))
  return `${best.airport} has the shortest security wait: ${wait(best)}, against ${rest}.${end}`
}

/** The uncertainty of a comparison of waits, the shortest first: an interval that overlaps the next. */
function certainty(known: Compared[]): string {
  const guessed = known.filter((compared) => !isObserved(compared)).map(({ airport }) => airport)
  const [best, second] = known
  if (guessed.length === 0 || !best || !second) return ''
  const overlap = (best.security.high ?? waitOf(best)) >= (second.security.low ?? waitOf(second))
  return ` Not certain: the wait at ${listText(guessed)} is not measured${overlap ? ', and the ranges overlap' : ''}.`
}

/** Text if all are closed, with the first to open if known. */
function closedText(airports: Compared[]): string {
  const first = airports
    .filter(({ security }) => security.reopens_at !== null)
    .sort((a, b) => Date.parse(a.security.reopens_at!) - Date.parse(b.security.reopens_at!))[0]
  const limited = airports.flatMap(({ airport, security }) => limitedText(security.spread, ` at ${airport}`) ?? [])
  const closed = [
    limited.length === 0 ? 'Security is closed at all of them now.' : 'No standard lane is open at any of them now.',
    ...limited.map(sentenceOf),
  ].join(' ')
  if (!first) return closed
  const unknown = airports.filter(({ security }) => security.reopens_at === null).map(({ airport }) => airport)
  const opens =
    unknown.length === 0
      ? `opens first, at about ${clockAt(first)} local time`
      : `opens at about ${clockAt(first)} local time; when ${listText(unknown)} ${unknown.length === 1 ? 'opens' : 'open'} is not known`
  return `${closed} ${first.airport} ${opens}.`
}

const clockAt = ({ security, timezone }: Compared) => clockOf(localTime(Date.parse(security.reopens_at!), timezone))
