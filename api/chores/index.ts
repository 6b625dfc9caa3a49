import { clearOld } from '../account/clear-old.ts'
import { clearAlerts, judgeAlerts, sendAlerts } from '../alerts/chores.ts'
import { endExpiredGrantsChore } from '../money/grants.ts'
import { tellOverageChore } from '../money/tell-overage.ts'
import { tidyConnections } from '../oauth/chore.ts'
import { clearReports } from '../reports/clear-old.ts'
import type { Chore } from './chore.ts'
import { handOverReportsChore } from './hand-over-reports.ts'

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
  clearReports,
]
