import { z } from 'zod'
import { checkTerminal, knownTerminal, meantTerminalName } from '../../answers/questions/airport-terminals.ts'
import type { QueryContext } from '../../answers/questions/define.ts'
import { findAirport } from '../../answers/questions/find-airport.ts'
import { granularityOf, queueWaitAt, shownQueueWait } from '../../answers/questions/queue-waits.ts'
import { iata } from '../../answers/questions/shared-fields.ts'
import { withProvenanceOnce } from '../../answers/questions/shown-queue-wait.ts'
import { closedToAirlines } from '../../answers/statements/closure.ts'
import { onlyTerminal, spreadOf } from '../../answers/statements/spread.ts'
import { widerAnswerText } from '../../answers/statements/text.ts'
import {
  BriefLive,
  LiveWaitAnswer,
  liveStateText,
  liveWaitBrief,
  liveWaitText,
} from '../../answers/texts/live-wait-text.ts'
import { noFlightsText } from '../../config/airports/without-flights.ts'
import type { QueueWait, TerminalWait } from '../../config/answer-schemas.ts'
import { normalizeTerminalName } from '../../config/terminal-name.ts'
import { unavailable } from '../../jobs/calls/define-call.ts'
import { LiveKind, type LiveRequest, liveCall } from '../../jobs/calls/live.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { withReopening } from '../../warehouse/publishing/waits/status-by-hours.ts'
import { defineAsyncQuery } from '../async-question.ts'
import { waitView } from '../views/views.ts'
import { defineTool, READ_ONLY } from './define.ts'

const query = defineAsyncQuery({
  name: 'getLiveWaitTime',
  tier: 'pro',
  input: z.strictObject({
    iata,
    kind: LiveKind.default('security').describe('Which queue.'),
    terminal: z.string().trim().min(1).max(40).optional(),
  }),
  output: LiveWaitAnswer,
  async answer({ iata, kind, terminal }, context) {
    const { timezone } = findAirport(iata, context)
    if (terminal !== undefined) checkTerminal(iata, terminal, context.snapshot)
    const { pipelineClient, signal } = context
    if (!pipelineClient) throw unavailable(liveCall, 'is not connected')
    const granularity = granularityOf(context.tier)
    const {
      wait: liveWait,
      last_known,
      ...answer
    } = await pipelineClient.call(liveCall, { iata, kind }, { signal: signal() })
    const wait = liveWait && reopening(liveWait, { iata, kind }, context)
    const shown = wait && shownQueueWait(wait, granularity)
    const named =
      terminal === undefined ? null : (shown?.terminals.filter(isTerminal(iata, terminal, context.snapshot)) ?? [])
    const spread = wait && spreadOf(wait, timezone, context.now)
    const airport_closure = closedToAirlines(context.snapshot.delays(iata).closures, timezone, context.now)
    return {
      ...answer,
      timezone,
      granularity,
      terminal: named?.[0]?.terminal ?? null,
      wait: shown && withProvenanceOnce({ ...shown, terminals: named ?? shown.terminals }),
      spread,
      airport_closure,
      message: liveStateText({
        ...answer,
        wait: shown,
        spread,
        airport_closure,
        timezone,
        no_flights: noFlightsText(iata) ?? undefined,
      }),
      last_known: last_known && withProvenanceOnce(queueWaitAt(granularity, last_known)),
      notice:
        named?.length === 0
          ? widerAnswerText(
              iata,
              meantTerminalName(iata, terminal!, context.snapshot),
              kind === 'security' ? onlyTerminal(shown?.terminals ?? []) : null,
            )
          : undefined,
      simulated: context.snapshot.simulated,
    }
  },
})

const isTerminal = (iata: string, name: string, snapshot: Snapshot) => {
  const meant = knownTerminal(iata, name, snapshot)?.terminal
  return ({ terminal }: TerminalWait) =>
    normalizeTerminalName(terminal) === normalizeTerminalName(name) ||
    (meant !== undefined && knownTerminal(iata, terminal, snapshot)?.terminal === meant)
}

/** A closed queue with the time at which the snapshot expects it to open, if the source gave none. */
function reopening(
  wait: QueueWait,
  { iata, kind }: LiveRequest,
  { snapshot, now }: Pick<QueryContext, 'snapshot' | 'now'>,
) {
  return wait.status === 'closed' ? withReopening(wait, snapshot.openingHours(iata, kind), now) : wait
}

export const getLiveWaitTimeTool = defineTool<LiveWaitAnswer, BriefLive>({
  name: 'get_live_wait_time',
  title: 'The wait as its source publishes it now',
  description:
    'The wait that its source publishes, asked now, for at most 10 seconds. Use it for somebody about to join the queue; otherwise `get_security_wait_estimate` is faster. `unreachable`: none answered; `last_known` has the newest figure. Needs Pro (airport) or Enterprise (terminals, lanes).',
  // A repeated call may return another figure, and the sources are outside this service.
  annotations: { ...READ_ONLY, openWorldHint: true, idempotentHint: false },
  topics: ['wait', 'queue', 'security'],
  example: { iata: 'JFK' },
  query,
  brief: { output: BriefLive, shorten: liveWaitBrief },
  view: waitView,
  limits: { 'last_known.terminals': 2, 'wait.terminals.checkpoints': 3, attempts: 3, 'wait.terminals': 3 },
  text: liveWaitText,
})
