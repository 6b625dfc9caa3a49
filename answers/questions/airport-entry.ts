import { z } from 'zod'
import { Airport } from '../../config/airports/directory.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { iata } from './shared-fields.ts'

export const AirportEntry = z
  .strictObject({
    ...Airport.omit({ faa_id: true, runways: true, longest_runway_ft: true }).shape,
    iata,
    country: Airport.shape.country.describe('ISO 3166-1 alpha-2.'),
    timezone: Airport.shape.timezone.describe('IANA name.'),
    live: z.boolean().describe('Whether a source gives a live reading at this moment.'),
    sources: z.array(z.string()).describe('Ids of the active sources that cover it: waits, delays and weather.'),
  })
  .meta({ id: 'Airport', description: 'One airport of the directory.' })

/** An airport of the directory with its sources in the snapshot. */
export function airportEntry(airport: Airport, snapshot: Snapshot): z.input<typeof AirportEntry> {
  const { faa_id: _faa_id, runways: _runways, longest_runway_ft: _longest, ...fields } = airport
  const { live, sources } = snapshot.coverage(airport.iata)
  return { live, sources, ...fields }
}
