import { airportDirectory } from '../../config/airports/directory.ts'
import { servedNear } from '../../config/airports/served-near.ts'

/** Text for an airport without scheduled flights, with the nearest that has some, without a full stop; null if it has some: `BQH has no scheduled flights; the nearest airport with some is LCY, 19 km away`. */
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
