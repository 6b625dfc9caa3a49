import { airportDirectory } from '../../config/airports/directory.ts'
import { HORIZON_HOURS, isoUtc } from '../../config/domain.ts'
import { gatherSnapshot } from '../../warehouse/serving/publish.ts'
import { forecastBlock } from '../../warehouse/serving/published/forecasts.ts'
import type { SnapshotContent } from '../../warehouse/serving/published/index.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'

const LEAST_AIRPORTS = 8_000

/** The largest snapshot there can be: every airport of the directory with 168 hours of its own, nothing shared. */
export async function bigSnapshot(warehouse: Warehouse, now: number): Promise<SnapshotContent> {
  const airports = airportDirectory().all
  // Everything else a snapshot holds; its own forecasts, of which airports share many, are not wanted.
  const { content } = await gatherSnapshot(warehouse, { now, simulated: false, airports: [] })
  const forecasts = await forecastBlock(warehouse, airports, now, true)
  const whole = forecasts.series.terminal.filter((terminal) => terminal === '').length
  if (whole < LEAST_AIRPORTS || forecasts.p50.length < whole * HORIZON_HOURS)
    throw new Error(`only ${whole} airports, ${forecasts.p50.length} hours`)
  const faa_airports = airports.filter(({ faa_id }) => faa_id !== null).map(({ iata }) => iata)
  return { ...content, faa_airports, forecasts }
}

/**
 * The same snapshot, issued `mark` seconds later, in which every forecast hour bears the mark: an answer that mixes two
 * snapshots gives itself away.
 */
export function markedSnapshot(content: SnapshotContent, mark: number): SnapshotContent {
  const { forecasts } = content
  // An array for each column: Arrow writes one that is given three times only once, and then cannot read it.
  const minutes = () => new Int16Array(forecasts.p50.length).fill((mark + 1) * 10)
  return {
    ...content,
    generated_at: isoUtc(Date.parse(content.generated_at) + mark * 1_000),
    forecasts: {
      ...forecasts,
      p10: minutes(),
      p50: minutes(),
      p90: minutes(),
      confidence: new Uint8Array(forecasts.confidence.length).fill(mark + 1),
    },
  }
}
