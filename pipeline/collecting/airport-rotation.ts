import { type Airport, airportDirectory } from '../../config/airports/directory.ts'
import { distanceKm } from '../../config/airports/distance.ts'
import { DAY_MS } from '../../config/domain.ts'
import type { Source } from '../../config/sources.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'
import type { AirportCircle, Collector } from '../parsing/collector.ts'

/** Terminals lie within this of an airport's reference point, at the largest too. */
const REACH_M = 4_000
/** One round of all airports takes about 34 days. */
const ROUND_DAYS = 40
/** A failed request counts as one so much earlier: its airport comes again soon, but not before those never asked about. */
const FAILED_DAYS = 30

/** The largest first: in the order that a first round goes. */
const byWeight = (a: Airport, b: Airport) =>
  Number(b.size === 'large') - Number(a.size === 'large') ||
  b.runways.length - a.runways.length ||
  (a.iata < b.iata ? -1 : 1)

/**
 * The airports whose turn it is: large and medium ones with scheduled service, those asked about longest ago (or never) first.
 * Each has its own circle, so that no place can lie in two.
 */
export function airportsDue(
  all: readonly Airport[],
  asked: ReadonlyMap<string, number>,
  count: number,
): AirportCircle[] {
  const served = all.filter(({ scheduled_service, size }) => scheduled_service && size !== 'small')
  const since = ({ iata }: Airport) => asked.get(iata) ?? 0
  const due = served.toSorted((a, b) => since(a) - since(b) || byWeight(a, b)).slice(0, count)
  return due.map((airport) => {
    const { iata, latitude, longitude } = airport
    const distances = served
      .filter((other) => other !== airport)
      .map((other) => distanceKm(latitude, longitude, other.latitude, other.longitude))
    const radius_m = Math.min(REACH_M, Math.floor(Math.min(...distances) * 500))
    return { iata, latitude, longitude, radius_m }
  })
}

/** When a source was last asked about each airport (epoch milliseconds), from its runs of one round. */
export async function lastRequested(warehouse: Warehouse, source: string, now: number): Promise<Map<string, number>> {
  const rows = await warehouse.query<{ iata: string; failed: boolean; at: string }>(
    `SELECT iata, outcome = 'failed' AS failed, max(started_at) AS at FROM runs
     WHERE date >= $day AND source = $source AND iata IS NOT NULL GROUP BY ALL`,
    { day: new Date(now - ROUND_DAYS * DAY_MS).toISOString().slice(0, 10), source },
  )
  const asked = new Map<string, number>()
  for (const { iata, failed, at } of rows)
    asked.set(iata, Math.max(asked.get(iata) ?? 0, Date.parse(at) - (failed ? FAILED_DAYS * DAY_MS : 0)))
  return asked
}

/** What telling the turns takes; without a warehouse, as for a check of the sources, all airports count as never asked about. */
interface RunContext {
  warehouse?: Warehouse
  now: () => number
}

/** The airports that a run of a source asks about now; none where it does not go round them. */
export async function airportsDueFor(source: Source, collector: Collector, context: RunContext): Promise<AirportCircle[]> {
  const { airports_per_run } = collector
  if (airports_per_run === undefined) return []
  const asked = context.warehouse && (await lastRequested(context.warehouse, source.id, context.now()))
  return airportsDue(airportDirectory().all, asked ?? new Map(), airports_per_run)
}
