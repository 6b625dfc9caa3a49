import type { Airport } from './directory.ts'
import { distanceKm } from './distance.ts'

/** Further away nobody would fly from there instead. */
export const NEAR_KM = 200

/** The other airports with flights around an airport, the nearest first. */
export function servedNear(from: Airport, airports: readonly Airport[]): { airport: Airport; km: number }[] {
  return airports
    .filter((airport) => airport.scheduled_service && airport.iata !== from.iata)
    .map((airport) => ({ airport, km: distanceKm(from, airport) }))
    .filter(({ km }) => km <= NEAR_KM)
    .sort((a, b) => a.km - b.km)
}
