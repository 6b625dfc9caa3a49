import { setImmediate as turn } from 'node:timers/promises'
import { LocalGate } from '../../api/access/gate.ts'
import { issueKey } from '../../api/access/keys.ts'
import { openStateAt } from '../../api/state/open.ts'
import { TIERS } from '../../config/tiers.ts'
import type { Measurement } from './measurement.ts'

const DECISIONS = 50_000
const MOST_MICROSECONDS = 15

/**
 * Time of one decision of the gate for a known key: key state, minute, month and the settling of the call. Each is made
 * in a turn of its own, which is the dearest case: the look at what other processes committed is shared by a turn.
 */
export async function benchGate(folder: string): Promise<Measurement[]> {
  const state = await openStateAt(`${folder}/gate.sqlite`, 'pepper of the bench, 16 and more')
  const usual = TIERS.enterprise.requests_per_minute
  TIERS.enterprise.requests_per_minute = 4 * DECISIONS
  try {
    const now = Date.now()
    const { key } = await issueKey(state, { tier: 'enterprise' }, now)
    const gate = new LocalGate(state)
    let spent = 0
    for (let made = 0; made < 2 * DECISIONS; made++) {
      // The first half warms up.
      if (made === DECISIONS) spent = 0
      await turn()
      const from = performance.now()
      const admitted = gate.admit(key, now, true)
      const admission = admitted instanceof Promise ? await admitted : admitted
      if (admission.refusal) throw admission.refusal
      admission.settle(true, 'bench')
      spent += performance.now() - from
    }
    await gate.flush(now)
    const value = (spent * 1_000) / DECISIONS
    return [{ name: 'gate: a decision', value, unit: 'µs', target: { at_most: MOST_MICROSECONDS } }]
  } finally {
    TIERS.enterprise.requests_per_minute = usual
    await state.close()
  }
}
