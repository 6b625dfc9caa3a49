import { tellOverage } from '../../api/accounts/billing/tell-overage.ts'
import { openState } from '../../api/state/open.ts'
import { readSettings } from '../../config/settings.ts'

/** Tells Stripe of the overage once, as at the instant given. Killed by the overage test in the middle of it. */
const settings = readSettings(process.env)
const state = await openState(settings)
await tellOverage({ settings, state }, Number(process.argv[2]))
await state.close()
