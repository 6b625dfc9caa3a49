import { z } from 'zod'
import type { Airport } from '../../config/airports/directory.ts'
import { noFlightsText } from '../../config/airports/without-flights.ts'
import {
  type CheckpointWait,
  Instant,
  nullableMinutes,
  type QueueWait,
  ReopensBasis,
  type TerminalWait,
} from '../../config/answers.ts'
import { isStandardLane, Lane } from '../../config/domain.ts'
import { groupBy } from '../../config/group-by.ts'
import { LANE_NAMES } from '../../config/lanes.ts'
import { quoted } from '../../config/outside-text.ts'
import { compareNames, shownName, WHOLE_AIRPORT } from '../../config/terminal-name.ts'
import type { DelayState } from '../../warehouse/publishing/read/delays.ts'
import type { WeatherAlert } from '../../warehouse/publishing/read/weather-alerts.ts'
import { type AlertNews, alertNews, nearAlerts } from './alert-news.ts'
import { closedToAirlines, closurePeriod, closureText } from './closure.ts'
import { type DelayNews, delayNews } from './delay-news.ts'
import { ageText, agoText, checkpointText, listText, waitText } from './text.ts'
import { opensText, shortTerminal, sourceText, waitProvenance } from './words.ts'

/** What the statement of a wait is made from: answers as their tier sees them. */
export interface WaitFacts {
  airport: Pick<Airport, 'iata' | 'timezone' | 'scheduled_service'>
  /** Epoch milliseconds. */
  now: number
  /** With the terminals that may be shown, and all fields at every level. */
  security: QueueWait
  /** What differs behind the figure, for somebody who sees no terminals. */
  spread?: WaitSpread | null
  /** The 80 % interval of an estimate; null ends where the wait is observed. */
  estimate: { low: number | null; high: number | null }
  /** The forecast of the next hour. */
  next: { low: number | null; high: number | null; valid_at: string | null }
  delays: Pick<DelayState, 'programs' | 'closures' | 'age_seconds' | 'source'>
  /** In the order in which they change plans. */
  alerts: readonly WeatherAlert[]
}

/** The wait of an airport in words and figures: one rule for pages, pictures, rows, tools, views and messages. */
export interface WaitStatement {
  /** An estimate is not measured here: it is drawn lighter, hatched and smaller. */
  kind: 'measured' | 'estimate' | 'closed' | 'unknown'
  /** `14 min`, `4–15 min`, `about 2–13 min`, `Security closed`, `Closed to airlines`, `PreCheck only`, `Not known`. */
  figure: string
  /** What the figure is of: `at security`, `at T4 and T5`, `by terminal, 8 min on average`, `opens about 03:15`; may be empty. */
  of: string
  /** All of it in one line: `14 min`, `5–19 min by terminal`, `0 min at T4 and T5`, `closed, opens about 03:15`, `closed to airlines until 06:30`, `not known`. */
  line: string
  /** What is closed, or open for some only, while other terminals are open: sentences without a full stop. */
  closures: string[]
  /** What differs behind the figure, by terminal or by checkpoint; empty where one bar would be all. */
  bars: WaitBar[]
  /** The shortest and the longest wait behind a measured figure, in whole minutes; null where there is none. */
  range: { low: number; high: number } | null
  /** Where the longest wait is; null where it is the same everywhere or the place has no name. */
  longest: { place: string; wait_minutes: number } | null
  /** The expected range of the next hour; null where none is known or nobody may fly or pass then. */
  next: string | null
  /** Where the figure comes from, as a sentence. */
  known: string
  /** How old a measured figure is: `3 min ago`; null for every other one. */
  age: string | null
  delay: DelayNews | null
  /** The weather alert that changes plans most, of those that hold now or begin within a day. */
  alert: AlertNews | null
}

/** The waits behind one door: from the shortest to the longest in whole minutes; null minutes where there are none. */
export interface WaitBar {
  name: string
  low: number | null
  high: number | null
  /** `5–19`, `closed`, `PreCheck only`, `–`. */
  label: string
  /** `5–19 min`, `closed until about 04:00`, `PreCheck only, 3 min`, `wait not known`. */
  words: string
}

/** From this difference in minutes on, a range is shown in place of the average. */
const SHOWN_DIFFERENCE = 3

const CLOSED_TO_AIRLINES = 'Closed to airlines'

type WaitPart = Omit<WaitStatement, 'next' | 'delay' | 'alert'>
const NO_PARTS = { closures: [], bars: [], range: null, longest: null, age: null }

/** The wait of an airport, as everybody reads it. */
export function waitStatement(facts: WaitFacts): WaitStatement {
  const { airport, now, delays, alerts } = facts
  const [alert] = nearAlerts(alerts, now)
  const part = closedAirport(facts) ?? waitPart(facts)
  return {
    ...part,
    next: part.kind === 'unknown' ? null : nextText(facts),
    // What closes the airport is the figure itself.
    delay: part.figure === CLOSED_TO_AIRLINES ? null : delayNews(delays, airport, now),
    alert: alert === undefined ? null : alertNews(alert, airport, now),
  }
}

/** While no airline may fly there is no wait to show. */
function closedAirport({ airport, now, delays }: WaitFacts): WaitPart | null {
  const closure = closedToAirlines(delays.closures, airport.timezone, now)
  if (!closure) return null
  return {
    kind: 'closed',
    figure: CLOSED_TO_AIRLINES,
    of: closurePeriod(closure),
    line: closureText({ ...closure, repeats: null }),
    known: `Stated${agoText(delays.age_seconds)} by ${sourceText(delays.source)}.`,
    ...NO_PARTS,
  }
}

function waitPart(facts: WaitFacts): WaitPart {
  const { airport, now, security, estimate, spread = null } = facts
  const { average_wait_minutes: average, status, basis } = security
  const known = waitProvenance(security)
  if (status === 'closed') return closedSecurity(facts, known)
  const isEstimate = basis === 'predicted' || basis === 'typical'
  const unknown = { kind: 'unknown' as const, figure: 'Not known', of: '', line: 'not known', ...NO_PARTS }
  if (isEstimate && !airport.scheduled_service)
    return { ...unknown, known: noFlightsText(airport.iata) ?? 'No scheduled passenger flights are known here.' }
  if (average === null) return { ...unknown, known }
  if (isEstimate) {
    const { low, high } = estimate
    const figure = low === null || low === high ? `about ${average} min` : `about ${low}–${high} min`
    return { kind: 'estimate', figure, of: 'at security', line: figure, known, ...NO_PARTS }
  }
  const age = security.age_seconds === null ? null : `${ageText(security.age_seconds)} ago`
  const part =
    spread !== null && security.terminals.length === 0
      ? spreadPart(average, spread, airport.timezone, now)
      : measuredPart(average, security.terminals, airport.timezone, now)
  return { kind: 'measured', known, age, ...part }
}

/** All standard lanes are closed; another lane may be open. */
function closedSecurity({ airport: { timezone }, now, security }: WaitFacts, known: string): WaitPart {
  const only = security.terminals.filter((terminal) => onlyLanes(terminal).length > 0)
  if (only.length > 0) {
    const lanes = listText([...new Set(only.flatMap(onlyLanes).map(({ lane }) => LANE_NAMES[lane]))])
    const of = atPlaces(only.map(({ terminal }) => shortTerminal(terminal)))
    const figure = `${lanes} only`
    const bars = barsOf(security.terminals, timezone, now)
    return { ...NO_PARTS, kind: 'closed', figure, of, line: `${figure} ${of}`.trim(), known, bars }
  }
  const of = opensText(security, timezone, now)
  return {
    kind: 'closed',
    figure: 'Security closed',
    of,
    line: ['closed', of].filter(Boolean).join(', '),
    known: of === '' ? `${known} When it opens is not known.` : known,
    ...NO_PARTS,
  }
}

type MeasuredPart = Pick<WaitStatement, 'figure' | 'of' | 'line' | 'closures' | 'bars' | 'range' | 'longest'>

/** A measured wait without its terminals: its range, where it is longest, and what is closed. */
function spreadPart(average: number, spread: WaitSpread, timezone: string, now: number): MeasuredPart {
  const { shortest_minutes: low, longest_minutes: high, longest_at: place, without_wait } = spread
  const isRange = hasRange(spread)
  const figure = isRange ? `${low}–${high} min` : `${average} min`
  const at = place === null ? [] : [`longest at ${place}`]
  return {
    figure,
    of: isRange ? [...at, `${average} min on average`].join(', ') : 'at security',
    line: figure,
    closures: closureLines(without_wait, timezone, now),
    bars: [],
    range: { low, high },
    longest: isRange && place !== null ? { place, wait_minutes: high } : null,
  }
}

function measuredPart(
  average: number,
  terminals: readonly TerminalWait[],
  timezone: string,
  now: number,
): MeasuredPart {
  const bars = barsOf(terminals, timezone, now)
  const waiting = bars.filter((bar): bar is WaitBar & { low: number; high: number } => bar.low !== null)
  const [low, high] = [Math.min(...waiting.map((bar) => bar.low)), Math.max(...waiting.map((bar) => bar.high))]
  const isRange = waiting.length > 0 && high - low >= SHOWN_DIFFERENCE
  const longest = isRange && waiting.length > 1 ? waiting.find((bar) => bar.high === high) : undefined
  const places = waiting.length < bars.length ? atPlaces(waiting.map(({ name }) => name)) : ''
  const withWait = terminals.filter(({ wait_minutes }) => wait_minutes !== null)
  const door =
    withWait.length < 2 || withWait.some((terminal) => isByCheckpoint(terminal, terminals)) ? 'checkpoint' : 'terminal'
  const figure = isRange ? `${low}–${high} min` : `${average} min`
  // A range within one door that is named is that of the door.
  const of = isRange && waiting.length > 1 ? `by ${door}` : places
  return {
    figure,
    of: isRange ? [of, `${average} min on average`].filter(Boolean).join(', ') : of || 'at security',
    line: `${figure} ${of}`.trim(),
    closures: closureLines(statesOf(terminals), timezone, now),
    bars: isRange || waiting.length < bars.length ? bars : [],
    range: waiting.length === 0 ? { low: average, high: average } : { low, high },
    longest: longest
      ? { place: door === 'checkpoint' ? checkpointText(longest.name) : longest.name, wait_minutes: longest.high }
      : null,
  }
}

/** `at T4 and T5`; empty where one of them is the whole airport. */
function atPlaces(names: readonly string[]): string {
  return names.length === 0 || names.includes(shortTerminal(WHOLE_AIRPORT)) ? '' : `at ${listText(names)}`
}

/** One bar for each terminal; for each checkpoint where there is one terminal alone, and of those whose terminal is not named. */
function barsOf(terminals: readonly TerminalWait[], timezone: string, now: number): WaitBar[] {
  const bars = terminals.flatMap((terminal) =>
    isByCheckpoint(terminal, terminals)
      ? standardLanes(terminal).map((lane) => waitingBar(checkpointName(lane), [lane.wait_minutes!]))
      : [terminalBar(terminal, timezone, now)],
  )
  return bars.sort((a, b) => compareNames(a.name, b.name))
}

const isByCheckpoint = (terminal: TerminalWait, { length }: readonly TerminalWait[]) =>
  (length === 1 || terminal.terminal === WHOLE_AIRPORT) &&
  terminal.wait_minutes !== null &&
  standardLanes(terminal).length > 0

function terminalBar(terminal: TerminalWait, timezone: string, now: number): WaitBar {
  const name = shortTerminal(terminal.terminal)
  const minutes = standardLanes(terminal).map(({ wait_minutes }) => wait_minutes!)
  if (terminal.wait_minutes !== null) return waitingBar(name, minutes.length === 0 ? [terminal.wait_minutes] : minutes)
  const state = stateOf(terminal)
  const label = state.status === 'limited' ? onlyText(state.open_lanes) : state.status === 'closed' ? 'closed' : '–'
  return { name, low: null, high: null, label, words: stateWords(state, timezone, now) }
}

function waitingBar(name: string, minutes: readonly number[]): WaitBar {
  const [low, high] = [Math.min(...minutes), Math.max(...minutes)]
  const label = low === high ? String(low) : `${low}–${high}`
  return { name, low, high, label, words: `${label} min` }
}

/** The open lanes that everybody may use. */
const standardLanes = ({ checkpoints }: TerminalWait): CheckpointWait[] =>
  checkpoints.filter(({ lane, wait_minutes }) => wait_minutes !== null && isStandardLane(lane))

/** The open lanes of a terminal whose standard lanes are closed. */
function onlyLanes({ wait_minutes, status, checkpoints }: TerminalWait): CheckpointWait[] {
  if (wait_minutes !== null || status !== 'open') return []
  if (checkpoints.some(({ lane, status: of }) => isStandardLane(lane) && of !== 'closed')) return []
  return checkpoints.filter(({ lane, status: of }) => !isStandardLane(lane) && of === 'open')
}

const onlyText = (lanes: readonly Lane[]) => `${listText(lanes.map((lane) => LANE_NAMES[lane]))} only`

/** A terminal without a wait for everybody: closed, open for some only, or not known. */
export const TerminalState = z.strictObject({
  terminal: z.string(),
  status: z
    .enum(['closed', 'limited', 'unknown'])
    .describe('limited: its standard lanes are closed, another lane is open.'),
  open_lanes: z.array(Lane).describe('The open lanes of a limited terminal.'),
  lane_minutes: nullableMinutes.describe('The shortest wait of these lanes.'),
  reopens_at: Instant.nullable().describe('When a closed one is expected to open; null: not known.'),
  reopens_basis: ReopensBasis.nullable(),
})
export type TerminalState = z.output<typeof TerminalState>

function stateOf(terminal: TerminalWait): TerminalState {
  const { terminal: name, status, reopens_at, reopens_basis } = terminal
  const lanes = onlyLanes(terminal)
  const shortest = Math.min(...lanes.flatMap(({ wait_minutes }) => wait_minutes ?? []))
  return {
    terminal: name,
    status: lanes.length > 0 ? 'limited' : status === 'closed' ? 'closed' : 'unknown',
    open_lanes: [...new Set(lanes.map(({ lane }) => lane))],
    lane_minutes: Number.isFinite(shortest) ? shortest : null,
    reopens_at: status === 'closed' ? reopens_at : null,
    reopens_basis: status === 'closed' ? reopens_basis : null,
  }
}

/** The terminals that have no wait for everybody. */
const statesOf = (terminals: readonly TerminalWait[]) =>
  terminals.filter(({ wait_minutes }) => wait_minutes === null).map(stateOf)

/** `closed until about 04:00`, `PreCheck only, 3 min`, `wait not known`. */
function stateWords(
  { status, open_lanes, lane_minutes, ...opening }: TerminalState,
  timezone: string,
  now: number,
): string {
  if (status === 'unknown') return 'wait not known'
  if (status === 'closed') return `closed ${opensText(opening, timezone, now).replace(/^opens/, 'until')}`.trim()
  return `${onlyText(open_lanes)}${lane_minutes === null ? '' : `, ${lane_minutes} min`}`
}

/** What a terminal without a wait is: `closed until about 04:00`, `PreCheck only, 3 min`, `wait not known`; null where it has one. */
export const withoutWaitText = (terminal: TerminalWait, timezone: string, now: number): string | null =>
  terminal.wait_minutes === null ? stateWords(stateOf(terminal), timezone, now) : null

/** What differs behind the one figure of an airport. */
export const WaitSpread = z
  .strictObject({
    shortest_minutes: z.int().min(0),
    longest_minutes: z.int().min(0),
    longest_at: z
      .string()
      .nullable()
      .describe('The terminal or checkpoint with the longest wait; null where all are alike.'),
    without_wait: z
      .array(TerminalState)
      .describe('Terminals that are closed, open for some only, or without a figure.'),
  })
  .meta({
    id: 'WaitSpread',
    description: 'The waits of the open lanes behind a measured figure, and the terminals without one.',
  })
export type WaitSpread = z.output<typeof WaitSpread>

/** The spread of a measured wait; null where there is no figure, or nothing differs. */
export function spreadOf(
  { average_wait_minutes, basis, terminals }: QueueWait,
  timezone: string,
  now: number,
): WaitSpread | null {
  if (average_wait_minutes === null || (basis !== 'measured' && basis !== 'reported')) return null
  const { range, longest, bars } = measuredPart(average_wait_minutes, terminals, timezone, now)
  if (range === null || bars.length === 0) return null
  return {
    shortest_minutes: range.low,
    longest_minutes: range.high,
    longest_at: longest?.place ?? null,
    without_wait: statesOf(terminals),
  }
}

/** The shortest and longest wait behind the figure of a queue, the figure itself where nothing differs enough to be said; null without one. */
export function rangeOf(queue: QueueWait, timezone: string, now: number): { low: number; high: number } | null {
  const { average_wait_minutes: average } = queue
  if (average === null) return null
  const spread = spreadOf(queue, timezone, now)
  return spread !== null && hasRange(spread)
    ? { low: spread.shortest_minutes, high: spread.longest_minutes }
    : { low: average, high: average }
}

/** `7–25`, or one figure where the ends are the same. */
export const rangeFigure = ({ low, high }: { low: number; high: number }): string =>
  low === high ? String(Math.round(high)) : `${Math.round(low)}–${Math.round(high)}`

/** A queue on a map: `7–25 min, measured 2 min ago`; `closed, opens about 04:00` where it has no range. */
export function mappedText(
  queue: QueueWait,
  range: { low: number; high: number } | null,
  timezone: string,
  now: number,
): string {
  const { basis, age_seconds } = queue
  if (range !== null) return `${rangeFigure(range)} min, ${basis}${agoText(age_seconds)}`
  return ['closed', opensText(queue, timezone, now)].filter(Boolean).join(', ')
}

const hasRange = ({ shortest_minutes, longest_minutes }: WaitSpread) =>
  longest_minutes - shortest_minutes >= SHOWN_DIFFERENCE

/** Names that are ours, or a number or letter of a feed; every other one is a feed's own words. */
const PLAIN_PLACE = /^(T\d{1,2}[A-Z]?|(Terminal|checkpoint) [A-Z0-9]{1,3}|whole airport)$/i

/** A place within a sentence: `T4`, `checkpoint 5`, `“Domestic”`. */
const placeText = (name: string) => (PLAIN_PLACE.test(name) ? name : quoted(name))

/** A figure as one reads it: `5–19 min`, or the average alone where nothing differs, `about 9 minutes`, `short` `9 min`, of an empty queue `no wait`; `rest` has what differs: `longest at T4; T5 closed until about 04:00; 9 min on average`. */
export function spreadText(
  average: number,
  spread: WaitSpread | null,
  timezone: string,
  now: number,
): { figure: string; short: string; rest: string } {
  const one = { figure: waitText(average), short: average === 0 ? waitText(0) : `${average} min` }
  if (spread === null) return { ...one, rest: '' }
  const { shortest_minutes: low, longest_minutes: high, longest_at, without_wait } = spread
  const isRange = hasRange(spread)
  const parts = [
    isRange && longest_at !== null && `longest at ${placeText(longest_at)}`,
    ...without_wait.map((state) => `${placeText(shortTerminal(state.terminal))} ${stateWords(state, timezone, now)}`),
    isRange && `${average} min on average`,
  ]
  const range = `${low}–${high} min`
  return { ...(isRange ? { figure: range, short: range } : one), rest: parts.filter(Boolean).join('; ') }
}

/** What differs behind the average of an airport, as a message says it beside that average: `5–19 min, longest at T4; T5 closed`; empty where nothing does. */
export function behindText(average: number, queue: QueueWait, timezone: string, now: number): string {
  const spread = spreadOf(queue, timezone, now)
  if (spread === null) return ''
  const { figure, rest } = spreadText(average, spread, timezone, now)
  return hasRange(spread) ? `${figure}, ${rest}` : rest
}

const checkpointName = ({ checkpoint }: CheckpointWait) =>
  checkpoint === WHOLE_AIRPORT ? shortTerminal(WHOLE_AIRPORT) : shownName(checkpoint).replace(/^checkpoint\s+/i, '')

/** `T1, T7, T8 closed until about 04:00`: terminals of which the same is said are named together. */
function closureLines(states: readonly TerminalState[], timezone: string, now: number): string[] {
  const stated = states.filter(({ status }) => status !== 'unknown')
  const byWords = groupBy(stated, (state) => stateWords(state, timezone, now))
  return [...byWords].map(([words, alike]) => `${listText(alike.map((one) => shortTerminal(one.terminal)))} ${words}`)
}

/** `Next hour 5–13 min`; null where security or the airport is closed then. */
function nextText({ next, security, delays, airport, now }: WaitFacts): string | null {
  const { low, high, valid_at } = next
  if (low === null || high === null || valid_at === null) return null
  const closure = closedToAirlines(delays.closures, airport.timezone, now)
  if (closure && (closure.until === null || valid_at < closure.until)) return null
  const { status, reopens_at } = security
  const isOpen = status !== 'closed' || (reopens_at !== null && Date.parse(valid_at) >= Date.parse(reopens_at))
  return isOpen ? `Next hour ${low === high ? low : `${low}–${high}`} min` : null
}
