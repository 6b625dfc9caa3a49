import type { Airport } from '../../../config/airports/directory.ts'
import type { Snapshot } from '../../../warehouse/serving/snapshot/snapshot.ts'

/** The directory's fields of an airport as they go out, with what the snapshot says of its sources. */
export function airportEntry(airport: Airport, snapshot: Snapshot) {
  const { iata, icao, name, city, country, region, latitude, longitude, elevation_ft } = airport
  const { timezone, size, scheduled_service } = airport
  const { live, sources } = snapshot.coverage(iata)
  return {
    iata,
    icao,
    name,
    city,
    country,
    region,
    latitude,
    longitude,
    elevation_ft,
    timezone,
    size,
    scheduled_service,
    live,
    sources,
  }
}
