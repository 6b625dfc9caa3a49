import { isoUtc } from '../../config/domain.ts'
import type { HourlySeries } from '../../forecasting/features/hourly-series.ts'
import type { Rollup } from '../../warehouse/tables/rollups.ts'

/** The rollups that a series would be read from. */
export function rollupRows({ iata, terminal: name, hour_ms, available_ms, mean }: HourlySeries): Rollup[] {
  return Array.from(hour_ms, (hour, k) => ({
    kind: 'security',
    level: name === '' ? 'airport' : 'terminal',
    iata,
    terminal: name,
    checkpoint: '',
    lane: 'standard',
    hour: isoUtc(hour),
    available_at: isoUtc(available_ms[k]!),
    mean: mean[k]!,
    p50: mean[k]!,
    p90: mean[k]!,
    max: mean[k]!,
    samples: 4,
    flagged: 0,
    source: 'import-test',
  }))
}
