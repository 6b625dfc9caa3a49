import type { RequestContext, SourceRequest } from '../../parsing/collector.ts'

/** Stations a call: well under the 400 rows after which aviationweather.gov silently cuts an answer. */
const STATIONS_A_CALL = 100

/** Requests for the airports that have an ICAO code, in batches. */
export function stationRequests({ source, airports, icaoOf }: RequestContext): SourceRequest[] {
  const stations = [...new Set(airports.flatMap((iata) => icaoOf(iata) ?? []))]
  const batches = Array.from({ length: Math.ceil(stations.length / STATIONS_A_CALL) }, (_, index) =>
    stations.slice(index * STATIONS_A_CALL, (index + 1) * STATIONS_A_CALL),
  )
  return batches.map((batch) => ({
    url: `${source.url}?ids=${batch.join(',')}&format=json`,
    method: 'GET',
    headers: { Accept: 'application/json' },
    body: null,
    iata: null,
  }))
}
