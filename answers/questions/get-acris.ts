import { z } from 'zod'
import { type CheckpointWait, Instant, type QueueWait } from '../../config/answer-schemas.ts'
import { normalizeTerminalName, WHOLE_AIRPORT } from '../../config/terminal-name.ts'
import type { Lane } from '../../config/vocabulary.ts'
import { spreadOf, spreadRange } from '../statements/spread.ts'
import { capitalised } from '../statements/text.ts'
import { defineQuery } from './define.ts'
import { findAirport } from './find-airport.ts'
import { granularityOf, queueAt, shownQueueWait } from './queue-waits.ts'
import { iata, notice, simulated } from './shared-fields.ts'

/** The last word of a queue's name, by which readers of the format tell lanes apart. */
const LANE_WORDS: Readonly<Record<Lane, string>> = {
  standard: 'General',
  all: 'All',
  precheck: 'PreCheck',
  clear: 'CLEAR',
  priority: 'Priority',
  family: 'Family',
  crew: 'Crew',
}
const STATUSES = { open: 'Open', closed: 'Closed', unknown: 'Unknown' } as const

const seconds = z.int().min(0).nullable()
const minutes = z.int().min(0).nullable()

const Queue = z
  .strictObject({
    queueId: z.string(),
    queueName: z.string().describe('Terminal, checkpoint and lane: `T4 Main General`.'),
    projectedWaitTime: seconds.describe('Seconds; null where nothing is observed, and while closed. Never a forecast.'),
    projectedMinWaitMinutes: minutes,
    projectedMaxWaitMinutes: minutes,
    time: Instant.nullable().describe('When it was observed (UTC).'),
    status: z.enum(['Open', 'Closed', 'Unknown']),
    basis: z.enum(['measured', 'reported']).nullable().describe('Not part of the standard.'),
    source: z.string().nullable().describe('Not part of the standard.'),
  })
  .meta({ id: 'AcrisQueue' })
type Queue = z.output<typeof Queue>

const output = z
  .strictObject({
    success: z.literal(true),
    airport: iata,
    current: z.array(Queue),
    notice,
    simulated,
  })
  .meta({ id: 'AcrisWaitTimes' })

export const getAcris = defineQuery({
  name: 'getAcris',
  tier: 'pro',
  rest: {
    summary: 'Current waits of an airport in the shape of ACI ACRIS',
    description:
      'The observed security and immigration waits as systems of airports exchange them (ACI ACRIS wait times 1.6): a list of queues with `projectedWaitTime` in seconds. Only what was observed: an estimate has no figure here. Pro: one queue for the whole airport; Enterprise: each lane.',
    method: 'GET',
    path: '/airports/:iata/acris',
  },
  input: z.strictObject({ iata }),
  output,
  answer(input, { snapshot, tier, directory, now }): z.input<typeof output> {
    const { iata: airport, timezone } = findAirport(input.iata, { directory })
    const queues = (kind: 'security' | 'immigration') => {
      const queue = queueAt(snapshot, airport, kind)
      const spread = spreadRange(spreadOf(queue, timezone, now))
      return queuesOf(capitalised(kind), shownQueueWait(queue, granularityOf(tier)), spread)
    }
    return {
      success: true as const,
      airport,
      current: [...queues('security'), ...queues('immigration')],
      simulated: snapshot.simulated,
    }
  },
})

/** The lanes of a queue; if none is shown, the queue as a whole with the range of its lanes. An unknown queue is left out. */
function queuesOf(kind: string, wait: QueueWait, range: CheckpointWait['range']): Queue[] {
  const lanes = wait.terminals.flatMap(({ terminal, checkpoints }) =>
    checkpoints.map((checkpoint) => ({
      ...queueOf(
        [
          terminalWord(terminal),
          kind === 'Security' ? '' : kind,
          checkpoint.checkpoint === WHOLE_AIRPORT ? 'Checkpoint' : checkpoint.checkpoint,
          LANE_WORDS[checkpoint.lane],
        ],
        checkpoint,
      ),
      status: checkpoint.open === null ? STATUSES.unknown : STATUSES[checkpoint.open ? 'open' : 'closed'],
    })),
  )
  if (lanes.length > 0) return lanes
  if (wait.basis === null && wait.status === 'unknown') return []
  const { average_wait_minutes: wait_minutes, status, ...provenance } = wait
  return [{ ...queueOf([kind, LANE_WORDS.all], { wait_minutes, range, ...provenance }), status: STATUSES[status] }]
}

/** `T4` of a terminal with a number; the name of any other. */
function terminalWord(terminal: string): string {
  if (terminal === WHOLE_AIRPORT) return ''
  const name = normalizeTerminalName(terminal)
  return /^\d$/.test(name) ? `T${name}` : terminal
}

type Observed = Pick<QueueWait, 'basis' | 'observed_at' | 'source'> & {
  wait_minutes: number | null
  range?: CheckpointWait['range']
}

function queueOf(
  words: string[],
  { wait_minutes, basis, observed_at, source, range = null }: Observed,
): Omit<Queue, 'status'> {
  const queueName = words.filter((word) => word !== '').join(' ')
  const isObserved = basis === 'measured' || basis === 'reported'
  const whole = (value: number | null | undefined) => (isObserved && value != null ? Math.round(value) : null)
  return {
    queueId: queueName.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-'),
    queueName,
    projectedWaitTime: isObserved && wait_minutes !== null ? Math.round(wait_minutes * 60) : null,
    projectedMinWaitMinutes: whole(range?.low),
    projectedMaxWaitMinutes: whole(range?.high),
    time: observed_at,
    basis: isObserved ? basis : null,
    source: isObserved ? source : null,
  }
}
