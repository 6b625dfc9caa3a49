import { airportDirectory } from '../../config/airports/directory.ts'
import { servedNear } from '../../config/airports/served-near.ts'

/** That an airport has no scheduled flights, and the nearest that has, without a full stop; null where it has some: `BQH has no scheduled flights; the nearest airport with some is LCY, 19 km away`. */
export function unservedText(iata: string): string | null {
  const { byIata, all } = airportDirectory()
  const airport = byIata.get(iata)
  if (!airport || airport.scheduled_service) return null
  const [nearest] = servedNear(airport, all)
  const instead = nearest
    ? `; the nearest airport with some is ${nearest.airport.iata}, ${Math.max(1, Math.round(nearest.km))} km away`
    : ''
  return `${iata} has no scheduled flights${instead}`
}
