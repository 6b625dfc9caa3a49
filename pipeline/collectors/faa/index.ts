import { faaAirportEvents } from '../faa-airport-events.ts'
import { faaEnrouteEvents } from '../faa-enroute-events.ts'
import { faaNasStatus } from '../faa-nas-status.ts'

/** The collectors of the FAA. */
export const faaCollectors = [faaNasStatus, faaAirportEvents, faaEnrouteEvents]
