import { reportOverage } from '../../accounts/billing/report-overage.ts'
import { openState } from '../../api/state/open.ts'
import { readSettings } from '../../config/settings.ts'

/** Reports the overage to Stripe once, at the given instant. The overage test kills it in the middle. */
const settings = readSettings(process.env)
const state = await openState(settings)
await reportOverage({ settings, state }, Number(process.argv[2]))
await state.close()
