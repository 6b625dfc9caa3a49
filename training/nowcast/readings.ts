import { DAY_MS, isoUtc, type QueueKind } from '../../config/domain.ts'
import type { LaneReading } from '../../warehouse/serving/nowcast/series.ts'
import { laneReadingsSelect, statusSelect } from '../../warehouse/storage/rollup.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'

/** Whether an airport's queue was open at an instant; epoch ms. */
export interface ObservedStatus {
  observed_ms: number
  available_ms: number
  is_open: boolean
}

export interface ReadingsRequest {
  kind: QueueKind
  from_ms: number
  /** Only what could have been known by then, epoch ms. */
  cutoff_ms: number
  iata?: string
}

const SOURCE = `SELECT * FROM readings WHERE kind = $kind AND date >= $day AND observed_at >= $from::TIMESTAMPTZ
  AND available_at <= $cutoff::TIMESTAMPTZ AND ($iata IS NULL OR iata = $iata)`

const valuesOf = ({ kind, from_ms, cutoff_ms, iata }: ReadingsRequest) => ({
  kind,
  from: isoUtc(from_ms),
  day: isoUtc(from_ms - DAY_MS).slice(0, 10),
  cutoff: isoUtc(cutoff_ms),
  iata: iata ?? null,
})

/** The usable readings of each airport's standard lanes, ascending by instant. */
export async function readLaneReadings(
  warehouse: Warehouse,
  request: ReadingsRequest,
): Promise<Map<string, LaneReading[]>> {
  const columns = await warehouse.columns(laneReadingsSelect(SOURCE), valuesOf(request))
  return grouped(columns['iata'] as string[], (row) => ({
    lane: Number(columns['lane_number']![row]),
    observed_ms: Number(columns['observed_at']![row]),
    available_ms: Number(columns['available_at']![row]),
    minutes: Number(columns['minutes']![row]),
  }))
}

/** Whether each airport's queue was open, ascending by instant. */
export async function readStatuses(
  warehouse: Warehouse,
  request: ReadingsRequest,
): Promise<Map<string, ObservedStatus[]>> {
  const columns = await warehouse.columns(statusSelect(SOURCE), valuesOf(request))
  return grouped(columns['iata'] as string[], (row) => ({
    observed_ms: Number(columns['observed_at']![row]),
    available_ms: Number(columns['available_at']![row]),
    is_open: Number(columns['is_open']![row]) === 1,
  }))
}

function grouped<T>(iatas: readonly string[], rowOf: (row: number) => T): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const [row, iata] of iatas.entries()) {
    const own = groups.get(iata)
    if (own) own.push(rowOf(row))
    else groups.set(iata, [rowOf(row)])
  }
  return groups
}
