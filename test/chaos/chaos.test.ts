import { expect, test } from 'vitest'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { runChaos } from './run.ts'

test.runIf(EXHAUSTIVE)(
  'a leader that is killed, one that is frozen, an api that is cut off and a store that is killed cost no request and no row',
  { timeout: 600_000 },
  async () => {
    const { requests, rows, ...report } = await runChaos({
      faults: 4,
      within_ms: 300_000,
      plan: [
        { target: 'work-1', kind: 'kill', hold_ms: 1_000 },
        { target: 'work-2', kind: 'freeze', hold_ms: 16_000 },
        { target: 'serve-1', kind: 'cut', hold_ms: 2_000 },
        { target: 's3', kind: 'kill', hold_ms: 1_000 },
      ],
    })
    expect(report.faults).toBe(4)
    expect(requests, requests.examples.join('\n')).toMatchObject({
      lost: 0,
      wrong: 0,
      mixed: 0,
      uncounted: 0,
      revoked_admitted: 0,
    })
    expect(requests.answered).toBeGreaterThan(100)
    expect(rows).toMatchObject({ lost: 0, doubled: 0 })
    expect(rows.readings).toBeGreaterThan(0)
  },
)
