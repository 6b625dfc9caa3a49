import type { Airport } from '../../config/airports/directory.ts'
import { noFlightsText } from '../../config/airports/without-flights.ts'
import type { QueueWait, SourceFigure } from '../../config/answer-schemas.ts'
import { isoUtc, type QueueStatus } from '../../config/vocabulary.ts'
import { type DelayState, ownPrograms } from '../../warehouse/publishing/read/delays.ts'
import type { WeatherAlert } from '../../warehouse/publishing/read/weather-alerts.ts'
import { type AlertNews, alertNews, isDisruptive, nearAlerts } from './alert-news.ts'
import { closedToAirlines, closurePeriod, closureText, isOpeningUnknown, isShutHour } from './closure.ts'
import { type DelayNews, delayNews } from './delay-news.ts'
import { type OtherLane, otherLanesText } from './other-lanes.ts'
import { otherSourcesText } from './source-figures.ts'
import {
  barsOf,
  limitedLine,
  type MeasuredPart,
  measuredPart,
  placedText,
  spreadOf,
  spreadPart,
  type WaitSpread,
} from './spread.ts'
import { closureLines, isLimited, limitedFigure, rangeFigure, statesOf } from './terminal-state.ts'
import { ageText, agoText, capitalised, ifOpenShort, sentenceOf, sourceText } from './text.ts'
import { nearestServedText } from './unserved.ts'
import { presentHazard } from './weather-text.ts'
import { opensText, waitProvenance } from './words.ts'

/** Facts for the statement of a wait: answers as their tier sees them. */
export interface WaitFacts {
  airport: Pick<Airport, 'iata' | 'timezone' | 'scheduled_service'>
  /** Epoch milliseconds. */
  now: number
  /** The wait with the terminals that may be shown, and all fields at every level. */
  security: QueueWait
  /** The differences behind the figure, for viewers without terminals. */
  spread?: WaitSpread | null
  /** The 80 % interval of an estimate, and the lanes of others that are observed; null ends where the wait is observed. */
  estimate: { low: number | null; high: number | null; other_lanes?: readonly OtherLane[] }
  /** What each of several live sources says. */
  by_source?: readonly SourceFigure[]
  /** The newest weather report of the airport. */
  weather?: Parameters<typeof presentHazard>[0]
  /** The forecast of the next hour, and how probable it is that security is open then; null probability: nothing shows it. */
  next: {
    low: number | null
    high: number | null
    valid_at: string | null
    status: QueueStatus
    open_probability: number | null
  }
  delays: Pick<DelayState, 'programs' | 'closures' | 'age_seconds' | 'source'>
  /** Ordered by their effect on plans. */
  alerts: readonly WeatherAlert[]
}

/** The wait of an airport in words and figures: one rule for pages, pictures, rows, tools, views and messages. */
export interface WaitStatement extends MeasuredPart {
  /** An estimate is not measured here: it is drawn lighter, hatched and smaller. */
  kind: 'measured' | 'estimate' | 'closed' | 'unknown'
  /** The forecast of the next hour; null if none is known or nobody may fly or pass then. */
  next: NextHour | null
  /** The source of the figure, as a sentence. */
  known: string
  /** How old a measured figure is: `3 min ago`; null for every other one. */
  age: string | null
  /** Whether that is so long that the queue may have changed. */
  is_old: boolean
  /** `another source says 45 min` where that differs more than usual from a measured figure; null for every other one. */
  other_sources: string | null
  delay: DelayNews | null
  /** The weather alert that changes plans most, of those that hold now or begin within a day. */
  alert: AlertNews | null
  /** Weather of now that delays flights; null without any, and where a closure, a delay or an alert is shown that holds and delays flights. */
  weather: WeatherNews | null
}

interface WeatherNews {
  title: 'Weather'
  /** `strong wind, gusts of 37 kt: delays are likely at busy airports`. */
  line: string
}

interface NextHour {
  /** `5–13 min`, `5–13 min if open then`. */
  range: string
  /** `Next hour 5–13 min`; `Rising: 5–13 min in the next hour` or `Falling: …` if the whole forecast is above or below the waits measured now. */
  text: string
}

export type News = DelayNews | AlertNews | WeatherNews

/** The delay of an airport, its weather and its weather alert, in the order of their effect on plans: two of them, for which there is room. */
export const newsOf = ({ delay, alert, weather }: WaitStatement): News[] =>
  (alert?.is_grave && alert.from === null ? [alert, delay] : [delay, weather, alert])
    .filter((news) => news !== null)
    .slice(0, 2)

/** The same where there is no room for more: `Ground delay`, `Blizzard warning from 19:00`, and `Another source says 45 min`. Of alerts those alone that may stop flights. */
export function newsTitles(card: WaitStatement): string[] {
  const titles = newsOf(card)
    .filter((news) => news !== card.weather && (news !== card.alert || card.alert.is_grave))
    .map((news) => [news.title, 'from' in news && news.from].filter(Boolean).join(' '))
  return card.other_sources === null ? titles : [...titles, capitalised(card.other_sources)]
}

/** One of them as a line: `Ground stop: flights to JFK do not take off`, `Blizzard warning until 18:00: flights may stop or be cancelled`. */
export const newsLine = (news: News): string => `${news.title}${'period' in news ? '' : ':'} ${news.line}`

/** The figure in a row, with its age where the queue may have changed: `14 min at T4`, `14 min at T4, 5 h ago`. */
export const rowLine = ({ line, age, is_old }: WaitStatement): string => (is_old ? `${line}, ${age}` : line)

const CLOSED_TO_AIRLINES = 'Closed to airlines'

type WaitPart = Omit<WaitStatement, 'next' | 'delay' | 'alert' | 'weather'>
const NO_PARTS = {
  closures: [],
  bars: [],
  range: null,
  longest: null,
  age: null,
  is_old: false,
  other_sources: null,
}

/** An estimated wait in a few words: `about 2–12 min`, `about 7 min` where its range is not known. */
export const estimateText = (minutes: number, { low, high }: { low: number | null; high: number | null }): string =>
  low === null || low === high ? `about ${minutes} min` : `about ${low}–${high} min`

/** The wait of an airport, as everybody reads it. */
export function waitStatement(facts: WaitFacts): WaitStatement {
  const { airport, now, delays, alerts } = facts
  const [first] = nearAlerts(alerts, now)
  const alert = first === undefined ? null : alertNews(first, airport, now)
  const part = closedAirport(facts) ?? waitPart(facts)
  // The closure of the airport is the figure itself.
  const isShut = part.figure === CLOSED_TO_AIRLINES
  const delay = isShut ? null : delayNews(delays, airport, now)
  const isDelayed = ownPrograms(delays.programs, now).present.length > 0
  const isShown = isShut || isDelayed || (first !== undefined && alert?.from === null && isDisruptive(first))
  const hazard = isShown ? null : presentHazard(facts.weather)
  return {
    ...part,
    next: part.kind === 'unknown' ? null : nextHour(facts, part.range),
    delay,
    alert,
    weather: hazard === null ? null : { title: 'Weather', line: hazard },
  }
}

/** While no airline may fly there is no wait to show. */
function closedAirport({ airport, now, delays }: WaitFacts): WaitPart | null {
  const closure = closedToAirlines(delays.closures, airport.timezone, now)
  if (!closure) return null
  return {
    kind: 'closed',
    figure: CLOSED_TO_AIRLINES,
    detail: closurePeriod(closure),
    line: closureText({ ...closure, repeats: null }),
    known: closureProvenance(delays),
    ...NO_PARTS,
  }
}

/** Where a closure is from: a feed, or the custom of a holiday, which no feed states. */
const closureProvenance = ({ source, age_seconds, closures }: WaitFacts['delays']): string =>
  source === null
    ? `It closes for ${closures.find(({ in_force }) => in_force)?.reason ?? 'a holiday'} every year, at about these hours.`
    : `Stated${agoText(age_seconds)} by ${sourceText(source)}.`

function waitPart(facts: WaitFacts): WaitPart {
  const { airport, now, security, estimate, spread = null } = facts
  const { average_wait_minutes: average, status, basis } = security
  const known = waitProvenance(security)
  if (status === 'closed') return closedSecurity(facts, known)
  const isEstimate = basis === 'predicted' || basis === 'typical'
  const ifOpen = conditionOf(facts)
  const unknown = { kind: 'unknown' as const, figure: 'Not known', detail: '', line: 'not known', ...NO_PARTS }
  if (!airport.scheduled_service && (isEstimate || average === null)) {
    const more = noFlightsText(airport.iata) ?? nearestServedText(airport.iata)
    const known = more === null ? '' : sentenceOf(more)
    return { ...unknown, figure: 'No scheduled flights', line: 'no scheduled flights', known }
  }
  if (average === null) return { ...unknown, known }
  if (isEstimate) {
    const { other_lanes = [] } = estimate
    const figure = estimateText(average, estimate)
    const observed = otherLanesText(other_lanes)
    return {
      kind: 'estimate',
      figure,
      detail: `at security${ifOpen}`,
      line: `${figure}${ifOpen}`,
      known: [observed, known].filter(Boolean).join(' '),
      ...NO_PARTS,
    }
  }
  const age = security.age_seconds === null ? null : `${ageText(security.age_seconds)} ago`
  const part =
    spread?.standard_lanes && security.terminals.length === 0
      ? spreadPart(average, spread.standard_lanes, spread.without_wait, airport.timezone, now)
      : measuredPart(average, security.terminals, airport.timezone, now)
  const { detail, line } = part
  const other_sources = otherSourcesText(facts.by_source ?? [])
  return {
    ...part,
    kind: 'measured',
    known: other_sources === null ? known : `${known} ${sentenceOf(other_sources)}`,
    age,
    is_old: security.freshness === 'stale',
    other_sources,
    detail: `${detail}${ifOpen}`,
    line: `${line}${ifOpen}`,
  }
}

/** The condition of a figure, which may be that of a closed queue: ` if open now`; empty for every other one. */
const conditionOf = ({ security: { average_wait_minutes, ...queue }, airport, now }: WaitFacts): string =>
  ifOpenShort({ ...queue, wait_minutes: average_wait_minutes }, airport.timezone, isoUtc(now))

/** All standard lanes are closed; another lane may be open. */
function closedSecurity({ airport: { timezone }, now, security, spread = null }: WaitFacts, known: string): WaitPart {
  const { terminals } = security
  const states = terminals.length > 0 ? statesOf(terminals) : (spread?.without_wait ?? [])
  const opens = opensText(security, timezone, now)
  if (states.some(isLimited))
    return {
      ...NO_PARTS,
      ...limitedFigure(states),
      kind: 'closed',
      closures: closureLines(
        states.filter((state) => !isLimited(state)),
        timezone,
        now,
      ),
      known: [opens && `For everybody else it ${opens}.`, known].filter(Boolean).join(' '),
      bars: barsOf(terminals, timezone, now),
    }
  return {
    kind: 'closed',
    figure: 'Security closed',
    detail: opens,
    line: ['closed', opens].filter(Boolean).join(', '),
    known: opens === '' ? `${known} When it opens is not known.` : known,
    ...NO_PARTS,
  }
}

/** The forecast of the next hour beside the waits measured now; null if security or the airport is closed then. */
function nextHour(facts: WaitFacts, range: WaitPart['range']): NextHour | null {
  const { next, security, delays, airport } = facts
  const { low, high, valid_at } = next
  if (low === null || high === null || valid_at === null) return null
  if (isOpeningUnknown(security) || isShutHour(Date.parse(valid_at), delays.closures, security)) return null
  const isUnsure =
    next.open_probability === null &&
    ifOpenShort({ status: next.status, basis: 'predicted', wait_minutes: low }, airport.timezone, valid_at) !== ''
  const expected = `${rangeFigure({ low, high })} min${isUnsure ? ' if open then' : ''}`
  // A wait of a queue that may be closed is no start of a trend, and neither is one of hours ago.
  const measured = conditionOf(facts) === '' && security.freshness !== 'stale' ? range : null
  if (measured && low > measured.high) return { range: expected, text: `Rising: ${expected} in the next hour` }
  if (measured && high < measured.low) return { range: expected, text: `Falling: ${expected} in the next hour` }
  return { range: expected, text: `Next hour ${expected}` }
}

/** A queue on a map or in a list: `7–25 min by terminal`, `0 min at T4 if open now`, of an estimate `about 2–12 min`; without a wait `closed, opens about 04:00`, or what is open: `PreCheck only, 3 min at T5`. `text` has how it is known: `7–25 min by terminal, measured 2 min ago`. */
export function mappedQueue(
  queue: QueueWait,
  estimate: { low: number | null; high: number | null } | null,
  timezone: string,
  now: number,
): { figure: string; text: string } {
  const { status, basis, age_seconds, average_wait_minutes: average } = queue
  const spread = spreadOf(queue, timezone, now)
  if (average === null || status === 'closed') {
    const closed = ['closed', opensText(queue, timezone, now)].filter(Boolean).join(', ')
    const figure = limitedLine(spread) ?? closed
    return { figure, text: figure }
  }
  const minutes = Math.round(average)
  const wait = estimate === null ? placedText(minutes, spread) : estimateText(minutes, estimate)
  const figure = `${wait}${ifOpenShort({ status, basis, wait_minutes: average }, timezone, isoUtc(now))}`
  return { figure, text: `${figure}, ${basis}${agoText(age_seconds)}` }
}
