import { z } from 'zod'
import { CheckpointWait, Instant, QueueWait, TerminalWait } from '../../config/answer-schemas.ts'
import { groupBy } from '../../config/group-by.ts'
import { laneText } from '../../config/lanes.ts'
import { WHOLE_AIRPORT } from '../../config/terminal-name.ts'
import { quoted } from '../../config/untrusted-text.ts'
import { LiveAttempt, LiveKind, LiveOutcome } from '../../jobs/calls/live.ts'
import { Granularity } from '../questions/queue-waits.ts'
import { iata, no_flights, notice, simulated } from '../questions/shared-fields.ts'
import { ShownQueueWait, withProvenanceEverywhere } from '../questions/shown-queue-wait.ts'
import { AirportClosure, closureText } from '../statements/closure.ts'
import { closedSecurityText, spreadText, WaitSpread } from '../statements/spread.ts'
import { terminalFigure } from '../statements/terminal-state.ts'
import {
  basisText,
  checkpointText,
  ifOpenText,
  listText,
  placeText,
  sentenceOf,
  sourceText,
  terminalName,
} from '../statements/text.ts'
import { unservedText } from '../statements/unserved.ts'
import { waitFigure } from '../statements/words.ts'

/** A wait as its source publishes it now: the answer, and the same as a text. */

export const LiveWaitAnswer = z.strictObject({
  airport: iata,
  timezone: z.string(),
  kind: LiveKind,
  outcome: LiveOutcome.describe(
    'scraped: the source was requested just now; recent: it was requested so recently that the last answer is used; unreachable: no source could be read; no_source: no source of this wait is read live.',
  ),
  granularity: Granularity,
  asked_at: Instant.describe('Time of this request (UTC); ages are as of the answer.'),
  source: z.string().nullable().describe('Id of the source that answered; null when none did.'),
  terminal: z
    .string()
    .nullable()
    .describe('The terminal that was requested, if the source gives it: `wait.terminals` has it alone.'),
  wait: ShownQueueWait.nullable().describe(
    'What the source says: minutes, closed (`status`), or no figure with the reason; null unless scraped or recent.',
  ),
  spread: WaitSpread.nullable().describe('Of a figure of now; null where nothing differs behind it.'),
  airport_closure: AirportClosure.nullable().describe(
    'What shuts airlines out now: then nobody waits, whatever the source still publishes. Null: they may fly.',
  ),
  attempts: z
    .array(
      LiveAttempt.extend({
        code: z.string().nullable().describe('Stable error code; null when the source answered.'),
      }),
    )
    .describe('Every requested source, in order.'),
  last_known: ShownQueueWait.nullable().describe(
    'When there is no figure: the newest wait or closure known of the last 30 days, with its age. Do not present an `expired` one (over 6 hours) as current.',
  ),
  message: z.string().describe('The result in one sentence or two, as the text has it.'),
  notice,
  no_flights,
  simulated,
})
export type LiveWaitAnswer = z.output<typeof LiveWaitAnswer>

const BriefTerminal = TerminalWait.pick({
  terminal: true,
  status: true,
  wait_minutes: true,
  basis: true,
  age_seconds: true,
  source: true,
})
  .strip()
  .extend({
    checkpoints: z.array(
      CheckpointWait.pick({ checkpoint: true, lane: true, status: true, open: true, wait_minutes: true }).strip(),
    ),
  })

const BriefWait = QueueWait.pick({
  average_wait_minutes: true,
  status: true,
  reopens_at: true,
  reopens_basis: true,
  basis: true,
  observed_at: true,
  age_seconds: true,
  source: true,
  freshness: true,
  unavailable_reason: true,
})
  .strip()
  .extend({ terminals: z.array(BriefTerminal) })
  .nullable()

/** The full answer without the milliseconds of attempts, and with one provenance for each terminal. */
export const BriefLive = LiveWaitAnswer.omit({ attempts: true, wait: true, last_known: true }).extend({
  attempts: z.array(z.object({ source: z.string(), code: z.string().nullable() })),
  wait: BriefWait,
  last_known: BriefWait,
})
export type BriefLive = z.output<typeof BriefLive>

export const liveWaitBrief = ({ wait, last_known, ...answer }: LiveWaitAnswer): BriefLive => ({
  ...answer,
  wait: wait && withProvenanceEverywhere(wait),
  last_known: last_known && withProvenanceEverywhere(last_known),
})

/** `checkpoint 1`, or the words of the source in quotation marks. */
const checkpointName = (name: string) => (checkpointText(name) === name ? quoted(name) : checkpointText(name))

/**
 * A terminal with each of its lanes, as paid lanes have waits of their own; `total` counts its lanes. The whole airport has its figure
 * in the first sentence, and a terminal of one lane has no other figure than its own.
 */
function terminalText(terminal: z.output<typeof BriefTerminal>, total: number): string[] {
  const { checkpoints } = terminal
  const figure = `${placeText(terminalName(terminal.terminal))}: ${terminalFigure(terminal)}`
  const isWhole = terminal.terminal === WHOLE_AIRPORT
  if (total <= 1) return isWhole ? [] : [figure]
  const rest = total - checkpoints.length
  const lines = [...groupBy(checkpoints, ({ checkpoint }) => checkpoint)].map(([name, lanes]) => {
    const waits = lanes.map(
      (laneWait) =>
        `${laneText(laneWait.lane)} ${waitFigure({ ...laneWait, average_wait_minutes: laneWait.wait_minutes })}`,
    )
    return `${name === WHOLE_AIRPORT ? '' : `${checkpointName(name)}: `}${waits.join(', ')}`
  })
  const more = rest > 0 ? ` and ${rest} more` : ''
  return isWhole ? [sentenceOf(`${lines.join('; ')}${more}`)] : [`${figure} (${lines.join('; ')}${more})`]
}

const KIND_NAMES = { security: 'security', immigration: 'passport control', checkin: 'check-in' }

type LiveState = Pick<
  LiveWaitAnswer,
  'airport' | 'kind' | 'outcome' | 'spread' | 'airport_closure' | 'timezone' | 'asked_at' | 'no_flights'
> & { wait: z.output<typeof BriefWait>; attempts: readonly { source: string }[] }

/** The state of the queue in one sentence: measured, closed, without a figure, not reached, or without a source. */
export function liveStateText({
  airport,
  kind,
  outcome,
  wait,
  spread,
  airport_closure,
  attempts,
  timezone,
  asked_at,
  no_flights,
}: LiveState): string {
  const queue = `${airport} ${KIND_NAMES[kind]}`
  if (airport_closure !== null)
    return `${airport} is ${closureText(airport_closure)}: nobody flies, so no wait is given${outcome === 'no_source' ? '' : `, whatever the source of ${queue} still publishes`}.`
  if (wait && wait.average_wait_minutes !== null) {
    const { figure, rest } = spreadText(wait.average_wait_minutes, spread, timezone, Date.parse(asked_at))
    const ifOpen = ifOpenText({ ...wait, wait_minutes: wait.average_wait_minutes }, timezone, asked_at)
    return `${queue} now: ${figure}${ifOpen}${rest === '' ? '' : `; ${rest}`} (${basisText(wait)}).`
  }
  if (wait?.status === 'closed') return closedSecurityText(queue, { ...wait, spread }, timezone, asked_at)
  const unserved = unservedText(airport)
  switch (outcome) {
    case 'no_source':
      if (no_flights !== undefined) return sentenceOf(no_flights)
      if (unserved !== null) return `No source of the wait at ${queue} is read live here. ${unserved}.`
      return `No source of the wait at ${queue} is read live here. ${kind === 'checkin' ? '' : 'get_airport_overview has what else is known of it. '}get_crowd_reports has what travellers said, if any did.`
    case 'unreachable':
      return `${queue}: no source could be reached (${listText([...new Set(attempts.map(({ source }) => sourceText(source, 'short')))])} did not answer). Try again in a few minutes.`
    default:
      return `${queue}: the source answered but gives no figure${wait?.unavailable_reason ? ` (${wait.unavailable_reason})` : ''}.`
  }
}

/** The last known wait with its age; an old figure is called no help for now. */
function lastKnownText({ last_known, outcome, wait, airport_closure }: LiveText): string {
  if (airport_closure !== null || (wait && (wait.average_wait_minutes !== null || wait.status === 'closed'))) return ''
  if (last_known === null) return outcome === 'no_source' ? '' : 'Nothing was observed there in the last 30 days.'
  const expired = last_known.freshness === 'expired' ? ' That is too old to rely on.' : ''
  return `Last known: ${waitFigure(last_known)} (${basisText(last_known, last_known.status === 'closed' ? 'stated' : 'measured')}).${expired}`
}

type LiveText = LiveState & Pick<BriefLive, 'last_known' | 'terminal'>

/** The state of the queue, and its terminals as far as `answer` has them; `whole` has all. */
export function liveWaitText(answer: Pick<LiveText, 'wait'>, whole: LiveText): string {
  const lanesOf = (index: number) => whole.wait?.terminals[index]?.checkpoints.length ?? 0
  const terminals = whole.airport_closure === null ? (answer.wait?.terminals ?? []) : []
  const lines = terminals.flatMap((terminal, index) => terminalText(terminal, lanesOf(index)))
  const state = [liveStateText(whole), lastKnownText(whole)]
  // The terminal that was requested comes before the airport.
  return [...(whole.terminal === null ? [...state, ...lines] : [...lines, ...state])].filter(Boolean).join('\n')
}
