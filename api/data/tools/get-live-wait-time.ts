import { z } from 'zod'
import { Instant, QueueWait } from '../../../config/facts.ts'
import { unavailable } from '../../../jobs/calls/define-call.ts'
import { LiveAttempt, LiveKind, LiveOutcome, liveCall } from '../../../jobs/calls/live.ts'
import { defineAsyncQuery } from '../queries/define.ts'
import { findAirport } from '../queries/find-airport.ts'
import { granularityOf, queueWaits, wholeWait } from '../queries/queue-waits.ts'
import { iata, simulated } from '../queries/shared-fields.ts'
import { defineTool, READ_ONLY } from './define.ts'

const output = z.strictObject({
  airport: iata,
  kind: LiveKind,
  outcome: LiveOutcome.describe(
    'scraped: the source was asked just now; recent: it was asked so lately that it was not asked again; unreachable: no source gave a wait; no_source: nobody publishes this wait live.',
  ),
  granularity: z.enum(['airport', 'terminal']),
  asked_at: Instant.describe('When this was asked; ages are as of the answer (UTC).'),
  source: z.string().nullable().describe('Id of the source that gave the wait; null when none did.'),
  wait: QueueWait.nullable().describe('The wait, measured; null unless scraped or recent.'),
  attempts: z
    .array(
      LiveAttempt.extend({
        code: z.string().nullable().describe('Stable error code; null when the source answered.'),
      }),
    )
    .describe('Every source that was asked, in order.'),
  last_known: QueueWait.nullable().describe(
    'When unreachable: the newest wait these sources gave, with its age. `expired` (over 6 hours) must not be told as current.',
  ),
  message: z.string().describe('What came of it, in one sentence.'),
  simulated,
})
type Output = z.output<typeof output>

const description =
  'The wait at an airport as its source publishes it at this moment: the source is asked while you wait, at most 10 seconds, unless it was asked within the last minute. Use it when someone stands before the queue or leaves now; else `get_security_wait_estimate` is quicker. `outcome: unreachable` means that nobody could be asked: `last_known` then has the newest figure and its age. Needs Pro (airport level) or Enterprise (with terminals); on a free key it answers PREMIUM_REQUIRED, and asking again does not help.'

const query = defineAsyncQuery({
  name: 'getLiveWaitTime',
  summary: 'A wait asked of its source now',
  description,
  tier: 'pro',
  rest: null,
  input: z.strictObject({
    iata,
    kind: LiveKind.default('security').describe('Which queue.'),
  }),
  output,
  async answer({ iata, kind }, context) {
    findAirport(iata, context)
    const { pipelineClient, signal } = context
    if (!pipelineClient) throw unavailable(liveCall, 'is not connected')
    const granularity = granularityOf(context.tier)
    const { wait, last_known, ...answer } = await pipelineClient.call(liveCall, { iata, kind }, { signal })
    return {
      ...answer,
      granularity,
      wait: wait && queueWaits(wait, granularity),
      last_known: last_known && wholeWait(last_known, granularity),
      simulated: context.snapshot.simulated,
    }
  },
})

export const getLiveWaitTimeTool = defineTool<Output>({
  name: 'get_live_wait_time',
  title: 'A wait asked of its source now',
  description,
  // Asking again may give another figure, and the source is out in the world.
  annotations: { ...READ_ONLY, openWorldHint: true, idempotentHint: false },
  example: { iata: 'JFK' },
  query,
  text: ({ message, wait }) =>
    [
      `${message}.`,
      ...(wait?.terminals ?? []).map(
        ({ terminal, wait_minutes }) =>
          `${/^.?$/.test(terminal) ? `Terminal ${terminal}`.trim() : terminal}: ${wait_minutes === null ? 'no figure' : `${wait_minutes} min`} (measured)`,
      ),
    ].join('\n'),
})
