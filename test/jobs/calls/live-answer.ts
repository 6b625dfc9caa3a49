import type { QueueWait } from '../../../config/facts.ts'
import type { LiveAnswer } from '../../../jobs/calls/live.ts'

const SEEN = {
  ...({ basis: 'measured', source: 'panynj-graphql', observed_at: '2026-11-21T14:18:00Z' } as const),
  ...({ age_seconds: 120, freshness: 'live' } as const),
}

/** A measured wait of a terminal, two minutes old. */
export const LIVE_WAIT: QueueWait = {
  average_wait_minutes: 13.6,
  unavailable_reason: null,
  ...SEEN,
  terminals: [
    {
      terminal: 'T4',
      wait_minutes: 13.6,
      unavailable_reason: null,
      ...SEEN,
      checkpoints: [
        {
          checkpoint: 'Main',
          lane: 'standard',
          wait_minutes: 13.6,
          range: { low: 10, high: null },
          open: true,
          ...SEEN,
        },
      ],
    },
  ],
}

/** What a pipeline answers that has just asked JFK. */
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
