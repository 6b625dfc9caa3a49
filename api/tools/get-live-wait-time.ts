import { z } from 'zod'
import type { QueryContext } from '../../answers/questions/define.ts'
import { findAirport } from '../../answers/questions/find-airport.ts'
import { Granularity, granularityOf, queueWaitAt, shownQueueWait } from '../../answers/questions/queue-waits.ts'
import { iata, notice, simulated } from '../../answers/questions/shared-fields.ts'
import {
  ShownQueueWait,
  withProvenanceEverywhere,
  withProvenanceOnce,
} from '../../answers/questions/shown-queue-wait.ts'
import {
  basisText,
  checkpointText,
  listText,
  openingClock,
  publisherText,
  sentenceOf,
  terminalName,
} from '../../answers/statements/text.ts'
import { spreadOf, spreadText, WaitSpread } from '../../answers/statements/wait.ts'
import { CheckpointWait, Instant, QueueWait, TerminalWait } from '../../config/answers.ts'
import type { Lane, QueueStatus } from '../../config/domain.ts'
import { groupBy } from '../../config/group-by.ts'
import { quoted } from '../../config/outside-text.ts'
import { WHOLE_AIRPORT } from '../../config/terminal-name.ts'
import { unavailable } from '../../jobs/calls/define-call.ts'
import { LiveAttempt, LiveKind, LiveOutcome, type LiveRequest, liveCall } from '../../jobs/calls/live.ts'
import { withReopening } from '../../warehouse/publishing/waits/status-by-hours.ts'
import { defineAsyncQuery } from '../async-question.ts'
import { waitView } from '../views/views.ts'
import { defineTool, READ_ONLY } from './define.ts'

const output = z.strictObject({
  airport: iata,
  timezone: z.string(),
  kind: LiveKind,
  outcome: LiveOutcome.describe(
    'scraped: the source was requested just now; recent: it was requested so recently that the last answer is used; unreachable: no source could be read; no_source: no source publishes this wait live.',
  ),
  granularity: Granularity,
  asked_at: Instant.describe('Time of this request (UTC); ages are as of the answer.'),
  source: z.string().nullable().describe('Id of the source that answered; null when none did.'),
  wait: ShownQueueWait.nullable().describe(
    'What the source says: minutes, closed (`status`), or no figure with the reason; null unless scraped or recent.',
  ),
  spread: WaitSpread.nullable().describe('Of a figure of now; null where nothing differs behind it.'),
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
  message: z.string().describe('The result in one sentence.'),
  notice,
  simulated,
})
type Answer = z.output<typeof output>

const query = defineAsyncQuery({
  name: 'getLiveWaitTime',
  tier: 'pro',
  input: z.strictObject({
    iata,
    kind: LiveKind.default('security').describe('Which queue.'),
  }),
  output,
  async answer({ iata, kind }, context) {
    const { timezone } = findAirport(iata, context)
    const { pipelineClient, signal } = context
    if (!pipelineClient) throw unavailable(liveCall, 'is not connected')
    const granularity = granularityOf(context.tier)
    const { wait: asked, last_known, ...answer } = await pipelineClient.call(liveCall, { iata, kind }, { signal })
    const wait = asked && reopening(asked, { iata, kind }, context)
    return {
      ...answer,
      timezone,
      granularity,
      wait: wait && withProvenanceOnce(shownQueueWait(wait, granularity)),
      spread: wait && spreadOf(wait, timezone, context.now),
      last_known: last_known && withProvenanceOnce(queueWaitAt(granularity, last_known)),
      simulated: context.snapshot.simulated,
    }
  },
})

/** A closed queue with the time at which the snapshot expects it to open, if the source gave none. */
function reopening(
  wait: QueueWait,
  { iata, kind }: LiveRequest,
  { snapshot, now }: Pick<QueryContext, 'snapshot' | 'now'>,
) {
  return wait.status === 'closed' ? withReopening(wait, snapshot.openingHours(iata, kind), now) : wait
}

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
const BriefLive = output.omit({ attempts: true, wait: true, last_known: true }).extend({
  attempts: z.array(z.object({ source: z.string(), code: z.string().nullable() })),
  wait: BriefWait,
  last_known: BriefWait,
})
type BriefLive = z.output<typeof BriefLive>

const briefOf = ({ wait, last_known, ...answer }: Answer): BriefLive => ({
  ...answer,
  wait: wait && withProvenanceEverywhere(wait),
  last_known: last_known && withProvenanceEverywhere(last_known),
})

const LANE_NAMES: Record<Lane, string> = {
  standard: 'standard lane',
  precheck: 'TSA PreCheck',
  clear: 'CLEAR',
  priority: 'priority lane',
  family: 'family lane',
  crew: 'crew lane',
  all: 'all lanes',
}

function figureText(wait_minutes: number | null, status: QueueStatus): string {
  if (wait_minutes !== null) return `${wait_minutes} min`
  return status === 'closed' ? 'closed' : 'no figure'
}

/** `checkpoint 1`, or the words of the source in quotation marks. */
const checkpointName = (name: string) => (checkpointText(name) === name ? quoted(name) : checkpointText(name))

/**
 * A terminal with each of its lanes, as paid lanes have waits of their own; `total` counts its lanes. The whole airport has its figure
 * in the first sentence, and a terminal of one lane has no other figure than its own.
 */
function terminalText(
  { terminal, wait_minutes, status, checkpoints }: z.output<typeof BriefTerminal>,
  total: number,
): string[] {
  const figure = `${terminalName(terminal)}: ${figureText(wait_minutes, status)}`
  const isWhole = terminal === WHOLE_AIRPORT
  if (total <= 1) return isWhole ? [] : [figure]
  const rest = total - checkpoints.length
  const lines = [...groupBy(checkpoints, ({ checkpoint }) => checkpoint)].map(([name, lanes]) => {
    const waits = lanes.map((one) => `${LANE_NAMES[one.lane]} ${figureText(one.wait_minutes, one.status)}`)
    return `${name === WHOLE_AIRPORT ? '' : `${checkpointName(name)}: `}${waits.join(', ')}`
  })
  const more = rest > 0 ? ` and ${rest} more` : ''
  return isWhole ? [sentenceOf(`${lines.join('; ')}${more}`)] : [`${figure} (${lines.join('; ')}${more})`]
}

function opensText({ reopens_at }: { reopens_at: string | null }, timezone: string, now: string): string {
  return reopens_at === null ? '' : `; it opens about ${openingClock(reopens_at, timezone, now)}`
}

const KIND_NAMES = { security: 'security', immigration: 'passport control', checkin: 'check-in' }

/** The state of the queue in one sentence: measured, closed, without a figure, not reached, or without a source. */
function stateText({ airport, kind, outcome, wait, spread, attempts, timezone, asked_at }: BriefLive): string {
  const queue = `${airport} ${KIND_NAMES[kind]}`
  if (wait && wait.average_wait_minutes !== null) {
    const { figure, rest } = spreadText(wait.average_wait_minutes, spread, timezone, Date.parse(asked_at))
    return `${queue} now: ${figure}${rest === '' ? '' : `; ${rest}`} (${basisText(wait)}).`
  }
  if (wait?.status === 'closed')
    return `${queue} is closed now (${basisText(wait)})${opensText(wait, timezone, asked_at)}.`
  switch (outcome) {
    case 'no_source':
      return `No source publishes the wait at ${queue} live. get_airport_overview has what else is known of it, get_crowd_reports what travellers said.`
    case 'unreachable':
      return `${queue}: no source could be reached (${listText([...new Set(attempts.map(({ source }) => publisherText(source)))])} did not answer). Try again in a few minutes.`
    default:
      return `${queue}: the source answered but gives no figure${wait?.unavailable_reason ? ` (${wait.unavailable_reason})` : ''}.`
  }
}

/** What was last known, with its age; an old figure is named as no help for now. */
function lastKnownText({ last_known, outcome, wait }: BriefLive): string {
  if (wait && (wait.average_wait_minutes !== null || wait.status === 'closed')) return ''
  if (last_known === null) return outcome === 'no_source' ? '' : 'Nothing was observed there in the last 30 days.'
  const expired = last_known.freshness === 'expired' ? ' That is too old to rely on.' : ''
  return `Last known: ${figureText(last_known.average_wait_minutes, last_known.status)} (${basisText(last_known)}).${expired}`
}

export const getLiveWaitTimeTool = defineTool<Answer, BriefLive>({
  name: 'get_live_wait_time',
  title: 'The wait as its source publishes it now',
  description:
    'The wait as its source publishes it now: asked during the call, for at most 10 seconds. Use it for somebody about to join the queue; otherwise `get_security_wait_estimate` is faster. `unreachable`: none could be read, and `last_known` has the newest figure. Needs Pro (airport) or Enterprise (terminals, lanes).',
  // A repeated call may return another figure, and the sources are outside this service.
  annotations: { ...READ_ONLY, openWorldHint: true, idempotentHint: false },
  example: { iata: 'JFK' },
  query,
  brief: { output: BriefLive, of: briefOf },
  view: waitView,
  limits: { 'last_known.terminals': 2, 'wait.terminals.checkpoints': 3, attempts: 3, 'wait.terminals': 3 },
  text: (answer, whole) => {
    const lanesOf = (index: number) => whole.wait?.terminals[index]?.checkpoints.length ?? 0
    const terminals = answer.wait?.terminals ?? []
    const lines = terminals.flatMap((terminal, index) => terminalText(terminal, lanesOf(index)))
    return [stateText(whole), lastKnownText(whole), ...lines].filter(Boolean).join('\n')
  },
})
