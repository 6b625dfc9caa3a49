import { type Airport, airportDirectory } from '../../config/airports/directory.ts'
import { distanceKm } from '../../config/airports/distance.ts'
import type { Source } from '../../config/sources.ts'
import { DAY_MS, utcDayOf } from '../../config/vocabulary.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import type { AirportCircle, Collector } from '../parsing/collector.ts'

/** Even at the largest airports, the terminals lie within this distance of the reference point. */
const MAX_RADIUS_M = 4_000
/** How far back runs are read: one rotation through all airports takes about 34 days. */
const ROTATION_DAYS = 40
/**
 * A failed request counts as one sent this much earlier: its airport is due again soon, but after the airports that were never
 * requested.
 */
const FAILED_DAYS = 30

/** Large airports first: the order of the first rotation. */
const bySize = (a: Airport, b: Airport) =>
  Number(b.size === 'large') - Number(a.size === 'large') ||
  b.runways.length - a.runways.length ||
  (a.iata < b.iata ? -1 : 1)

/**
 * The airports of a source that were requested longest ago (or never). Their circles do not overlap, so no place lies in two of
 * them. `requested`: the time of each airport's last request, epoch milliseconds.
 */
export function airportsDue(
  served: readonly Airport[],
  requested: ReadonlyMap<string, number>,
  count: number,
  isDue: (airport: Airport) => boolean = () => true,
): AirportCircle[] {
  const since = ({ iata }: Airport) => requested.get(iata) ?? 0
  const due = served
    .filter(isDue)
    .toSorted((a, b) => since(a) - since(b) || bySize(a, b))
    .slice(0, count)
  return due.map((airport) => {
    const { iata, latitude, longitude } = airport
    const distances = served.filter((other) => other !== airport).map((other) => distanceKm(airport, other))
    const half_distance_m = Math.floor(Math.min(...distances) * 500)
    return { iata, latitude, longitude, radius_m: Math.min(MAX_RADIUS_M, half_distance_m) }
  })
}

/** When each airport was last requested from a source (epoch milliseconds), from the runs of one rotation. */
export async function lastRequested(warehouse: Warehouse, source: string, now: number): Promise<Map<string, number>> {
  const rows = await warehouse.query<{ iata: string; failed: boolean; last_started_at: string }>(
    `SELECT iata, outcome = 'failed' AS failed, max(started_at) AS last_started_at FROM runs
     WHERE date >= $day AND started_at <= $now::TIMESTAMPTZ AND source = $source AND iata IS NOT NULL GROUP BY ALL`,
    {
      day: utcDayOf(now - ROTATION_DAYS * DAY_MS),
      now: new Date(now).toISOString(),
      source,
    },
  )
  const requested = new Map<string, number>()
  for (const { iata, failed, last_started_at } of rows) {
    const counts_from = Date.parse(last_started_at) - (failed ? FAILED_DAYS * DAY_MS : 0)
    requested.set(iata, Math.max(requested.get(iata) ?? 0, counts_from))
  }
  return requested
}

/**
 * The airports that a run requests now, for a collector with a `rotation`; none for any other. If a source is requested once per
 * airport, airports with rows are not due, and a failed one rests for a day. Without a warehouse (a check of the sources) every
 * airport counts as never requested.
 */
export async function airportsDueFor(
  source: Source,
  { rotation, lands }: Collector,
  { warehouse, now }: { warehouse?: Warehouse; now: () => number },
): Promise<AirportCircle[]> {
  if (rotation === undefined) return []
  const { airports_per_run, includes, once } = rotation
  const served = airportDirectory().all.filter(includes)
  if (!warehouse) return airportsDue(served, new Map(), airports_per_run)
  const requested = await lastRequested(warehouse, source.id, now())
  if (once === undefined) return airportsDue(served, requested, airports_per_run)
  const known = await warehouse.query<{ iata: string }>(`SELECT DISTINCT iata FROM ${lands} WHERE source = $source`, {
    source: source.id,
  })
  const answered = new Set(known.map(({ iata }) => iata))
  const restsUntil = now() - (FAILED_DAYS + 1) * DAY_MS
  const isDue = ({ iata }: Airport) => !answered.has(iata) && (requested.get(iata) ?? 0) <= restsUntil
  return airportsDue(served, requested, airports_per_run, isDue)
}
