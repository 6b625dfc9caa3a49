import type { LiveAnswer } from '../../../jobs/calls/live.ts'
import { NOW } from '../../api/example-snapshot.ts'
import { measured } from '../../api/fake-snapshot.ts'

export const LIVE_WAIT = measured(NOW, 14, 'panynj-graphql')

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
    attempts: [{ source: 'panynj-graphql', code: null, message: 'answered', milliseconds: 812 }],
    ...over,
  }
}
