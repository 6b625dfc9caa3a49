import { mapKeys } from '../../config/map-keys.ts'
import { type FeatureRows, forecastRows, OWN_COLUMNS } from '../../forecasting/features/features.ts'
import { FEATURES } from '../../forecasting/features/inputs.ts'
import type { PreparedSeries } from '../../forecasting/features/profile.ts'
import { applyCalibration, SERVED_COLUMNS } from '../../forecasting/quantiles/calibration.ts'
import { contenderQuantiles } from '../forecasters/contenders.ts'
import type { WeightedNet } from '../forecasters/forecaster.ts'
import type { ArtifactCard } from './artifact-card.ts'

type OwnColumn = (typeof OWN_COLUMNS)[number]

/** A forecast hour of examples.json: what goes into the net, and what is served in the end; its own columns are those of FeatureRows. */
export interface ExampleRow extends Record<OwnColumn, number> {
  terminal: string
  /** Hours ahead. */
  horizon: number
  /** Values of the inputs by name, not normalised. */
  inputs: Record<string, number>
  /** The served forecast, in minutes. */
  served: { p10: number; p50: number; p90: number; p_within_5: number }
}

/** Hours ahead of the examples: some of each bucket of the calibration. */
const EXAMPLE_HOURS = [0, 1, 5, 6, 23, 24, 100, 167]

function rowAt(rows: FeatureRows, row: number) {
  return {
    horizon: rows.horizon[row]!,
    inputs: Object.fromEntries(FEATURES.map((name, k) => [name, rows.x[row * FEATURES.length + k]!])),
    ...mapKeys(OWN_COLUMNS, (name) => rows[name][row]!),
  }
}

/** Example forecasts of an airport and its terminals at the cutoff of their model. */
export function exampleRows(
  net: WeightedNet,
  calibration: ArtifactCard['calibration'],
  series: readonly PreparedSeries[],
  cutoff_ms: number,
): ExampleRow[] {
  return series.flatMap((queueSeries) => {
    const own = calibration.find(({ terminal }) => terminal === queueSeries.terminal)
    const rows = forecastRows(queueSeries, cutoff_ms)
    if (!own || !rows) return []
    const served = applyCalibration(contenderQuantiles(net, rows)[own.served], rows, own.table)
    return EXAMPLE_HOURS.map((row): ExampleRow => {
      const values = mapKeys(SERVED_COLUMNS, (name) => served[name][row]!)
      return { terminal: queueSeries.terminal, ...rowAt(rows, row), served: values }
    })
  })
}
