import { z } from 'zod'
import { Instant, QueueWait, type TerminalWait } from '../../../config/facts.ts'
import { quoted } from '../../../config/outside-text.ts'
import { unavailable } from '../../../jobs/calls/define-call.ts'
import { LiveAttempt, LiveKind, LiveOutcome, type LiveRequest, liveCall } from '../../../jobs/calls/live.ts'
import { withReopening } from '../../../warehouse/serving/waits/status-by-hours.ts'
import { defineAsyncQuery, type QueryContext } from '../queries/define.ts'
import { findAirport } from '../queries/find-airport.ts'
import { Granularity, granularityOf, queueWaitAt, shownQueueWait } from '../queries/queue-waits.ts'
import { iata, simulated } from '../queries/shared-fields.ts'
import { defineTool, READ_ONLY } from './define.ts'
import { closedText } from './text.ts'

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
  wait: QueueWait.nullable().describe(
    'What the source says: minutes, closed (`status`), or no figure with the reason; null unless scraped or recent.',
  ),
  attempts: z
    .array(
      LiveAttempt.extend({
        code: z.string().nullable().describe('Stable error code; null when the source answered.'),
      }),
    )
    .describe('Every requested source, in order.'),
  last_known: QueueWait.nullable().describe(
    'When there is no figure: the newest wait or closure known of the last 30 days, with its age. Do not present an `expired` one (over 6 hours) as current.',
  ),
  message: z.string().describe('The result in one sentence.'),
  simulated,
})
type Answer = z.output<typeof output>

const description =
  'The wait at an airport as its source publishes it at this moment: the source is requested during the call, for at most 10 seconds, unless it was requested within the last minute. Use it for someone who is at the queue or leaves now; otherwise `get_security_wait_estimate` is faster. A source that says that the queue is closed, or gives no figure, has answered. `outcome: unreachable` means that no source could be read: `last_known` then has the newest figure and its age. Needs Pro (airport level) or Enterprise (with terminals); a free key gets PREMIUM_REQUIRED, and a retry does not help.'

const query = defineAsyncQuery({
  name: 'getLiveWaitTime',
  summary: 'The wait as its source publishes it now',
  description,
  tier: 'pro',
  rest: null,
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
    const { wait, last_known, ...answer } = await pipelineClient.call(liveCall, { iata, kind }, { signal })
    return {
      ...answer,
      timezone,
      granularity,
      wait: wait && shownQueueWait(reopening(wait, { iata, kind }, context), granularity),
      last_known: last_known && queueWaitAt(granularity, last_known),
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

function terminalText({ terminal, wait_minutes, status }: TerminalWait): string {
  const name = terminal.length < 2 ? `Terminal ${terminal}`.trim() : quoted(terminal)
  if (status === 'closed') return `${name}: closed`
  return `${name}: ${wait_minutes === null ? 'no figure' : `${wait_minutes} min`} (measured)`
}

export const getLiveWaitTimeTool = defineTool<Answer>({
  name: 'get_live_wait_time',
  title: 'The wait as its source publishes it now',
  description,
  // A repeated call may return another figure, and the sources are outside this service.
  annotations: { ...READ_ONLY, openWorldHint: true, idempotentHint: false },
  example: { iata: 'JFK' },
  query,
  shorten: ['wait.terminals.checkpoints', 'wait.terminals', 'last_known.terminals', 'attempts'],
  text: ({ message, wait, timezone }) =>
    [
      `${message}.`,
      ...(wait?.status === 'closed' ? [`It is ${closedText(wait, timezone)}.`] : []),
      ...(wait?.terminals ?? []).map(terminalText),
    ].join('\n'),
})
