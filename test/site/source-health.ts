import { isoUtc } from '../../config/vocabulary.ts'
import type { HealthWindow, SourceHealth } from '../../warehouse/publishing/read/source-health.ts'
import { NOW } from '../api/example-snapshot.ts'
import { healthOf } from '../api/fake-snapshot.ts'

export const minutesAgo = (minutes: number) => isoUtc(NOW - minutes * 60_000)

const windows = (uptime: number, freshness: number): HealthWindow[] => [
  { hours: 24, runs: 288, uptime, freshness },
  { hours: 168, runs: 2_016, uptime: 0.99961, freshness: 1 },
  { hours: 720, runs: 0, uptime: null, freshness: null },
]

/** The message of a failure: an address with a key, and a path of this machine. */
export const SECRET_MESSAGE = 'GET https://api.example/v1?key=s3cr3t-key: cannot write /srv/holdshort/raw'

const seen: Partial<SourceHealth> = {
  since: minutesAgo(600),
  last_success_at: minutesAgo(2),
  newest_observed_at: minutesAgo(4),
  content_changed_at: minutesAgo(9),
  rows: 14,
  usual_rows: 14.5,
  windows: windows(1, 0.97),
}

/** A source in each state, healthy ones first, and one that is not in the catalogue. */
export const HEALTH: SourceHealth[] = [
  healthOf('sea-cwt', seen),
  healthOf('mobi-mco', { ...seen, last_error_code: 'FETCH_FAILED', last_error_message: SECRET_MESSAGE }),
  healthOf('mobi-iah', { ...seen, state: 'degraded', reason: 'Its newest reading is <3 h> old.' }),
  healthOf('panynj-graphql', {
    ...seen,
    state: 'failing',
    reason: SECRET_MESSAGE,
    windows: windows(0.42, 0.4),
    days: Array.from({ length: 30 }, (_, k) => (k < 29 ? null : 0.42)),
    since: minutesAgo(95),
    last_error_code: 'FETCH_FAILED',
    last_error_message: SECRET_MESSAGE,
  }),
  healthOf('mobi-hou', {
    state: 'open_circuit',
    reason: SECRET_MESSAGE,
    last_error_message: SECRET_MESSAGE,
    last_error_code: 'toString',
  }),
  healthOf('cvg-of-another-day', { state: 'failing' }),
  healthOf('faa-nas-status', { state: 'not_asked' }),
  healthOf('lax-html', { state: 'off' }),
]
