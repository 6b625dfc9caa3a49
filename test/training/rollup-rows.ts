import { isoUtc } from '../../config/vocabulary.ts'
import type { HourlySeries } from '../../forecasting/features/hourly-series.ts'
import type { Rollup } from '../../warehouse/tables/rollups.ts'
import { rollup } from '../warehouse/test-rows.ts'

/** The rollups that a series would be read from. */
export function rollupRows({ iata, terminal: name, hour_ms, available_ms, mean }: HourlySeries): Rollup[] {
  return Array.from(hour_ms, (hour, k) =>
    rollup(hour, mean[k]!, {
      level: name === '' ? 'airport' : 'terminal',
      iata,
      terminal: name,
      available_at: isoUtc(available_ms[k]!),
      source: 'import-test',
    }),
  )
}
