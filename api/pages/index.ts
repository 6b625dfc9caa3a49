import { addAccountPages } from '../account/pages.ts'
import { addAlertPages } from '../alerts/pages.ts'
import { addDashboardPages } from '../dashboard/pages.ts'
import { addPlanPages } from '../money/plan-routes.ts'
import { addConsentPage } from '../oauth/consent-page.ts'
import type { AddPages } from './add-pages.ts'

/** Every matter that has pages. A new one is a file and a line here. */
export const PAGES: AddPages[] = [addAccountPages, addDashboardPages, addConsentPage, addPlanPages, addAlertPages]
