import { clearOld } from '../account/clear-old.ts'
import { clearAlerts, judgeAlerts, sendAlerts } from '../alerts/chores.ts'
import type { AppDependencies } from '../dependencies.ts'
import { endExpiredGrantsChore } from '../money/grants.ts'
import { tellOverageChore } from '../money/tell-overage.ts'
import { tidyConnections } from '../oauth/chore.ts'
import { handOverReportsChore } from './hand-over-reports.ts'

/** Work of the api that comes round by itself. Every process of an installation does it, so it must bear being done twice. */
export interface Chore {
  name: string
  every_ms: number
  /** `stopping` fires when the process is to end: what can be left to another time then is. */
  run: (dependencies: AppDependencies, now: number, stopping?: AbortSignal) => Promise<void>
}

/** Every chore. A new one is a file and a line here. */
export const CHORES: Chore[] = [
  clearOld,
  tidyConnections,
  endExpiredGrantsChore,
  tellOverageChore,
  judgeAlerts,
  sendAlerts,
  clearAlerts,
  handOverReportsChore,
]
