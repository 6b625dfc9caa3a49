import type { FastifyInstance } from 'fastify'
import type { Gate } from '../access/admission.ts'
import { addAccountPages } from '../account/pages.ts'
import { addAlertPages } from '../alerts/pages.ts'
import { addDashboardPages } from '../dashboard/pages.ts'
import type { AppDependencies } from '../dependencies.ts'
import { addPlanPages } from '../money/plan-routes.ts'
import { addConsentPage } from '../oauth/consent-page.ts'

/** Adds pages of one matter to the scope of all pages. The gate holds usage that is not yet written. */
export type AddPages = (pages: FastifyInstance, dependencies: AppDependencies, gate: Gate) => void | Promise<void>

/** Every matter that has pages. A new one is a file and a line here. */
export const PAGES: AddPages[] = [addAccountPages, addDashboardPages, addConsentPage, addPlanPages, addAlertPages]
