import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { constantSentinel } from './constant-sentinel.ts'
import type { Check, CheckContext, CheckResult } from './define-check.ts'
import { frozen } from './frozen.ts'
import { implausibleSpike } from './implausible-spike.ts'
import { laneAppeared } from './lane-appeared.ts'
import { laneVanished } from './lane-vanished.ts'
import { levelWithoutMinutes } from './level-without-minutes.ts'
import { observedInFuture } from './observed-in-future.ts'
import { sourceDisagreement } from './source-disagreement.ts'
import { unitJump } from './unit-jump.ts'
import { waitOnClosed } from './wait-on-closed.ts'

export {
  type CheckContext,
  type CheckResult,
  type LanesByAirport,
  type RecentReading,
  seriesKey,
} from './define-check.ts'

/** Every quality check of readings. A new rule is one file and one line here. */
export const checks: readonly Check[] = [
  observedInFuture,
  implausibleSpike,
  unitJump,
  constantSentinel,
  frozen,
  waitOnClosed,
  laneAppeared,
  laneVanished,
  sourceDisagreement,
  levelWithoutMinutes,
]

/** Runs all checks. A row that several checks flag has all their codes. */
export function runChecks(rows: readonly ParsedReading[], context: CheckContext): CheckResult {
  const all: CheckResult = { notices: [], flags: new Map() }
  for (const check of checks) {
    const { notices, flags } = check.run(rows, context)
    all.notices.push(...notices)
    for (const [index, codes] of flags) all.flags.set(index, [...(all.flags.get(index) ?? []), ...codes])
  }
  return all
}
