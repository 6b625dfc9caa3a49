import type { QueueWait } from '../../../config/facts.ts'
import type { LiveAnswer } from '../../../jobs/calls/live.ts'
import { observedStatus } from '../../../warehouse/publishing/waits/queue-wait.ts'

const MEASURED = {
  basis: 'measured',
  source: 'panynj-graphql',
  observed_at: '2026-11-21T14:18:00Z',
  age_seconds: 120,
  freshness: 'live',
} as const

const OPEN = observedStatus('open', MEASURED)

/** The measured wait of one terminal, two minutes old. */
export const LIVE_WAIT: QueueWait = {
  average_wait_minutes: 14,
  unavailable_reason: null,
  ...OPEN,
  ...MEASURED,
  terminals: [
    {
      terminal: 'T4',
      wait_minutes: 14,
      unavailable_reason: null,
      ...OPEN,
      ...MEASURED,
      checkpoints: [
        {
          checkpoint: 'Main',
          lane: 'standard',
          wait_minutes: 14,
          range: { low: 10, high: null },
          open: true,
          unavailable_reason: null,
          ...OPEN,
          ...MEASURED,
        },
      ],
    },
  ],
}

/** The answer of a pipeline that has just asked the source of JFK; `over` replaces fields. */
export function liveAnswer(over: Partial<LiveAnswer> = {}): LiveAnswer {
  return {
    airport: 'JFK',
    kind: 'security',
    outcome: 'scraped',
    asked_at: '2026-11-21T14:20:00Z',
    source: 'panynj-graphql',
    wait: LIVE_WAIT,
    last_known: null,
    message: 'JFK security: 14 minutes',
    attempts: [{ source: 'panynj-graphql', code: null, message: 'answered', milliseconds: 812 }],
    ...over,
  }
}
