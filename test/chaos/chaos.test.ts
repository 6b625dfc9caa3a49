import { expect, test } from 'vitest'
import { runChaos } from '../../tools/chaos/run.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { PARTS_MISSING } from '../shared-store/installation.ts'

/** The short form of `npm run chaos`, which harms every part in every way. */
test.runIf(EXHAUSTIVE && PARTS_MISSING === null)(
  'a pipeline that is killed and stores that are killed cost no request and no row, and publishing goes on',
  { timeout: 420_000 },
  async () => {
    const { requests, rows, ...report } = await runChaos({
      faults: 6,
      within_ms: 300_000,
      publish_seconds: 3,
      plan: [
        { target: 'work-1', kind: 'kill', hold_ms: 500 },
        { target: 's3', kind: 'kill', hold_ms: 500 },
        // The S3 server is away when another pipeline has just begun to lead.
        { target: 'postgresql', kind: 'kill', hold_ms: 1_000 },
        { target: 's3', kind: 'kill', hold_ms: 2_500 },
        { target: 'postgresql', kind: 'kill', hold_ms: 1_000 },
        { target: 's3', kind: 'kill', hold_ms: 2_500 },
      ],
    })
    expect(report).toMatchObject({ faults: 6, not_resumed: 0 })
    expect(requests, requests.examples.join('\n')).toMatchObject({
      lost: 0,
      wrong: 0,
      mixed: 0,
      uncounted: 0,
      revoked_admitted: 0,
    })
    expect(requests.answered).toBeGreaterThan(50)
    expect(rows).toMatchObject({ lost: 0, doubled: 0 })
    expect(rows.readings).toBeGreaterThan(0)
    expect(report.requests_to_one_source_at_once).toBeLessThanOrEqual(1)
  },
)
