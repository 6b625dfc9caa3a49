import { z } from 'zod'
import type { Airport } from '../../config/airports/directory.ts'
import { noFlightsText } from '../../config/airports/without-flights.ts'
import {
  type CheckpointWait,
  Instant,
  nullableMinutes,
  provenance,
  type QueueWait,
  ReopensBasis,
  type TerminalWait,
} from '../../config/answers.ts'
import { isRestrictedLane, isStandardLane, Lane } from '../../config/domain.ts'
import { groupBy } from '../../config/group-by.ts'
import { LANE_NAMES, laneText } from '../../config/lanes.ts'
import { compareNames, shownName, WHOLE_AIRPORT } from '../../config/terminal-name.ts'
import type { DelayState } from '../../warehouse/publishing/read/delays.ts'
import type { WeatherAlert } from '../../warehouse/publishing/read/weather-alerts.ts'
import { standardStatus } from '../../warehouse/publishing/waits/standard-lanes.ts'
import { type AlertNews, alertNews, nearAlerts } from './alert-news.ts'
import { closedToAirlines, closurePeriod, closureText } from './closure.ts'
import { type DelayNews, delayNews } from './delay-news.ts'
import {
  ageText,
  agoText,
  basisText,
  checkpointText,
  closedText,
  listText,
  placeText,
  sentenceOf,
  shortTerminal,
  sourceText,
  waitText,
} from './text.ts'
import { unservedText } from './unserved.ts'
import { opensText, waitFigure, waitProvenance } from './words.ts'

/** What the statement of a wait is made from: answers as their tier sees them. */
export interface WaitFacts {
  airport: Pick<Airport, 'iata' | 'timezone' | 'scheduled_service'>
  /** Epoch milliseconds. */
  now: number
  /** With the terminals that may be shown, and all fields at every level. */
  security: QueueWait
  /** What differs behind the figure, for somebody who sees no terminals. */
  spread?: WaitSpread | null
  /** The 80 % interval of an estimate, and the lanes of others that are observed; null ends where the wait is observed. */
  estimate: { low: number | null; high: number | null; other_lanes?: readonly OtherLane[] }
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
  /** `14 min`, `4–15 min`, `about 2–13 min`, `Security closed`, `Closed to airlines`, `PreCheck only`, `No scheduled flights`, `Not known`. */
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
  if (!airport.scheduled_service && (isEstimate || average === null)) {
    const known = noFlightsText(airport.iata) ?? unservedText(airport.iata) ?? 'No scheduled flights are known here'
    return { ...unknown, figure: 'No scheduled flights', line: 'no scheduled flights', known: sentenceOf(known) }
  }
  if (average === null) return { ...unknown, known }
  if (isEstimate) {
    const { low, high, other_lanes = [] } = estimate
    const figure = low === null || low === high ? `about ${average} min` : `about ${low}–${high} min`
    const observed = otherLanesText(other_lanes)
    return {
      kind: 'estimate',
      figure,
      of: 'at security',
      line: figure,
      known: [observed, known].filter(Boolean).join(' '),
      ...NO_PARTS,
    }
  }
  const age = security.age_seconds === null ? null : `${ageText(security.age_seconds)} ago`
  const part =
    spread?.standard_lanes && security.terminals.length === 0
      ? spreadPart(average, spread.standard_lanes, spread.without_wait, airport.timezone, now)
      : measuredPart(average, security.terminals, airport.timezone, now)
  return { kind: 'measured', known, age, ...part }
}

/** All standard lanes are closed; another lane may be open. */
function closedSecurity({ airport: { timezone }, now, security, spread = null }: WaitFacts, known: string): WaitPart {
  const { terminals } = security
  const states = terminals.length > 0 ? statesOf(terminals) : (spread?.without_wait ?? [])
  const of = opensText(security, timezone, now)
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
      known: [of && `For everybody else it ${of}.`, known].filter(Boolean).join(' '),
      bars: barsOf(terminals, timezone, now),
    }
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
function spreadPart(
  average: number,
  lanes: StandardLanes,
  without_wait: readonly TerminalState[],
  timezone: string,
  now: number,
): MeasuredPart {
  const { shortest_minutes: low, longest_minutes: high, longest_at: place } = lanes
  const isRange = hasRange(lanes)
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

interface TerminalLanes<Lane> extends Pick<TerminalWait, 'wait_minutes' | 'status'> {
  checkpoints: Lane[]
}

/** The figure of a terminal: `9 min`, `closed`, `PreCheck only`, `not known`. */
export function terminalFigure(terminal: TerminalLanes<Pick<CheckpointWait, 'lane' | 'status'>>): string {
  const lanes = onlyLanes(terminal)
  if (lanes.length > 0) return onlyText(lanes)
  return waitFigure({ average_wait_minutes: terminal.wait_minutes, status: terminal.status })
}

/** The open lanes of a terminal whose standard lanes are closed. */
function onlyLanes<Lane extends Pick<CheckpointWait, 'lane' | 'status'>>({
  wait_minutes,
  status,
  checkpoints,
}: TerminalLanes<Lane>): Lane[] {
  if (wait_minutes !== null || status !== 'open') return []
  if (checkpoints.some(({ lane, status: of }) => isStandardLane(lane) && of !== 'closed')) return []
  return checkpoints.filter(({ lane, status: of }) => isRestrictedLane(lane) && of === 'open')
}

const LaneWait = z
  .strictObject({ lane: Lane, shortest_minutes: nullableMinutes, longest_minutes: nullableMinutes })
  .meta({ id: 'LaneWait', description: 'The waits of one kind of lane over its checkpoints.' })
type LaneWait = z.output<typeof LaneWait>

/** `PreCheck only`, `PreCheck and Priority only`. */
const onlyText = (lanes: readonly Pick<LaneWait, 'lane'>[]) =>
  `${listText([...new Set(lanes.map(({ lane }) => LANE_NAMES[lane]))])} only`

/** A terminal without a wait for everybody: closed, open for some only, or not known. */
export const TerminalState = z.strictObject({
  terminal: z.string(),
  status: z
    .enum(['closed', 'limited', 'unknown'])
    .describe('limited: its standard lanes are closed, another lane is open.'),
  open_lanes: z.array(LaneWait).describe('The open lanes of a limited terminal.'),
  reopens_at: Instant.nullable().describe('When its closed lanes are expected to open; null: not known.'),
  reopens_basis: ReopensBasis.nullable(),
})
export type TerminalState = z.output<typeof TerminalState>

const isLimited = ({ status }: TerminalState) => status === 'limited'

function stateOf(terminal: TerminalWait): TerminalState {
  const lanes = onlyLanes(terminal)
  const { status, reopens_at, reopens_basis } = standardStatus(terminal)
  const isClosed = status === 'closed'
  return {
    terminal: terminal.terminal,
    status: lanes.length > 0 ? 'limited' : isClosed ? 'closed' : 'unknown',
    open_lanes: lanesOf(
      lanes.map(({ lane, wait_minutes }) => ({ lane, shortest_minutes: wait_minutes, longest_minutes: wait_minutes })),
    ),
    reopens_at: isClosed ? reopens_at : null,
    reopens_basis: isClosed ? reopens_basis : null,
  }
}

/** Waits of lanes, each kind of lane once. */
function lanesOf(lanes: readonly LaneWait[]): LaneWait[] {
  return [...groupBy(lanes, ({ lane }) => lane)].map(([lane, alike]) => {
    const known = alike.flatMap(({ shortest_minutes, longest_minutes }) =>
      [shortest_minutes ?? [], longest_minutes ?? []].flat(),
    )
    const isKnown = known.length > 0
    return {
      lane,
      shortest_minutes: isKnown ? Math.min(...known) : null,
      longest_minutes: isKnown ? Math.max(...known) : null,
    }
  })
}

/** What is open where no standard lane is: the lanes over all terminals, their waits (`3 min`, `PreCheck 3 min, Priority 5–9 min`) and where. */
function openLanesOf(states: readonly TerminalState[]): { lanes: LaneWait[]; minutes: string; places: string[] } {
  const limited = states.filter(isLimited)
  const lanes = lanesOf(limited.flatMap(({ open_lanes }) => open_lanes))
  return { lanes, minutes: laneMinutes(lanes), places: limited.map(({ terminal }) => shortTerminal(terminal)) }
}

/** `PreCheck only`, `3 min at T5`, and both in a line. */
function limitedFigure(states: readonly TerminalState[]): Pick<WaitStatement, 'figure' | 'of' | 'line'> {
  const { lanes, minutes, places } = openLanesOf(states)
  const figure = onlyText(lanes)
  const of = [minutes, atPlaces(places)].filter(Boolean).join(' ')
  return { figure, of, line: minutes === '' ? `${figure} ${of}`.trim() : `${figure}, ${of}` }
}

/** The same of a spread, where a row has no room for more: `PreCheck only, 3 min at T5`; null where a standard lane is open or nothing is. */
export const limitedLine = (spread: WaitSpread | null): string | null =>
  spread === null || spread.standard_lanes !== null ? null : limitedFigure(spread.without_wait).line

function laneMinutes(lanes: readonly LaneWait[]): string {
  const figures = lanes.flatMap(({ lane, shortest_minutes: low, longest_minutes: high }) =>
    low === null || high === null
      ? []
      : `${lanes.length === 1 ? '' : `${LANE_NAMES[lane]} `}${rangeFigure({ low, high })} min`,
  )
  return figures.join(', ')
}

/** A lane as the one that somebody may use: `PreCheck`, `the priority lane`. */
const laneNoun = (lane: Lane) => (lane === 'precheck' || lane === 'clear' ? LANE_NAMES[lane] : `the ${laneText(lane)}`)

/** That security is closed for somebody, without a full stop: `Security is closed now`, with lanes that are open for others `Security is closed now for all but PreCheck`. */
export const closedForText = (openLanes: readonly Lane[]): string =>
  `Security is closed now${openLanes.length === 0 ? '' : ` for all but ${listText(openLanes.map(laneNoun))}`}`

/** That only some lanes are open, within a sentence: `only PreCheck is open at JFK, 3 min at T5`; null where a standard lane is open or nothing is. */
export function limitedText(spread: WaitSpread | null, at = ''): string | null {
  if (spread === null || spread.standard_lanes !== null) return null
  const { lanes, minutes, places } = openLanesOf(spread.without_wait)
  const open = `only ${listText(lanes.map(({ lane }) => laneNoun(lane)))} ${lanes.length === 1 ? 'is' : 'are'} open${at}`
  const where = [minutes, places.includes(shortTerminal(WHOLE_AIRPORT)) ? '' : `at ${listText(places.map(placeText))}`]
  return [open, where.filter(Boolean).join(' ')].filter(Boolean).join(', ')
}

/** An observed wait of a lane that not everybody may use, where no lane for everybody is observed. */
export const OtherLane = z
  .strictObject({
    ...LaneWait.shape,
    terminals: z.array(z.string()).describe('Where it is observed; `all`: the source names no terminal.'),
    ...provenance,
  })
  .meta({ id: 'OtherLane', description: 'An observed lane beside a wait that is an estimate.' })
type OtherLane = z.output<typeof OtherLane>

/** The lanes that are observed while the wait of everybody is an estimate; empty for every other queue. */
export function otherLanesOf({ basis, status, terminals }: QueueWait): OtherLane[] {
  if (status === 'closed' || (basis !== 'predicted' && basis !== 'typical')) return []
  const observed = terminals.flatMap(({ terminal, checkpoints }) =>
    checkpoints
      .filter(({ lane, wait_minutes }) => isRestrictedLane(lane) && wait_minutes !== null)
      .map((checkpoint) => ({ ...checkpoint, terminal })),
  )
  return [...groupBy(observed, ({ lane }) => lane)].map(([lane, alike]) => {
    const minutes = alike.map(({ wait_minutes }) => wait_minutes!)
    // As old as the oldest of them.
    const [oldest] = alike.toSorted((a, b) => Date.parse(a.observed_at) - Date.parse(b.observed_at))
    const { basis, observed_at, age_seconds, source, freshness, travellers } = oldest!
    return {
      lane,
      shortest_minutes: Math.min(...minutes),
      longest_minutes: Math.max(...minutes),
      terminals: [...new Set(alike.map(({ terminal }) => terminal))],
      basis,
      observed_at,
      age_seconds,
      source,
      freshness,
      ...(travellers !== undefined && { travellers }),
    }
  })
}

/** That other lanes alone are observed: `PreCheck 3 min at T4 (measured 2 min ago by the airport); no lane for everybody is observed.` Empty without any. */
export function otherLanesText(lanes: readonly OtherLane[]): string {
  const figures = lanes.map((lane) => {
    const places = atPlaces(lane.terminals.map(shortTerminal))
    const range = rangeFigure({ low: lane.shortest_minutes!, high: lane.longest_minutes! })
    return `${LANE_NAMES[lane.lane]} ${range} min${places && ` ${places}`} (${basisText(lane)})`
  })
  return figures.length === 0 ? '' : `${listText(figures)}; no lane for everybody is observed.`
}

type ClosedSecurity = Parameters<typeof closedText>[0] & { spread: WaitSpread | null }

/** A closed queue in a sentence: `closed now (stated 3 min ago by the airport); it opens about 04:00`; with a lane open `only PreCheck is open, 3 min at T5; for everybody else it is closed now (…); it opens …`. */
export function closedQueueText(queue: ClosedSecurity, timezone: string, now: string): string {
  const limited = limitedText(queue.spread)
  const closed = closedText(queue, timezone, now)
  return limited === null ? closed : `${limited}; for everybody else it is ${closed}`
}

/** The same as sentences of a queue by its name: `JFK security is closed now (…); it opens about 04:00.`, `Only PreCheck is open at JFK security now, 3 min at T5. For everybody else it is closed now (…); it opens about 04:00.` */
export function closedSecurityText(name: string, queue: ClosedSecurity, timezone: string, now: string): string {
  const closed = closedText(queue, timezone, now)
  const limited = limitedText(queue.spread, ` at ${name} now`)
  if (limited === null) return sentenceOf(`${name} is ${closed}`)
  const others = closureLines(
    queue.spread!.without_wait.filter((state) => !isLimited(state)),
    timezone,
    Date.parse(now),
  )
  return [limited, `for everybody else it is ${closed}`, ...others].map(sentenceOf).join(' ')
}

/** The terminals that have no wait for everybody. */
const statesOf = (terminals: readonly TerminalWait[]) =>
  terminals.filter(({ wait_minutes }) => wait_minutes === null).map(stateOf)

/** `closed until about 04:00`, `PreCheck only until about 04:00, 3 min`, `wait not known`. */
function stateWords({ status, open_lanes, ...opening }: TerminalState, timezone: string, now: number): string {
  if (status === 'unknown') return 'wait not known'
  const until = opensText(opening, timezone, now).replace(/^opens/, 'until')
  if (status === 'closed') return `closed ${until}`.trim()
  return [`${onlyText(open_lanes)} ${until}`.trim(), laneMinutes(open_lanes)].filter(Boolean).join(', ')
}

/** What a terminal without a wait is: `closed until about 04:00`, `PreCheck only, 3 min`, `wait not known`; null where it has one. */
export const withoutWaitText = (terminal: TerminalWait, timezone: string, now: number): string | null =>
  terminal.wait_minutes === null ? stateWords(stateOf(terminal), timezone, now) : null

const StandardLanes = z
  .strictObject({
    shortest_minutes: z.int().min(0),
    longest_minutes: z.int().min(0),
    longest_at: z
      .string()
      .nullable()
      .describe('The terminal or checkpoint with the longest wait; null where all are alike.'),
  })
  .meta({ id: 'StandardLanes', description: 'The waits of the open lanes that everybody may use.' })
type StandardLanes = z.output<typeof StandardLanes>

/** What differs behind the one figure of an airport, or is open for some while it is closed for everybody else. */
export const WaitSpread = z
  .strictObject({
    standard_lanes: StandardLanes.nullable().describe('Null while none is open: other lanes are.'),
    without_wait: z
      .array(TerminalState)
      .describe('Terminals that are closed, open for some only, or without a figure.'),
  })
  .meta({
    id: 'WaitSpread',
    description: 'What is behind the one figure: the open lanes, and the terminals without a wait for everybody.',
  })
export type WaitSpread = z.output<typeof WaitSpread>

/** The spread of an observed queue; null where nothing differs, or nothing is open. */
export function spreadOf(
  { average_wait_minutes, basis, freshness, terminals }: QueueWait,
  timezone: string,
  now: number,
): WaitSpread | null {
  if (freshness === 'expired') return null
  const without_wait = statesOf(terminals)
  if (average_wait_minutes === null) return without_wait.some(isLimited) ? { standard_lanes: null, without_wait } : null
  if (basis !== 'measured' && basis !== 'reported') return null
  const { range, longest, bars } = measuredPart(average_wait_minutes, terminals, timezone, now)
  if (range === null || bars.length === 0) return null
  const { low: shortest_minutes, high: longest_minutes } = range
  return { standard_lanes: { shortest_minutes, longest_minutes, longest_at: longest?.place ?? null }, without_wait }
}

/** The shortest and longest wait behind the figure of a queue, the figure itself where nothing differs enough to be said; null without one. */
export function rangeOf(queue: QueueWait, timezone: string, now: number): { low: number; high: number } | null {
  const { average_wait_minutes: average } = queue
  if (average === null) return null
  return spreadRange(spreadOf(queue, timezone, now)) ?? { low: average, high: average }
}

/** The shortest and longest wait of a spread that is shown as a range; null for every other one. */
export const spreadRange = (spread: WaitSpread | null): { low: number; high: number } | null =>
  spread?.standard_lanes && hasRange(spread.standard_lanes)
    ? { low: spread.standard_lanes.shortest_minutes, high: spread.standard_lanes.longest_minutes }
    : null

/** `7–25`, or one figure where the ends are the same. */
export const rangeFigure = ({ low, high }: { low: number; high: number }): string =>
  low === high ? String(Math.round(high)) : `${Math.round(low)}–${Math.round(high)}`

/** A queue on a map: `7–25 min, measured 2 min ago`; where it has no range `closed, opens about 04:00`, or what is open: `PreCheck only, 3 min at T5`. */
export function mappedText(
  queue: QueueWait,
  range: { low: number; high: number } | null,
  timezone: string,
  now: number,
): string {
  const { basis, age_seconds } = queue
  if (range !== null) return `${rangeFigure(range)} min, ${basis}${agoText(age_seconds)}`
  return (
    limitedLine(spreadOf(queue, timezone, now)) ??
    ['closed', opensText(queue, timezone, now)].filter(Boolean).join(', ')
  )
}

const hasRange = ({ shortest_minutes, longest_minutes }: StandardLanes) =>
  longest_minutes - shortest_minutes >= SHOWN_DIFFERENCE

/** A figure as one reads it: `5–19 min`, or the average alone where nothing differs, `about 9 minutes`, `short` `9 min`, of an empty queue `no wait`; `rest` has what differs: `longest at T4; T5 closed until about 04:00; 9 min on average`. */
export function spreadText(
  average: number,
  spread: WaitSpread | null,
  timezone: string,
  now: number,
): { figure: string; short: string; rest: string } {
  const one = { figure: waitText(average), short: average === 0 ? waitText(0) : `${average} min` }
  if (!spread?.standard_lanes) return { ...one, rest: '' }
  const { standard_lanes, without_wait } = spread
  const { shortest_minutes: low, longest_minutes: high, longest_at } = standard_lanes
  const isRange = hasRange(standard_lanes)
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
  return spreadRange(spread) === null ? rest : `${figure}, ${rest}`
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
