import { airportDirectory, hasTypicalWaits } from '../../config/airports/directory.ts'
import { servedNear } from '../../config/airports/served-near.ts'

/** Text for an airport without scheduled flights, with the nearest that has some, without a full stop; null if it has some: `BQH has no scheduled flights; the nearest airport with some is LCY, 19 km away`. */
export function unservedText(iata: string): string | null {
  const airport = airportDirectory().byIata.get(iata)
  if (!airport || airport.scheduled_service) return null
  const nearest = nearestServedText(iata)
  return `${iata} has no scheduled flights${nearest === null ? '' : `; ${nearest}`}`
}

/** Why no typical wait is given for an airport, without a full stop: it has no scheduled flights, or is a heliport; null if one may be. */
export function noTypicalText(iata: string): string | null {
  const airport = airportDirectory().byIata.get(iata)
  if (!airport || hasTypicalWaits(airport)) return null
  return unservedText(iata) ?? `${iata} is a heliport, and typical waits of airports do not apply there`
}

/** The nearest airport that airlines fly to, without a full stop: `the nearest airport with some is LCY, 19 km away`; null if none is near. */
export function nearestServedText(iata: string): string | null {
  const { byIata, all } = airportDirectory()
  const airport = byIata.get(iata)
  const [nearest] = airport ? servedNear(airport, all) : []
  return nearest
    ? `the nearest airport with some is ${nearest.airport.iata}, ${Math.max(1, Math.round(nearest.km))} km away`
    : null
}
