import { getOrCreate } from '../../config/once.ts'
import type { Notice } from '../../warehouse/tables/notices.ts'
import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { airportUnexpected } from './airport-unexpected.ts'
import { constantSentinel } from './constant-sentinel.ts'
import type { Check, CheckContext } from './define-check.ts'
import { DAY_HOURS, frozen } from './frozen.ts'
import { implausibleDrop } from './implausible-drop.ts'
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
  type LanesByAirport,
  type RecentReading,
  seriesKey,
} from './define-check.ts'

export { DAY_HOURS }

/** Every quality check of readings. A new rule is one file and one line here. */
export const checks: readonly Check[] = [
  airportUnexpected,
  observedInFuture,
  implausibleSpike,
  implausibleDrop,
  unitJump,
  constantSentinel,
  frozen,
  waitOnClosed,
  laneAppeared,
  laneVanished,
  sourceDisagreement,
  levelWithoutMinutes,
]

/** Runs all checks. `flags` has the codes by index of the row; a row that several checks flag has all of them. */
export function runChecks(rows: readonly ParsedReading[], context: CheckContext) {
  const notices: Notice[] = []
  const flags = new Map<number, string[]>()
  for (const { index, ...notice } of checks.flatMap((check) => check.run(rows, context))) {
    notices.push(notice)
    if (index !== undefined) getOrCreate(flags, index, () => []).push(notice.code)
  }
  return { notices, flags }
}
