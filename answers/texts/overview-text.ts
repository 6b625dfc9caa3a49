import { airportDirectory } from '../../config/airports/directory.ts'
import { CLOSED_REASON } from '../../config/answer-schemas.ts'
import { countText } from '../../config/count-text.ts'
import { groupBy } from '../../config/group-by.ts'
import { quoted } from '../../config/untrusted-text.ts'
import { freshnessOf } from '../../config/vocabulary.ts'
import type { BriefOverview, Overview } from '../questions/overview-answer.ts'
import { placeText } from '../search/place-text.ts'
import { leadingAlert } from '../statements/alert-news.ts'
import { closesSoon } from '../statements/closure.ts'
import { delayLines, NO_DELAY } from '../statements/delay-text.ts'
import { dayText } from '../statements/local-clock.ts'
import { clockOf } from '../statements/local-time.ts'
import { otherLanesText } from '../statements/other-lanes.ts'
import { fromMapText } from '../statements/places.ts'
import { otherSourcesText } from '../statements/source-figures.ts'
import { closedSecurityText, onlyPlace, spreadRange, spreadText, type WaitSpread } from '../statements/spread.ts'
import {
  agoText,
  basisText,
  ifOpenText,
  sentenceOf,
  uncapitalised,
  waitText,
  waitWithoutStatus,
} from '../statements/text.ts'
import { noTypicalText, unservedText } from '../statements/unserved.ts'
import { heightText, presentHazard } from '../statements/weather-text.ts'

/** An airport as sentences: what matters most there now first, and each thing once. */

/** A queue is long from this wait in minutes on; up to the other one it is short. */
const LONG_MINUTES = 25
const SHORT_MINUTES = 10

const HELD: ReadonlySet<Overview['delays']['status']> = new Set([
  'closed',
  'ground_stop',
  'ground_delay',
  'minor_delay',
])

type Basis = Overview['security']['basis']
const isObserved = (basis: Basis) => basis === 'measured' || basis === 'reported'

type Recommendation = Pick<BriefOverview, 'recommendation' | 'recommendation_about'>
type Part = [about: Recommendation['recommendation_about'][number], sentences: string]

const speaking = (...parts: Part[]): Recommendation => ({
  recommendation: parts.map(([, sentences]) => sentences).join(' '),
  recommendation_about: [...new Set(parts.map(([about]) => about))],
})

/** The most important fact: a closure or stop of flights, weather that stops them, closed security, long queues, in this order. */
export function recommendationOf(overview: Overview): Recommendation {
  const { airport, timestamp, security, immigration, delays, weather, weather_alerts, no_flights } = overview
  const { iata: code, timezone } = airport
  if (no_flights !== undefined) return speaking(['no_flights', sentenceOf(no_flights)])
  const lines = delayLines({ airport: code, ...delays, weather, weather_alerts }, timestamp)
  const isNightly = delays.closures.some((closure) => closure.closed_to_airlines && closure.closed_hours_utc !== null)
  // An airport whose status is not known may have flights that are held for another one.
  const isHeld =
    HELD.has(delays.status) ||
    isNightly ||
    delays.programs.length > 0 ||
    closesSoon(delays.closures, Date.parse(timestamp))
  const hazard = presentHazard(weather)
  const now = Date.parse(timestamp)
  const alert = leadingAlert(weather_alerts, code, now)
  const wait = security.average_wait_minutes
  const isMentioned = (words: string) => isHeld && lines[0]?.includes(words) === true
  const parts: Part[] = []
  if (isHeld && lines[0]) parts.push(['flights', lines[0]])
  if (alert && !isMentioned(`${alert.title} ${alert.period}`)) parts.push(['weather_alert', alert.text])
  if (hazard && !isMentioned(hazard)) parts.push(['weather', sentenceOf(hazard)])
  // The closure of the airport also closes its queues, and stands above.
  if (security.status === 'closed' && delays.status !== 'closed')
    parts.push(['security', closedSecurityText(`${code} security`, security, timezone, timestamp)])
  if (wait !== null && wait >= LONG_MINUTES) {
    const long = longWaitText(wait, security, timezone, timestamp)
    parts.push(['security', `Long queue at security: ${long} (${basisText(security)}).${otherSources(security)}`])
  }
  if (delays.status !== 'closed' && immigration.wait_minutes !== null && immigration.wait_minutes >= LONG_MINUTES) {
    const text = `Long queue at passport control on arrival: about ${immigration.wait_minutes} min (${basisText(immigration)}).`
    parts.push(['passport_control', text])
  }
  if (parts.length > 0) return speaking(...parts)
  if (wait === null && delays.status === 'unknown') return speaking(['nothing_known', nothingKnownText(airport)])
  const queue =
    wait === null && !airport.scheduled_service
      ? `${unservedText(code)}. No security wait is known.`
      : queueSentence({ wait_minutes: wait, ...security }, code, timezone, timestamp)
  return speaking(['security', queue], ['flights', delays.status === 'normal' ? NO_DELAY : 'Delays are not known.'])
}

function nothingKnownText({ iata, scheduled_service }: Overview['airport']): string {
  const known = `Neither waits nor delays are known at ${iata} now`
  if (!scheduled_service) return `${known}: ask the airfield. ${unservedText(iata)}.`
  return `${known}: ask the airline${noTypicalText(iata) === null ? ', and plan with get_best_time_to_fly' : ''}.`
}

interface Queue {
  wait_minutes: number | null
  status: Overview['security']['status']
  basis: Basis
  age_seconds: number | null
  source: string | null
  low: number | null
  high: number | null
  spread: WaitSpread | null
  other_lanes: Overview['security']['other_lanes']
  by_source: Overview['security']['by_source']
  unavailable_reason: string | null
}

/** `about 45 min`, `26–51 min; longest at T4; 38 min on average`. */
function longWaitText(wait: number, queue: Omit<Queue, 'wait_minutes'>, timezone: string, now: string): string {
  const { short, rest } = spreadText(wait, queue.spread, timezone, Date.parse(now))
  const figure = spreadRange(queue.spread) === null ? `about ${short}` : short
  return [`${figure}${ifOpenText({ wait_minutes: wait, ...queue }, timezone, now)}`, rest].filter(Boolean).join('; ')
}

const unknownWaitText = (place: string, reason: string | null) =>
  sentenceOf(`the security wait${place} is not known${reason ? `: ${reason}` : ''}`)

/** The queue at security. Only a wait observed within the hour is called short. */
function queueSentence(queue: Queue, code: string, timezone: string, now: string): string {
  const { wait_minutes: wait, basis } = queue
  if (wait === null) return unknownWaitText(` at ${code}`, queue.unavailable_reason)
  if (!isObserved(basis)) {
    const open = ifOpenText(queue, timezone, now) === '' ? '' : ' Whether it is open at this hour is not known.'
    const others = otherLanesText(queue.other_lanes)
    if (others !== '')
      return `Security at ${code}: ${others} For everybody ${waitText(wait, 'min')}, ${basisText(queue)}.${open}`
    return `The security queue at ${code} is not observed now: ${waitText(wait, 'min')}, ${basisText(queue)}.${open}`
  }
  const only = onlyPlace(queue.spread)
  const place = only === null ? code : `${only} of ${code}`
  const { short, rest } = spreadText(wait, queue.spread, timezone, Date.parse(now), only !== null)
  const differs = rest === '' ? '' : ` (${rest})`
  const ifOpen = ifOpenText(queue, timezone, now)
  const figure = `${short} at security${ifOpen}${differs}, ${basisText(queue)}`
  const isOld = queue.age_seconds !== null && ['stale', 'expired'].includes(freshnessOf(queue.age_seconds))
  const more = otherSources(queue)
  const isShort = (queue.spread?.standard_lanes?.longest_minutes ?? wait) <= SHORT_MINUTES
  return !isOld && ifOpen === '' && more === '' && isShort
    ? `No long queue at ${place}: ${figure}.`
    : `The queue at ${place}: ${figure}.${more}`
}

/** What other sources say of a queue, if they differ: ` Another source says 45 min.` */
function otherSources({ by_source }: Pick<Queue, 'by_source'>): string {
  const text = otherSourcesText(by_source)
  return text === null ? '' : ` ${sentenceOf(text)}`
}

/** What leaves nothing to say of queues and flights. */
const SAYS_ALL: ReadonlySet<Part[0]> = new Set(['no_flights', 'nothing_known'])

/** The security queue, where the first line does not have it. */
function securityText(answer: BriefOverview): string[] {
  const { airport, security, timestamp, recommendation_about: about } = answer
  const { iata: code, timezone } = airport
  const { average_wait_minutes: wait, ...queue } = security
  if (about.some((subject) => subject === 'security' || SAYS_ALL.has(subject))) return []
  if (security.status === 'closed' || answer.delays.status === 'closed') return []
  if (wait === null) return [unknownWaitText('', queue.unavailable_reason)]
  return [queueSentence({ wait_minutes: wait, ...queue }, code, timezone, timestamp)]
}

/** Passport control of arrivals now, and when it takes longest; nothing if it has no figure, or airlines are shut out. */
function immigrationText({ immigration, delays, recommendation_about: about }: BriefOverview): string[] {
  const { longest, ...wait } = immigration
  // While airlines are shut out nobody arrives.
  if (delays.status === 'closed') return []
  const isClosed = wait.unavailable_reason === CLOSED_REASON
  if (wait.wait_minutes === null && longest === null)
    return isClosed ? ['Passport control for arrivals is closed now.'] : []
  const unknown = isClosed
    ? 'Passport control for arrivals is closed now.'
    : `The wait at passport control for arrivals is not known now. ${wait.unavailable_reason}`
  const figure = `Passport control for arrivals: ${waitWithoutStatus(wait.wait_minutes ?? 0, wait.basis)} now (${basisText(wait)}).`
  const present = wait.wait_minutes === null ? unknown : figure
  const now = about.includes('passport_control') ? null : present
  const later = longest && longest.wait_minutes > (wait.wait_minutes ?? 0)
  const most = later
    ? `${now === null ? 'Longest wait at passport control' : 'Longest'} of the next 24 hours: about ${longest.wait_minutes} min at ${clockOf(longest.local_time)}${longest.basis === wait.basis ? '' : `, ${basisText({ ...longest, age_seconds: null, source: null, low: null, high: null })}`}.`
    : longest && `${now === null ? 'The wait at passport control' : 'It'} is not longer in the next 24 hours.`
  return now || most ? [[now, most].filter(Boolean).join(' ')] : []
}

/** The known terminals: those of a page with its date, those of the map alone marked as not checked. */
function terminalsText({ terminals, terminals_credit: credit }: BriefOverview, total: number): string {
  if (total === 0) return 'Its terminals are not known.'
  // A date, or its lack, stands once behind all terminals that share it.
  const origin = ({ sources: namedBy, as_of }: BriefOverview['terminals'][number]) => {
    if (namedBy.includes('facts')) return as_of === null ? ' (from pages without a date)' : ` (as of ${as_of})`
    return namedBy.includes('feed') ? '' : ` (${fromMapText()})`
  }
  const shown = [...groupBy(terminals, origin)]
    .map(([from, group]) => {
      const names = group.map(({ terminal, sources }) => (sources.includes('facts') ? terminal : quoted(terminal)))
      return names.join(', ') + from
    })
    .join(', ')
  const rest = total - terminals.length
  const more = rest === 0 ? '' : ` and ${rest} more`
  const listed = shown === '' ? `${rest} not listed here` : `${shown}${more}`
  return `Terminals, possibly not all: ${listed}.${credit === null ? '' : ` ${credit}.`}`
}

/** How many runways there are and the longest; the longest alone where no source counts them. */
function runwaysText({ runway_count, longest_runway_ft }: BriefOverview): string | null {
  const longest = longest_runway_ft === null ? null : heightText(longest_runway_ft)
  if (runway_count === null) return longest && `longest runway ${longest}`
  if (runway_count === 1) return `1 runway${longest === null ? '' : ` of ${longest}`}`
  return `${countText(runway_count, 'runway')}${longest === null ? '' : `, the longest ${longest}`}`
}

/** Delays in general, where the first line does not have them. */
function delaysText(answer: BriefOverview): string[] {
  const { delays, recommendation_about: about } = answer
  if (about.some((subject) => subject === 'flights' || SAYS_ALL.has(subject))) return []
  // The details say the same one by one.
  if (delays.details.length > 0) return []
  return [delays.supported ? delays.summary : `Delays are not known: ${uncapitalised(delays.summary)}`]
}

export function overviewText(answer: BriefOverview, whole: BriefOverview): string {
  const { recommendation, airport, local_now, delays, weather, weather_alerts } = answer
  const region = airportDirectory().byIata.get(airport.iata)?.region ?? null
  const place = placeText({ ...airport, region })
  const runways = runwaysText(answer)
  return [
    recommendation,
    ...securityText(whole),
    ...immigrationText(whole),
    ...delaysText(answer),
    ...delays.details.map((detail) => `- ${detail}`),
    ...(weather_alerts ?? []).flatMap(({ text }) => (recommendation.includes(text) ? [] : `- ${text}`)),
    weather ? `Weather${agoText(weather.age_seconds)}: ${weather.summary}` : 'No weather report.',
    `${airport.name}, ${place}: it is ${clockOf(local_now)} on ${dayText(local_now)} there.`,
    `${runways === null ? '' : `${sentenceOf(runways)} `}${terminalsText(answer, whole.terminals.length)}`,
  ].join('\n')
}
