import { addAccountPages } from './accounts/account-page/pages.ts'
import { addAlertPages } from './accounts/alerts/page/routes.ts'
import { addPlanPages } from './accounts/billing/plan-routes.ts'
import { addDashboardPages } from './accounts/dashboard/pages.ts'
import { addConsentPage } from './accounts/oauth/consent-page.ts'
import type { AddPages } from './site/pages/add-pages.ts'

/** Every matter that has pages. A new one is a file and a line here. */
export const PAGES: AddPages[] = [addAccountPages, addDashboardPages, addConsentPage, addPlanPages, addAlertPages]
