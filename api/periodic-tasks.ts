import { clearAlerts, judgeAlerts, sendAlerts } from './accounts/alerts/chores.ts'
import { endExpiredGrantsChore } from './accounts/billing/grants.ts'
import { tellOverageChore } from './accounts/billing/tell-overage.ts'
import { tidyConnections } from './accounts/oauth/chore.ts'
import { clearOld } from './accounts/people/clear-old.ts'
import type { Chore } from './data/periodic-task.ts'
import { clearReports } from './data/reports/clear-old.ts'
import { handOverReportsChore } from './data/reports/hand-over-task.ts'

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
