import type { CheckpointWait, QueueWait, TerminalWait } from '../../../config/answers.ts'
import { isStandardLane } from '../../../config/domain.ts'
import { groupBy } from '../../../config/group-by.ts'
import { shownName, WHOLE_AIRPORT } from '../../../config/terminal-name.ts'
import { type Delays, getDelays } from '../../data/queries/get-delays.ts'
import { securityEstimate } from '../../data/queries/queue-waits.ts'
import { listText } from '../../data/tools/text.ts'
import { type MarkStyle, waitStyle } from '../map/map-colours.ts'
import { type AirportRequest, ask, contextOf, type PageWaits, type Shown, waitsOf } from './answers.ts'
import { type DelayNews, delayNews } from './delay-news.ts'
import { ageText, opensText, shortTerminal, waitProvenance } from './words.ts'

/** The wait of an airport as every page and picture shows it: one rule for the page, the wall, the frame, the badge and a row of a search. */
export interface WaitCard {
  /** An estimate is not measured here: it is drawn lighter, hatched and smaller. */
  kind: 'measured' | 'estimate' | 'closed' | 'unknown'
  /** `14 min`, `4–15 min`, `about 2–13 min`, `Security closed`, `Not known`. */
  figure: string
  /** What the figure is of: `at security`, `at T4 and T5`, `by terminal, 8 min on average`, `opens about 03:15`; may be empty. */
  of: string
  /** The terminals that are closed while others are open, and until when, as sentences without a full stop. */
  closures: string[]
  /** What differs behind the figure, by terminal or by checkpoint; empty where one bar would be all. */
  bars: WaitBar[]
  /** The expected range of the next hour; null where none is known or security is closed then. */
  next: string | null
  /** Where the figure comes from, as a sentence. */
  known: string
  /** How old a measured figure is: `3 min ago`; null for every other one. */
  age: string | null
  delay: DelayNews | null
}

/** The waits behind one door: from the shortest to the longest in whole minutes; null minutes where it is closed. */
export interface WaitBar {
  name: string
  low: number | null
  high: number | null
  /** Said of a closed one: `closed until about 04:00`. */
  closed: string | null
}

/** From this difference in minutes on, a range is shown in place of the average. */
const SHOWN_DIFFERENCE = 3

/** The card of an airport. */
export function cardOf(request: AirportRequest): Shown<WaitCard> {
  const waits = waitsOf(request)
  if (waits.withheld) return waits
  return { shown: wholeCard(waits.shown, request), withheld: null }
}

function wholeCard(waits: PageWaits, request: AirportRequest): WaitCard {
  const { airport, now } = request
  const delays = ask<Delays>(getDelays, { iata: airport.iata }, request, getDelays.tier)
  const part = waitPart(waits.security, request)
  return {
    ...part,
    next: part.kind === 'unknown' ? null : nextText(waits),
    delay: delayNews(delays, airport, now),
  }
}

type WaitPart = Omit<WaitCard, 'next' | 'delay'>

function waitPart(security: QueueWait, request: AirportRequest): WaitPart {
  const { airport, now } = request
  const { average_wait_minutes: average, status, basis } = security
  const known = waitProvenance(security)
  const nothing = { closures: [], bars: [], age: null }
  if (status === 'closed') {
    const of = opensText(security, airport.timezone, now)
    const unknown = of === '' ? ' When it opens is not known.' : ''
    return { kind: 'closed', figure: 'Security closed', of, known: `${known}${unknown}`, ...nothing }
  }
  const isEstimate = basis === 'predicted' || basis === 'typical'
  if (isEstimate && !airport.scheduled_service)
    return {
      kind: 'unknown',
      figure: 'Not known',
      of: '',
      known: 'No scheduled passenger flights are known here.',
      ...nothing,
    }
  if (average === null) return { kind: 'unknown', figure: 'Not known', of: '', known, ...nothing }
  if (isEstimate)
    return { kind: 'estimate', figure: estimateText(average, request), of: 'at security', known, ...nothing }
  const age = security.age_seconds === null ? null : `${ageText(security.age_seconds)} ago`
  return { kind: 'measured', known, age, ...measuredPart(average, security.terminals, request) }
}

/** `about 2–13 min`: the range of this hour where the forecast has one. */
function estimateText(average: number, request: AirportRequest): string {
  const { low, high } = securityEstimate(request.airport.iata, contextOf(request, 'pro'))
  return low === null || low === high ? `about ${average} min` : `about ${low}–${high} min`
}

function measuredPart(
  average: number,
  terminals: readonly TerminalWait[],
  request: AirportRequest,
): Pick<WaitCard, 'figure' | 'of' | 'closures' | 'bars'> {
  const open = terminals.filter(({ wait_minutes }) => wait_minutes !== null)
  const closed = terminals.filter(({ status }) => status === 'closed')
  const bars = barsOf(open, closed, request)
  const lows = bars.flatMap(({ low }) => low ?? [])
  const highs = bars.flatMap(({ high }) => high ?? [])
  const isRange = lows.length > 0 && Math.max(...highs) - Math.min(...lows) >= SHOWN_DIFFERENCE
  const places =
    closed.length === 0 ? 'at security' : `at ${listText(open.map(({ terminal }) => shortTerminal(terminal)))}`
  const doors = open.length > 1 ? 'terminal' : 'checkpoint'
  return {
    figure: isRange ? `${Math.min(...lows)}–${Math.max(...highs)} min` : `${average} min`,
    of: isRange ? `${closed.length === 0 ? '' : `${places}, `}by ${doors}, ${average} min on average` : places,
    closures: closureLines(closed, request),
    bars: isRange || closed.length > 0 ? bars : [],
  }
}

/** One bar for each terminal; for each checkpoint where there is one terminal alone. */
function barsOf(open: readonly TerminalWait[], closed: readonly TerminalWait[], request: AirportRequest): WaitBar[] {
  const [only] = open
  const lanes = only ? standardLanes(only) : []
  const waiting =
    open.length === 1 && closed.length === 0
      ? lanes.map((lane): WaitBar => barOf(checkpointName(lane), [lane.wait_minutes!]))
      : open.map((terminal): WaitBar => {
          const minutes = standardLanes(terminal).map(({ wait_minutes }) => wait_minutes!)
          return barOf(shortTerminal(terminal.terminal), minutes.length === 0 ? [terminal.wait_minutes!] : minutes)
        })
  const shut = closed.map((terminal): WaitBar => {
    const until = opensText(terminal, request.airport.timezone, request.now).replace(/^opens/, 'until')
    return { name: shortTerminal(terminal.terminal), low: null, high: null, closed: `closed ${until}`.trim() }
  })
  return [...waiting, ...shut].sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
}

const barOf = (name: string, minutes: readonly number[]): WaitBar => ({
  name,
  low: Math.min(...minutes),
  high: Math.max(...minutes),
  closed: null,
})

/** The open lanes that everybody may use. */
const standardLanes = ({ checkpoints }: TerminalWait): CheckpointWait[] =>
  checkpoints.filter(({ lane, wait_minutes }) => wait_minutes !== null && isStandardLane(lane))

const checkpointName = ({ checkpoint }: CheckpointWait) =>
  checkpoint === WHOLE_AIRPORT ? 'all' : shownName(checkpoint).replace(/^checkpoint\s+/i, '')

/** `T1, T7, T8 closed until about 04:00`: the terminals that open at one time are named together. */
function closureLines(closed: readonly TerminalWait[], { airport, now }: AirportRequest): string[] {
  const byTime = groupBy(closed, (wait) => opensText(wait, airport.timezone, now))
  return [...byTime].map(([opens, waits]) => {
    const names = waits.map(({ terminal }) => shortTerminal(terminal))
    return `${listText(names)} closed ${opens.replace(/^opens/, 'until')}`.trim()
  })
}

/** `Next hour 5–13 min`; null where security is closed then. */
function nextText({ predictions, security }: PageWaits): string | null {
  const { low, high, valid_at } = predictions
  if (low === null || high === null || valid_at === null) return null
  const { status, reopens_at } = security
  const isOpen = status !== 'closed' || (reopens_at !== null && Date.parse(valid_at) >= Date.parse(reopens_at))
  return isOpen ? `Next hour ${low === high ? low : `${low}–${high}`} min` : null
}

/** How a bar is coloured: by its longest wait, on the scale of all pages. */
export const barStyle = ({ high }: WaitBar): MarkStyle | null => (high === null ? null : waitStyle(high))

/** The colour of a card: that of its longest wait; null where nothing is measured. */
export function cardStyle({ kind, bars, figure }: WaitCard): MarkStyle | null {
  if (kind !== 'measured') return null
  const longest = Math.max(...bars.flatMap(({ high }) => high ?? []), Number.parseInt(figure, 10))
  return waitStyle(longest)
}

/** The card in one line, for a badge or a row: `14 min`, `closed, opens about 03:15`, `0 min at T4 and T5`. */
export function cardLine({ kind, figure, of, closures }: WaitCard): string {
  if (kind === 'closed') return ['closed', of].filter(Boolean).join(', ')
  if (kind === 'unknown') return 'not known'
  return closures.length > 0 ? `${figure} ${of.split(',')[0]}` : figure
}
