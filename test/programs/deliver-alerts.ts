import { deliverDueMessages } from '../../accounts/alerts/deliver-messages.ts'
import { openState } from '../../api/state/open.ts'
import { indexAirports } from '../../config/airports/directory.ts'
import { readSettings } from '../../config/settings.ts'

/** Sends the alerts that are due at an instant. The deliveries test kills it while it waits for an answer. */
const settings = readSettings({ HOLDSHORT_DATA_DIR: process.argv[2], HOLDSHORT_OUTWARD_ALLOW: '127.0.0.1' })
const state = await openState(settings)
const now = Number(process.argv[3])
const holder = { current: () => null }
await deliverDueMessages({ settings, state, directory: indexAirports([]), holder, clock: () => now })
await state.close()
