import {
  groupedBy,
  READINGS_OF_SPAN,
  type ReadingsRequest,
  spanValues,
} from '../../warehouse/publishing/waits/nowcast-readings.ts'
import { statusSelect } from '../../warehouse/storage/rollup-sql.ts'
import type { Warehouse } from '../../warehouse/storage/warehouse.ts'

/** Whether an airport's queue was open at an instant; epoch ms. */
export interface ObservedStatus {
  observed_ms: number
  available_ms: number
  is_open: boolean
}

/** Whether each airport's queue was open, ascending by instant. */
export async function readStatuses(
  warehouse: Warehouse,
  request: ReadingsRequest,
): Promise<Map<string, ObservedStatus[]>> {
  const columns = await warehouse.columns(statusSelect(READINGS_OF_SPAN), spanValues(request))
  return groupedBy(columns['iata'] as string[], (row) => ({
    observed_ms: Number(columns['observed_at']![row]),
    available_ms: Number(columns['available_at']![row]),
    is_open: Number(columns['is_open']![row]) === 1,
  }))
}
