import type { Airport } from '../../../config/airports/directory.ts'
import { distanceKm } from '../../../config/airports/distance.ts'
import type { AirportRequest } from './answers.ts'
import { cardOf, type WaitCard } from './card.ts'

/** An airport whose wait is measured or known to be closed now, and how far it is. */
export interface NearAirport {
  airport: Airport
  km: number
  card: WaitCard
}

/** The nearest airports with a measured wait, nearest first. */
export function measuredNear(request: AirportRequest, maxKm: number, count: number): NearAirport[] {
  const { airport, directory, snapshot } = request
  const candidates = directory.all
    .filter(({ iata }) => iata !== airport.iata && snapshot.mayHaveOwnWait(iata, 'security'))
    .map((other) => ({
      airport: other,
      km: distanceKm(airport.latitude, airport.longitude, other.latitude, other.longitude),
    }))
    .filter(({ km }) => km <= maxKm)
    .sort((a, b) => a.km - b.km)
  const near: NearAirport[] = []
  for (const candidate of candidates) {
    if (near.length === count) break
    const card = cardOf({ ...request, airport: candidate.airport }).shown
    if (card?.kind === 'measured' || card?.kind === 'closed') near.push({ ...candidate, card })
  }
  return near
}
