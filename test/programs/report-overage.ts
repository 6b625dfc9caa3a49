import { reportOverage } from '../../api/accounts/billing/report-overage.ts'
import { openState } from '../../api/state/open.ts'
import { readSettings } from '../../config/settings.ts'

/** Tells Stripe of the overage once, as at the instant given. Killed by the overage test in the middle of it. */
const settings = readSettings(process.env)
const state = await openState(settings)
await reportOverage({ settings, state }, Number(process.argv[2]))
await state.close()
