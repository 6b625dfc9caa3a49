import type { ComponentChild } from 'preact'
import type { Lounges } from '../../answers/questions/get-lounges.ts'
import type { Terminals } from '../../answers/questions/get-terminals.ts'
import {
  fromMapText,
  loungeHoursText,
  namedByText,
  noneKnownText,
  openLoungesText,
} from '../../answers/statements/places.ts'
import { withoutWaitText } from '../../answers/statements/terminal-state.ts'
import {
  agoText,
  capitalised,
  checkpointText,
  datedText,
  sentenceOf,
  shortTerminal,
  sourceText,
  terminalName,
} from '../../answers/statements/text.ts'
import { waitFigure } from '../../answers/statements/words.ts'
import type { CheckpointWait, TerminalWait } from '../../config/answer-schemas.ts'
import { LANE_NAMES } from '../../config/lanes.ts'
import { WHOLE_AIRPORT } from '../../config/terminal-name.ts'
import { quoted } from '../../config/untrusted-text.ts'
import { isStandardLane, Lane } from '../../config/vocabulary.ts'
import { quantile } from '../../forecasting/statistics/statistics.ts'
import { waitStyle } from '../map/map-colours.ts'
import { noted, number, Table } from '../pages/elements.tsx'
import type { AirportRequest, TerminalHistory } from './answers.ts'
import { levelClass } from './wait-card.tsx'

/** Whether there is more to say than the card says: several terminals, or several lanes of one. */
export const hasLanes = ([first, ...others]: readonly TerminalWait[]) =>
  first !== undefined && (others.length > 0 || first.checkpoints.length > 1)

/** A row of the table: a checkpoint, or a terminal whose lanes are not known. */
interface LaneRow {
  terminal: TerminalWait
  /** The sign of the checkpoint; null if the terminal has one. */
  checkpoint: string | null
  lanes: CheckpointWait[]
}

interface LaneTableProps {
  terminals: readonly TerminalWait[]
  /** The wait of the airport, whose source and age are not repeated. */
  security: Pick<TerminalWait, 'source' | 'age_seconds'>
  request: AirportRequest
}

/** The waits of terminals and their lanes: a row for each checkpoint, a column for each lane. */
export function LaneTable({ terminals, security, request }: LaneTableProps) {
  const rows = terminals.flatMap(rowsOf)
  const others = Lane.options.filter(
    (lane) => !isStandardLane(lane) && rows.some(({ lanes }) => lanes.some((laneWait) => laneWait.lane === lane)),
  )
  const columns = [others.length === 0 ? 'Wait' : 'Standard', ...others.map((lane) => LANE_NAMES[lane])]
  return (
    <Table
      label="Waits by checkpoint and lane"
      columns={['Checkpoint', ...columns.map(number)]}
      narrow="fit"
      rows={rows.map((row) => [
        <>
          <bdi>{rowName(row)}</bdi>
          <OwnProvenance {...row.terminal} security={security} />
        </>,
        firstFigure(row, request),
        ...others.map((lane) => <LaneFigure lane={row.lanes.find((laneWait) => laneWait.lane === lane)} />),
      ])}
    />
  )
}

/** The age and the source of a row, where they differ from those of the airport's wait. */
function OwnProvenance({ age_seconds, source, security }: TerminalWait & Pick<LaneTableProps, 'security'>) {
  if (age_seconds === null) return null
  const ago = agoText(age_seconds)
  const parts = [
    ago === agoText(security.age_seconds) ? '' : ago.trim(),
    source === security.source ? '' : sourceText(source),
  ]
  const text = parts.filter(Boolean).join(', ')
  return text === '' ? null : <span>{text}</span>
}

/** `Terminal 4`, `Terminal 4, South`, `Checkpoint 2`. */
function rowName({ terminal: { terminal }, checkpoint }: LaneRow): string {
  if (checkpoint === null) return terminalName(terminal)
  // Some checkpoints are named with their terminal: `T1 North` of terminal 1.
  const own = [terminalName(terminal), shortTerminal(terminal)].find((name) => checkpoint.startsWith(`${name} `))
  const sign = own === undefined ? checkpointText(checkpoint) : checkpoint.slice(own.length + 1)
  return terminal === WHOLE_AIRPORT ? capitalised(sign) : `${terminalName(terminal)}, ${sign}`
}

function rowsOf(terminal: TerminalWait): LaneRow[] {
  const names = [...new Set(terminal.checkpoints.map(({ checkpoint }) => checkpoint))]
  if (names.length < 2) return [{ terminal, checkpoint: null, lanes: terminal.checkpoints }]
  return names.map((name) => ({
    terminal,
    checkpoint: name === WHOLE_AIRPORT ? null : name,
    lanes: terminal.checkpoints.filter(({ checkpoint }) => checkpoint === name),
  }))
}

/** The standard lane, or the wait of the terminal where no lane is known. */
function firstFigure({ terminal, lanes }: LaneRow, { airport, now }: AirportRequest): ComponentChild {
  const lane = lanes.find(({ lane }) => isStandardLane(lane))
  if (lane && terminal.status !== 'closed') return <LaneFigure lane={lane} />
  if (lanes.length > 0 && terminal.status === 'open') return '–'
  const words = withoutWaitText(terminal, airport.timezone, now)
  return words === null ? <Minutes minutes={terminal.wait_minutes!} /> : capitalised(words)
}

function LaneFigure({ lane }: { lane: CheckpointWait | undefined }) {
  if (!lane) return <>–</>
  const { wait_minutes, status, range } = lane
  return (
    <>
      {wait_minutes === null ? (
        capitalised(waitFigure({ average_wait_minutes: null, status }))
      ) : (
        <Minutes minutes={wait_minutes} />
      )}
      {range && (
        <span>
          <Posted range={range} />
        </span>
      )}
    </>
  )
}

const Minutes = ({ minutes }: { minutes: number }) => (
  <>
    <i class={`swatch ${levelClass(waitStyle(minutes))}`} /> {minutes}&nbsp;min
  </>
)

function Posted({ range: { low, high } }: { range: { low: number | null; high: number | null } }) {
  if (low === null) return <>posted up to {high}</>
  if (high === null) return <>posted {low} or more</>
  return (
    <>
      posted{' '}
      <b class="whole">
        {low}–{high}
      </b>
    </>
  )
}

/** The observed waits at each terminal, for people who do not see the picture. */
export const TerminalDaysTable = ({ history: { terminals } }: { history: TerminalHistory }) => (
  <details>
    <summary>The same as a table</summary>
    <Table
      label="Observed waits by terminal"
      columns={['Terminal', number('Days'), number('Median of the days'), number('Longest day')]}
      rows={terminals.map(({ terminal, days }) => {
        const longest = days.reduce((most, day) => (day.p90 > most.p90 ? day : most))
        const medians = days.map(({ p50 }) => p50).sort((a, b) => a - b)
        return [
          <bdi>{terminal}</bdi>,
          days.length,
          `${Math.round(quantile(medians, 0.5))} min`,
          noted(`${longest.p90} min`, `${longest.date}, one hour in ten`),
        ]
      })}
    />
  </details>
)

/** Terminals and lounges as pages and the map name them. */
export function PlacesSection({ terminals, lounges }: { terminals: Terminals; lounges: Lounges }) {
  const credits = new Set([
    ...terminals.terminals.flatMap(({ credit }) => credit ?? []),
    ...lounges.lounges.flatMap(({ credit }) => credit ?? []),
    ...(lounges.map_lounges ? [lounges.map_lounges.credit] : []),
  ])
  const mapped = lounges.map_lounges?.places ?? []
  return (
    <>
      <h3>Terminals</h3>
      {terminals.known ? (
        <ul class="places">
          {terminals.terminals.map(({ terminal, airlines, sources, checkpoints, ...dated }) => (
            <li>
              <strong>
                <bdi>{sources.includes('facts') ? terminal : quoted(terminal)}</bdi>
              </strong>
              {airlines.length > 0 && `: ${airlines.join(', ')} and others`}
              {checkpoints.length > 0 && (
                <>
                  . <bdi>{checkpointsText(terminal, checkpoints)}</bdi>
                </>
              )}
              .{' '}
              <small class="from">
                {sentenceOf(sources.includes('facts') ? datesText(dated, checkpoints) : namedByText(sources))}
              </small>
            </li>
          ))}
        </ul>
      ) : (
        <p>{noneKnownText('terminal', terminals.airport)}</p>
      )}
      <h3>Lounges</h3>
      {lounges.known ? (
        <details>
          <summary>
            {lounges.total === 0 ? 'From the map' : `${lounges.total} known: ${openLoungesText(lounges)}`}; check before
            you go
          </summary>
          <ul class="places">
            {lounges.lounges.map(({ lounge, terminal, as_of, caution, ...opening }) => (
              <li>
                <strong>
                  <bdi>{lounge}</bdi>
                </strong>
                {terminal !== null && `, ${terminal}`}
                {`: ${loungeHoursText(opening)}`}.{' '}
                <small class="from">{sentenceOf(datedText({ as_of, caution }))}</small>
              </li>
            ))}
            {mapped.map(({ name, ref }) => (
              <li>
                <bdi>{quoted(name ?? ref ?? '')}</bdi> <small class="from">{sentenceOf(fromMapText())}</small>
              </li>
            ))}
          </ul>
        </details>
      ) : (
        <p>{noneKnownText('lounge', lounges.airport)}</p>
      )}
      {[...credits].map((credit) => (
        <p class="from">{credit}</p>
      ))}
    </>
  )
}

type Checkpoints = Terminals['terminals'][number]['checkpoints']

/** `Security lanes: standard, PreCheck`; checkpoints with names of their own are named. */
function checkpointsText(terminal: string, checkpoints: Checkpoints): string {
  const [only] = checkpoints
  const lanesOf = ({ lanes, hours }: Checkpoints[number]) =>
    [...lanes.map((lane) => LANE_NAMES[lane as Lane] ?? lane), ...(hours === null ? [] : [hours])].join(', ')
  if (checkpoints.length === 1 && only!.checkpoint === terminal)
    return only!.lanes.length === 0 ? 'One checkpoint' : `Security lanes: ${lanesOf(only!)}`
  const names = checkpoints.map((checkpoint) =>
    lanesOf(checkpoint) === '' ? checkpoint.checkpoint : `${checkpoint.checkpoint} (${lanesOf(checkpoint)})`,
  )
  return `Checkpoints: ${names.join('; ')}`
}

/** How old the facts of a terminal and of its checkpoints are; both once where they are the same. */
function datesText(terminal: Parameters<typeof datedText>[0], checkpoints: Checkpoints): string {
  const [own, ...others] = [...new Set([terminal, ...checkpoints].map(datedText))]
  return others.length === 0 ? own! : `${own}; checkpoints ${others.join(', ')}`
}
