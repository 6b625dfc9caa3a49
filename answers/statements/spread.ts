import { z } from 'zod'
import type { CheckpointWait, QueueWait, TerminalWait } from '../../config/answer-schemas.ts'
import { compareNames, shownName, WHOLE_AIRPORT } from '../../config/terminal-name.ts'
import { isStandardLane } from '../../config/vocabulary.ts'
import {
  atPlaces,
  closureLines,
  type Figure,
  isLimited,
  laneNoun,
  limitedFigure,
  onlyText,
  openLanesOf,
  rangeFigure,
  stateLines,
  stateOf,
  statesOf,
  stateWords,
  TerminalState,
} from './terminal-state.ts'
import { checkpointText, closedText, listText, placeText, sentenceOf, shortTerminal, waitText } from './text.ts'

/** A measured wait with what differs behind it. */
export interface MeasuredPart extends Figure {
  /** Terminals that are closed, or open for some only, while others are open: sentences without a full stop. */
  closures: string[]
  /** The differences behind the figure, by terminal or by checkpoint; empty if there would be one bar. */
  bars: WaitBar[]
  /** The shortest and the longest wait behind a measured figure, in whole minutes; null if there is none. */
  range: { low: number; high: number } | null
  /** Place of the longest wait; null if it is the same everywhere or the place has no name. */
  longest: { place: string; wait_minutes: number } | null
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

/** From this difference in minutes on, a range replaces the average. */
const SHOWN_DIFFERENCE = 3

/** A measured wait without its terminals: its range, where it is longest, and what is closed. */
export function spreadPart(
  average: number,
  lanes: StandardLanes,
  without_wait: readonly TerminalState[],
  timezone: string,
  now: number,
): MeasuredPart {
  const { shortest_minutes: low, longest_minutes: high, longest_at: place } = lanes
  const isRange = hasRange(lanes)
  const figure = isRange ? `${low}–${high} min` : `${average} min`
  const longestAt = place === null ? [] : [`longest at ${place}`]
  const where = place === null ? 'at security' : `at ${place}`
  return {
    figure,
    detail: isRange ? [...longestAt, `${average} min on average`].join(', ') : where,
    line: figure,
    closures: closureLines(without_wait, timezone, now),
    bars: [],
    range: { low, high },
    longest: isRange && place !== null ? { place, wait_minutes: high } : null,
  }
}

export function measuredPart(
  average: number,
  terminals: readonly TerminalWait[],
  timezone: string,
  now: number,
): MeasuredPart {
  const bars = barsOf(terminals, timezone, now)
  const waiting = bars.filter((bar): bar is WaitBar & { low: number; high: number } => bar.low !== null)
  const [low, high] = [Math.min(...waiting.map((bar) => bar.low)), Math.max(...waiting.map((bar) => bar.high))]
  const isRange = waiting.length > 0 && high - low >= SHOWN_DIFFERENCE
  const longest = isRange && waiting.length > 1 ? waiting.find((bar) => bar.high === high && isNamed(bar)) : undefined
  const only = onlyTerminal(terminals)
  const some = only === null && waiting.length === bars.length ? [] : waiting.map(({ name }) => name)
  const places = atPlaces(only === null ? some : [only])
  const by = doorOf(terminals)
  const figure = isRange ? `${low}–${high} min` : `${average} min`
  // A range within one door that is named is that of the door.
  const detail = isRange && waiting.length > 1 ? [`by ${by}`, only && `at ${only}`].filter(Boolean).join(' ') : places
  return {
    figure,
    detail: isRange ? [detail, `${average} min on average`].filter(Boolean).join(', ') : detail || 'at security',
    line: `${figure} ${detail}`.trim(),
    closures: closureLines(statesOf(terminals), timezone, now),
    bars: isRange || waiting.length < bars.length ? bars : [],
    range: waiting.length === 0 ? { low: average, high: average } : { low, high },
    longest: longest
      ? { place: by === 'checkpoint' ? checkpointText(longest.name) : longest.name, wait_minutes: longest.high }
      : null,
  }
}

/** The one terminal of which the source speaks: the airport may have others, so its figure is not that of the airport. */
export function onlyTerminal(terminals: readonly TerminalWait[]): string | null {
  const [first, ...others] = terminals
  return first === undefined || others.length > 0 || first.terminal === WHOLE_AIRPORT
    ? null
    : shortTerminal(first.terminal)
}

/** The one place of several that has a wait; null where more have one, or it has no name. */
function onlyOpen(bars: readonly WaitBar[]): string | null {
  const [first, ...others] = bars.filter(({ low }) => low !== null)
  return first === undefined || others.length > 0 || !isNamed(first) ? null : first.name
}

/** Lanes whose terminal a feed does not name are of the airport as a whole: that is no place. */
const isNamed = ({ name }: WaitBar) => name !== shortTerminal(WHOLE_AIRPORT)

/** The places of a range: checkpoints if there is one terminal alone, or if terminals are not named. */
function doorOf(terminals: readonly TerminalWait[]): 'terminal' | 'checkpoint' {
  const withWait = terminals.filter(({ wait_minutes }) => wait_minutes !== null)
  const isByDoor = withWait.length < 2 || withWait.some((terminal) => isByCheckpoint(terminal, terminals))
  return isByDoor ? 'checkpoint' : 'terminal'
}

/** One bar for each terminal; for each checkpoint where there is one terminal alone, and of those whose terminal is not named. */
export function barsOf(terminals: readonly TerminalWait[], timezone: string, now: number): WaitBar[] {
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
  return { name, low: null, high: null, label: stateLabel(state), words: stateWords(state, timezone, now) }
}

function stateLabel({ status, open_lanes }: TerminalState): string {
  if (status === 'limited') return onlyText(open_lanes)
  return status === 'closed' ? 'closed' : '–'
}

function waitingBar(name: string, minutes: readonly number[]): WaitBar {
  const [low, high] = [Math.min(...minutes), Math.max(...minutes)]
  const label = low === high ? String(low) : `${low}–${high}`
  return { name, low, high, label, words: `${label} min` }
}

/** The open lanes that everybody may use. */
const standardLanes = ({ checkpoints }: TerminalWait): CheckpointWait[] =>
  checkpoints.filter(({ lane, wait_minutes }) => wait_minutes !== null && isStandardLane(lane))

const checkpointName = ({ checkpoint }: CheckpointWait) =>
  checkpoint === WHOLE_AIRPORT ? shortTerminal(WHOLE_AIRPORT) : shownName(checkpoint).replace(/^checkpoint\s+/i, '')

const StandardLanes = z
  .strictObject({
    shortest_minutes: z.int().min(0),
    longest_minutes: z.int().min(0),
    longest_at: z
      .string()
      .nullable()
      .describe(
        'The terminal or checkpoint with the longest wait, or the one terminal that is open or that the source names; null where all are alike.',
      ),
    by: z.enum(['terminal', 'checkpoint']).describe('What the shortest and the longest wait are of.'),
  })
  .meta({ id: 'StandardLanes', description: 'The waits of the open lanes that everybody may use.' })
type StandardLanes = z.output<typeof StandardLanes>

/** The differences behind the one figure of an airport, or lanes open for some while closed for everybody else. */
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

/** The spread of an observed queue; null if nothing differs, or nothing is open. */
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
  const only = onlyTerminal(terminals) ?? onlyOpen(bars)
  if (range === null || (bars.length === 0 && only === null)) return null
  const { low: shortest_minutes, high: longest_minutes } = range
  const longest_at = [only, longest?.place].filter(Boolean).join(', ') || null
  return { standard_lanes: { shortest_minutes, longest_minutes, longest_at, by: doorOf(terminals) }, without_wait }
}

/** The shortest and longest wait behind the figure of a queue, the figure itself if nothing differs enough; null without one. */
export function rangeOf(queue: QueueWait, timezone: string, now: number): { low: number; high: number } | null {
  const { average_wait_minutes: average } = queue
  if (average === null) return null
  return spreadRange(spreadOf(queue, timezone, now)) ?? { low: average, high: average }
}

/** The shortest and longest wait of a spread that is shown as a range; null for every other one. */
export function spreadRange(spread: WaitSpread | null): { low: number; high: number; by: StandardLanes['by'] } | null {
  const lanes = spread?.standard_lanes
  if (!lanes || !hasRange(lanes)) return null
  return { low: lanes.shortest_minutes, high: lanes.longest_minutes, by: lanes.by }
}

/** A wait with its place in a few words: `7 min`, `5–19 min by terminal`, `10 min at T2` where the source names no other. */
export function placedText(minutes: number | null, spread: WaitSpread | null): string {
  const range = spreadRange(spread)
  if (range !== null) return `${rangeFigure(range)} min by ${range.by}`
  const only = onlyPlace(spread)
  return `${minutes} min${only === null ? '' : ` at ${only}`}`
}

const hasRange = ({ shortest_minutes, longest_minutes }: StandardLanes) =>
  longest_minutes - shortest_minutes >= SHOWN_DIFFERENCE

/** The only terminal that is open or that a source names, as it stands in a sentence; null where there are others, or none is named. */
export function onlyPlace(spread: WaitSpread | null): string | null {
  const lanes = spread?.standard_lanes
  return !lanes || hasRange(lanes) || lanes.longest_at === null ? null : placeText(lanes.longest_at)
}

/** A figure as one reads it: `5–19 min`, or the average alone where nothing differs, `about 9 minutes`, `short` `9 min`, of an empty queue `no wait`; `rest` has what differs: `longest at T4; T5 closed until about 04:00; 9 min on average`, without the only terminal where the sentence names it. */
export function spreadText(
  average: number,
  spread: WaitSpread | null,
  timezone: string,
  now: number,
  isPlaceNamed = false,
): { figure: string; short: string; rest: string } {
  const single = { figure: waitText(average), short: average === 0 ? waitText(0) : `${average} min` }
  if (!spread?.standard_lanes) return { rest: '', ...single }
  const { standard_lanes, without_wait } = spread
  const { shortest_minutes: low, longest_minutes: high, longest_at } = standard_lanes
  const isRange = hasRange(standard_lanes)
  const parts = [
    longest_at !== null &&
      (isRange ? `longest at ${placeText(longest_at)}` : !isPlaceNamed && `${placeText(longest_at)} only`),
    ...stateLines(without_wait, timezone, now),
    isRange && `${average} min on average`,
  ]
  const range = `${low}–${high} min`
  const shown = isRange ? { figure: range, short: range } : single
  return { rest: parts.filter(Boolean).join('; '), ...shown }
}

/** The differences behind an airport's average, in a message beside that average: `5–19 min, longest at T4; T5 closed`; empty without any. */
export function behindText(average: number, queue: QueueWait, timezone: string, now: number): string {
  const spread = spreadOf(queue, timezone, now)
  if (spread === null) return ''
  const { figure, rest } = spreadText(average, spread, timezone, now)
  return spreadRange(spread) === null ? rest : `${figure}, ${rest}`
}

/** The same of a spread, where a row has no room for more: `PreCheck only, 3 min at T5`; null if a standard lane is open or nothing is. */
export const limitedLine = (spread: WaitSpread | null): string | null =>
  spread === null || spread.standard_lanes !== null ? null : limitedFigure(spread.without_wait).line

/** Text if only some lanes are open, within a sentence: `only PreCheck is open at JFK, 3 min at T5`; null if a standard lane is open or nothing is. */
export function limitedText(spread: WaitSpread | null, place = ''): string | null {
  if (spread === null || spread.standard_lanes !== null) return null
  const { lanes, minutes, places } = openLanesOf(spread.without_wait)
  const open = `only ${listText(lanes.map(({ lane }) => laneNoun(lane)))} ${lanes.length === 1 ? 'is' : 'are'} open${place}`
  const where = [minutes, places.includes(shortTerminal(WHOLE_AIRPORT)) ? '' : `at ${listText(places.map(placeText))}`]
  return [open, where.filter(Boolean).join(' ')].filter(Boolean).join(', ')
}

type ClosedSecurity = Parameters<typeof closedText>[0] & { spread: WaitSpread | null }

/** A closed queue in a sentence: `closed now (stated 3 min ago by the airport); it opens about 04:00`; with a lane open `only PreCheck is open, 3 min at T5; for everybody else it is closed now (…); it opens …`. */
export function closedQueueText(queue: ClosedSecurity, timezone: string, now: string): string {
  const limited = limitedText(queue.spread)
  const closed = closedText(queue, timezone, now)
  return limited === null ? closed : `${limited}; for everybody else it is ${closed}`
}

/** The same as sentences that name the queue: `JFK security is closed now (…); it opens about 04:00.`, `Only PreCheck is open at JFK security now, 3 min at T5. For everybody else it is closed now (…); it opens about 04:00.` */
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
