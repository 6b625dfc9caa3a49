import { airportDirectory } from '../../config/airports/directory.ts'
import { HORIZON_HOURS } from '../../config/vocabulary.ts'
import { forecastBlock } from '../../warehouse/publishing/gather/forecasts.ts'
import { gatherSnapshot } from '../../warehouse/publishing/publish.ts'
import type { SnapshotContent } from '../../warehouse/publishing/read/index.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'

const MIN_AIRPORTS = 8_000

/** Builds the largest possible snapshot: every airport of the directory with its own 168 forecast hours, nothing shared. */
export async function bigSnapshot(warehouse: Warehouse, now: number): Promise<SnapshotContent> {
  const airports = airportDirectory().all
  // The other parts of a snapshot; its usual forecasts are not used because airports share many of them.
  const { content } = await gatherSnapshot(warehouse, { now, simulated: false, airports: [] })
  const forecasts = await forecastBlock({ warehouse, airports, now, everywhere: true })
  const airportCount = forecasts.series.terminal.filter((terminal) => terminal === '').length
  if (airportCount < MIN_AIRPORTS || forecasts.p50.length < airportCount * HORIZON_HOURS)
    throw new Error(`only ${airportCount} airports, ${forecasts.p50.length} hours`)
  const faa_airports = airports.filter(({ faa_id }) => faa_id !== null).map(({ iata }) => iata)
  return { ...content, faa_airports, forecasts }
}
