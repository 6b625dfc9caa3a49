import { z } from 'zod'
import {
  type CheckpointWait,
  Instant,
  nullableMinutes,
  ReopensBasis,
  type TerminalWait,
} from '../../config/answer-schemas.ts'
import { groupBy } from '../../config/group-by.ts'
import { LANE_NAMES, laneText } from '../../config/lanes.ts'
import { WHOLE_AIRPORT } from '../../config/terminal-name.ts'
import { isRestrictedLane, isStandardLane, Lane } from '../../config/vocabulary.ts'
import { standardStatus } from '../../warehouse/publishing/waits/standard-lanes.ts'
import { listText, placeText, shortTerminal } from './text.ts'
import { opensText, waitFigure } from './words.ts'

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
  if (checkpoints.some(({ lane, status: queueStatus }) => isStandardLane(lane) && queueStatus !== 'closed')) return []
  return checkpoints.filter(({ lane, status: queueStatus }) => isRestrictedLane(lane) && queueStatus === 'open')
}

export const LaneWait = z
  .strictObject({ lane: Lane, shortest_minutes: nullableMinutes, longest_minutes: nullableMinutes })
  .meta({ id: 'LaneWait', description: 'The waits of one kind of lane over its checkpoints.' })
type LaneWait = z.output<typeof LaneWait>

/** A figure as people read it. */
export interface Figure {
  /** `14 min`, `4–15 min`, `about 2–13 min`, `Security closed`, `Closed to airlines`, `PreCheck only`, `No scheduled flights`, `Not known`. */
  figure: string
  /** Place or kind of the figure: `at security`, `at T4 and T5`, `by terminal, 8 min on average`, `opens about 03:15`; may be empty. */
  detail: string
  /** All of it in one line: `14 min`, `5–19 min by terminal`, `0 min at T4 and T5`, `closed, opens about 03:15`, `closed to airlines until 06:30`, `not known`. */
  line: string
}

/** `at T4 and T5`; empty if one of them is the whole airport. */
export function atPlaces(names: readonly string[]): string {
  return names.length === 0 || names.includes(shortTerminal(WHOLE_AIRPORT)) ? '' : `at ${listText(names)}`
}

/** `7–25`, or one figure where the ends are the same. */
export const rangeFigure = ({ low, high }: { low: number; high: number }): string =>
  low === high ? String(Math.round(high)) : `${Math.round(low)}–${Math.round(high)}`

/** `PreCheck only`, `PreCheck and Priority only`. */
export const onlyText = (lanes: readonly Pick<LaneWait, 'lane'>[]) =>
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

export const isLimited = ({ status }: TerminalState) => status === 'limited'

export function stateOf(terminal: TerminalWait): TerminalState {
  const lanes = onlyLanes(terminal)
  const { status, reopens_at, reopens_basis } = standardStatus(terminal)
  const isClosed = status === 'closed'
  const withoutLanes = isClosed ? 'closed' : 'unknown'
  return {
    terminal: terminal.terminal,
    status: lanes.length > 0 ? 'limited' : withoutLanes,
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

/** The open lanes where no standard lane is open: over all terminals, their waits (`3 min`, `PreCheck 3 min, Priority 5–9 min`) and places. */
export function openLanesOf(states: readonly TerminalState[]): {
  lanes: LaneWait[]
  minutes: string
  places: string[]
} {
  const limited = states.filter(isLimited)
  const lanes = lanesOf(limited.flatMap(({ open_lanes }) => open_lanes))
  return { lanes, minutes: laneMinutes(lanes), places: limited.map(({ terminal }) => shortTerminal(terminal)) }
}

/** `PreCheck only`, `3 min at T5`, and both in a line. */
export function limitedFigure(states: readonly TerminalState[]): Figure {
  const { lanes, minutes, places } = openLanesOf(states)
  const figure = onlyText(lanes)
  const detail = [minutes, atPlaces(places)].filter(Boolean).join(' ')
  return { figure, detail, line: minutes === '' ? `${figure} ${detail}`.trim() : `${figure}, ${detail}` }
}

function laneMinutes(lanes: readonly LaneWait[]): string {
  const figures = lanes.flatMap(({ lane, shortest_minutes: low, longest_minutes: high }) =>
    low === null || high === null
      ? []
      : `${lanes.length === 1 ? '' : `${LANE_NAMES[lane]} `}${rangeFigure({ low, high })} min`,
  )
  return figures.join(', ')
}

/** A lane as the one that somebody may use: `PreCheck`, `the priority lane`. */
export const laneNoun = (lane: Lane) =>
  lane === 'precheck' || lane === 'clear' ? LANE_NAMES[lane] : `the ${laneText(lane)}`

/** Text for closed security, without a full stop: `Security is closed now`, with lanes open to others `Security is closed now for all but PreCheck`. */
export const closedForText = (openLanes: readonly Lane[]): string =>
  `Security is closed now${openLanes.length === 0 ? '' : ` for all but ${listText(openLanes.map(laneNoun))}`}`

/** The terminals that have no wait for everybody. */
export const statesOf = (terminals: readonly TerminalWait[]) =>
  terminals.filter(({ wait_minutes }) => wait_minutes === null).map(stateOf)

/** `closed until about 04:00`, `PreCheck only until about 04:00, 3 min`, `wait not known`. */
export function stateWords({ status, open_lanes, ...opening }: TerminalState, timezone: string, now: number): string {
  if (status === 'unknown') return 'wait not known'
  const until = opensText(opening, timezone, now).replace(/^opens(?: at)?/, 'until')
  if (status === 'closed') return `closed ${until}`.trim()
  return [`${onlyText(open_lanes)} ${until}`.trim(), laneMinutes(open_lanes)].filter(Boolean).join(', ')
}

/** The state of a terminal without a wait: `closed until about 04:00`, `PreCheck only, 3 min`, `wait not known`; null if it has one. */
export const withoutWaitText = (terminal: TerminalWait, timezone: string, now: number): string | null =>
  terminal.wait_minutes === null ? stateWords(stateOf(terminal), timezone, now) : null

/** `T1, T7 and T8 closed until about 04:00`: terminals in the same state are named together; `named` gives a name as it is shown. */
export function stateLines(
  states: readonly TerminalState[],
  timezone: string,
  now: number,
  named: (name: string) => string = placeText,
): string[] {
  const byWords = groupBy(states, (state) => stateWords(state, timezone, now))
  return [...byWords].map(
    ([words, alike]) => `${listText(alike.map(({ terminal }) => named(shortTerminal(terminal))))} ${words}`,
  )
}

/** The same of the terminals whose state is known, with plain names, which a page marks up itself. */
export const closureLines = (states: readonly TerminalState[], timezone: string, now: number): string[] =>
  stateLines(
    states.filter(({ status }) => status !== 'unknown'),
    timezone,
    now,
    (name) => name,
  )
