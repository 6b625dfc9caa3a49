import { airportDirectory } from '../../../config/airports/directory.ts'
import { localTime } from '../queries/local-time.ts'

/**
 * An instant as a traveller at an airport reads it: `18:30 local time (23:30 UTC)`, with its local day when that is not
 * the day of `now`. In UTC alone when the directory does not have the airport.
 */
export function clockText(instant: string, iata: string, now: string): string {
  const timezone = airportDirectory().byIata.get(iata)?.timezone
  const utc = `${instant.slice(11, 16)} UTC`
  if (timezone === undefined) return instant.slice(0, 10) === now.slice(0, 10) ? utc : `${instant.slice(0, 10)} ${utc}`
  const local = localTime(Date.parse(instant), timezone)
  const today = localTime(Date.parse(now), timezone).slice(0, 10)
  const day = local.slice(0, 10) === today ? '' : `${local.slice(0, 10)} `
  return `${day}${local.slice(11, 16)} local time (${utc})`
}
